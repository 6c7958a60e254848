//! How a process is started, as often as its history must be run again.

use crate::failure::Failure;
use crate::live::Polled;
use crate::message::{Message, Reason, Value};
use crate::stage;
use std::any::{Any, TypeId, type_name};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::pin::Pin;
use std::rc::Rc;

/// What a process runs: a function or closure that makes its future, or a [`call`].
///
/// It begins anew when the process has to be run again from its start, so it must be `Clone`;
/// closures are if what they capture is.
pub trait Body: Clone + 'static {
    /// The process.
    type Future: Future<Output: Ending> + 'static;

    /// Makes the process.
    fn begin(self) -> Self::Future;

    /// Whether two of them can be compared. What a closure has captured cannot.
    #[doc(hidden)]
    fn is_comparable() -> bool {
        size_of::<Self>() == 0
    }

    /// Whether a process that runs `other` would do the same, if they can be compared.
    #[doc(hidden)]
    fn is_same(&self, _other: &Self) -> bool {
        true
    }

    /// Equal bodies hash equally.
    #[doc(hidden)]
    fn hash_into(&self, _state: &mut dyn Hasher) {}

    /// What it is given, for reports.
    #[doc(hidden)]
    fn arguments(&self) -> Option<String> {
        None
    }
}

impl<F, Fut> Body for F
where
    F: FnOnce() -> Fut + Clone + 'static,
    Fut: Future<Output: Ending> + 'static,
{
    type Future = Fut;

    fn begin(self) -> Fut {
        self()
    }
}

/// A function and what it is given: `spawn(call(worker, (server, 3)))`.
///
/// Unlike what a closure captures, this can be compared, and reports show it. Processes that
/// are spawned by the same call in different executions share what they have in common, so
/// that their code runs less often.
///
/// ```
/// use mazurka::{Pid, call, me, receive, send, spawn};
///
/// async fn greet((whom, times): (Pid, u32)) {
///     for n in 0..times {
///         send(whom, n);
///     }
/// }
///
/// # mazurka::check(|| async {
/// spawn(call(greet, (me(), 2)));
/// # for _ in 0..2 { receive::<u32>().await; }
/// # });
/// ```
pub fn call<F, A, Fut>(function: F, argument: A) -> Call<F, A>
where
    F: FnOnce(A) -> Fut + Copy + 'static,
    A: Message,
    Fut: Future<Output: Ending> + 'static,
{
    const { assert!(size_of::<F>() == 0, "a function that captures nothing") };
    Call { function, argument }
}

/// See [`call`].
#[derive(Clone, Copy, Debug)]
pub struct Call<F, A> {
    function: F,
    argument: A,
}

impl<F, A, Fut> Body for Call<F, A>
where
    F: FnOnce(A) -> Fut + Copy + 'static,
    A: Message,
    Fut: Future<Output: Ending> + 'static,
{
    type Future = Fut;

    fn begin(self) -> Fut {
        (self.function)(self.argument)
    }

    fn is_comparable() -> bool {
        true
    }

    fn is_same(&self, other: &Self) -> bool {
        self.argument == other.argument
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.argument.hash(&mut state);
    }

    fn arguments(&self) -> Option<String> {
        Some(format!("{:?}", self.argument))
    }
}

/// How a process may end: with nothing, or with an error, which is a crash.
#[diagnostic::on_unimplemented(
    message = "a process cannot end with `{Self}`",
    note = "it ends with `()`, or with a `Result<(), E>` whose error is a crash; is a `;` missing?"
)]
pub trait Ending {
    /// The reason with which the process ends.
    fn reason(self) -> Reason;
}

impl Ending for () {
    fn reason(self) -> Reason {
        Reason::Normal
    }
}

impl<T: Ending, E: fmt::Debug> Ending for Result<T, E> {
    fn reason(self) -> Reason {
        match self {
            Ok(ending) => ending.reason(),
            Err(error) => Reason::Crash(Value::new(Failure {
                message: format!("ended with the error {error:?}"),
                location: String::new(),
            })),
        }
    }
}

/// The type of what never returns. It has no name yet, but it is what such a function has.
type Never = <fn() -> ! as Returns>::Type;

/// What a function returns.
pub trait Returns {
    /// That.
    type Type;
}

impl<T> Returns for fn() -> T {
    type Type = T;
}

impl Ending for Never {
    fn reason(self) -> Reason {
        self
    }
}

/// The start of a process.
#[derive(Clone)]
pub struct Start(Rc<dyn Make>);

/// A [`Body`], whatever its type.
trait Make: Any {
    fn make(&self) -> Pin<Box<dyn Polled>>;
    fn body(&self) -> TypeId;
    fn is_comparable(&self) -> bool;
    fn is_same(&self, other: &dyn Any) -> bool;
    fn hash_into(&self, state: &mut dyn Hasher);
    fn role(&self) -> &'static str;
    fn arguments(&self) -> Option<String>;
}

struct Made<B>(Option<B>);

impl<B> Made<B> {
    fn body(&self) -> &B {
        self.0.as_ref().expect("taken only when dropped")
    }
}

impl<B: Body> Make for Made<B> {
    fn make(&self) -> Pin<Box<dyn Polled>> {
        Box::pin(self.body().clone().begin())
    }

    fn body(&self) -> TypeId {
        TypeId::of::<B>()
    }

    fn is_comparable(&self) -> bool {
        B::is_comparable()
    }

    fn is_same(&self, other: &dyn Any) -> bool {
        let other = other.downcast_ref::<Self>();
        other.is_some_and(|other| self.body().is_same(other.body()))
    }

    fn hash_into(&self, state: &mut dyn Hasher) {
        self.body().hash_into(state);
    }

    fn role(&self) -> &'static str {
        role(type_name::<B::Future>())
    }

    fn arguments(&self) -> Option<String> {
        self.body().arguments()
    }
}

impl<B> Drop for Made<B> {
    fn drop(&mut self) {
        stage::discard(self.0.take());
    }
}

impl Start {
    pub(crate) fn new<B: Body>(body: B) -> Start {
        Start(Rc::new(Made(Some(body))))
    }

    /// The process, about to begin.
    pub(crate) fn make(&self) -> Pin<Box<dyn Polled>> {
        self.0.make()
    }

    /// What kind of process it is.
    pub(crate) fn role(&self) -> &'static str {
        self.0.role()
    }

    /// The same, with what it is given: `worker(P, 3)`.
    pub(crate) fn show(&self) -> String {
        let arguments = self.0.arguments();
        let arguments = arguments.map(|text| match text.starts_with('(') {
            true => text,
            false => format!("({text})"),
        });
        format!("{}{}", self.role(), arguments.unwrap_or_default())
    }

    /// Whether it is a start of this body, as far as bodies can be compared.
    pub(crate) fn runs<B: Body>(&self, body: &B) -> bool {
        let any: &dyn Any = &*self.0;
        let made = any.downcast_ref::<Made<B>>();
        made.is_some_and(|made| made.body().is_same(body))
    }
}

/// `worker` of `my_crate::pool::worker::{{closure}}`, which is what the compiler calls the
/// future of an `async fn worker`.
fn role(future: &'static str) -> &'static str {
    let path = future.trim_end_matches("::{{closure}}");
    let generics = path.find('<').unwrap_or(path.len());
    let start = path[..generics].rfind("::").map_or(0, |at| at + 2);
    &path[start..]
}

/// Equal starts behave equally. One that cannot be compared is equal only to itself.
impl PartialEq for Start {
    fn eq(&self, other: &Self) -> bool {
        let any: &dyn Any = &*other.0;
        Rc::ptr_eq(&self.0, &other.0) || (self.0.is_comparable() && self.0.is_same(any))
    }
}

impl Eq for Start {}

impl Hash for Start {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0.is_comparable() {
            true => {
                self.0.body().hash(state);
                self.0.hash_into(state);
            }
            false => Rc::as_ptr(&self.0).cast::<()>().hash(state),
        }
    }
}

impl fmt::Debug for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.role())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_the_names_of_functions() {
        assert_eq!(role("a::b::worker::{{closure}}"), "worker");
        assert_eq!(role("a::test::{{closure}}::{{closure}}"), "test");
        assert_eq!(role("a::serve<a::b::Key>::{{closure}}"), "serve<a::b::Key>");
        assert_eq!(role("core::future::ready::Ready<()>"), "Ready<()>");
    }
}
