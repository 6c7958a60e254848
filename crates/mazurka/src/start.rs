//! How a process is started, any number of times.

use crate::failure::Failure;
use crate::identity::{self, Identity};
use crate::live::Polled;
use crate::message::{Message, Reason, Value, are_alike};
use crate::shown::show;
use crate::stage;
use std::any::{Any, TypeId, type_name};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::Location;
use std::pin::Pin;
use std::rc::Rc;

/// What a process runs: a function or closure that makes its future, or a [`call`].
///
/// The process may have to be run again from its start, so the body must be `Clone`; a closure is if
/// everything it captures is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be run as a process",
    label = "not a function or closure that makes a future",
    note = "write `|| async {{ … }}` for an `async` block, `move || worker(argument)` for a call of an \
            `async fn`: a process may have to start again, and a future runs only once",
    note = "what a closure captures must be `Clone`"
)]
pub trait Body: Clone + 'static {
    /// The future that is the process.
    type Future: Future<Output: Ending> + 'static;

    /// Makes the future of the process.
    fn begin(self) -> Self::Future;

    /// What two bodies of this type are compared by, if not by their address. The captured variables of
    /// a closure cannot be compared.
    #[doc(hidden)]
    #[expect(private_interfaces, reason = "bodies are made in this crate")]
    fn identity(&self) -> Option<Identity<'_>> {
        (size_of::<Self>() == 0).then(|| Identity::Type(TypeId::of::<Self>()))
    }

    /// Whether a second run of the parent has made the same body, as far as that can be seen.
    #[doc(hidden)]
    fn is_alike(&self, _other: &Self) -> bool {
        true
    }

    /// The name it was [given](named).
    #[doc(hidden)]
    fn name(&self) -> Option<&str> {
        None
    }

    /// Its arguments, for reports.
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

/// A function and its argument: `spawn(call(worker, (server, 3)))`.
///
/// Reports show the argument; the captured variables of a closure they cannot show. If the type of the
/// argument is [interchangeable](crate::interchangeable), processes that are spawned by the same call
/// in different executions share their common histories, so that their code runs less often.
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

    #[expect(private_interfaces, reason = "bodies are made in this crate")]
    fn identity(&self) -> Option<Identity<'_>> {
        identity::of_type::<A>()(&self.argument)
    }

    fn is_alike(&self, other: &Self) -> bool {
        are_alike(&self.argument, &other.argument)
    }

    fn arguments(&self) -> Option<String> {
        Some(show(&self.argument))
    }
}

/// Gives a process a name in reports: `spawn(named("client 1", move || client(server)))`.
///
/// Without one, a process is named after its function or, if it runs an `async` block, after the
/// function that contains the block and the line of the `spawn`.
///
/// ```
/// use mazurka::{Kind, Pid, me, named, receive, send, spawn};
///
/// let checked = mazurka::Check::new().no_logs(true).explore(|| async {
///     for n in 1..=2 {
///         spawn(named(format!("client {n}"), move || async move { assert_ne!(n, 2) }));
///     }
/// });
/// let error = checked.errors().next().expect("the second one fails");
/// assert_eq!(error.role.as_deref(), Some("client 2"));
/// ```
pub fn named<B: Body>(name: impl Into<String>, body: B) -> Named<B> {
    Named {
        name: name.into(),
        body,
    }
}

/// See [`named`].
#[derive(Clone, Debug)]
pub struct Named<B> {
    name: String,
    body: B,
}

impl<B: Body> Body for Named<B> {
    type Future = B::Future;

    fn begin(self) -> B::Future {
        self.body.begin()
    }

    #[expect(private_interfaces, reason = "bodies are made in this crate")]
    fn identity(&self) -> Option<Identity<'_>> {
        self.body.identity()
    }

    fn is_alike(&self, other: &Self) -> bool {
        self.name == other.name && self.body.is_alike(&other.body)
    }

    fn name(&self) -> Option<&str> {
        Some(&self.name)
    }

    fn arguments(&self) -> Option<String> {
        self.body.arguments()
    }
}

/// What the future of a process may return: nothing, or a `Result`, whose error is a crash.
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
                message: format!("ended with the error {}", show(&error)),
                location: String::new(),
            })),
        }
    }
}

/// The type `!`, which stable Rust cannot name except as the return type of a function.
type Never = <fn() -> ! as Returns>::Type;

/// What a function returns.
pub trait Returns {
    /// The return type.
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
    fn identity(&self) -> Option<Identity<'_>>;
    fn label(&self) -> Label<'_>;
    fn role(&self) -> String;
    fn arguments(&self) -> Option<String>;
}

/// What the name of a process consists of, besides its function.
#[derive(PartialEq)]
struct Label<'m> {
    name: Option<&'m str>,
    /// `None` for the entry process.
    spawned_at: Option<&'static Location<'static>>,
}

struct Made<B> {
    /// `None` only while it is dropped.
    body: Option<B>,
    /// Where it was spawned, unless it is the entry process.
    spawned_at: Option<&'static Location<'static>>,
}

impl<B> Made<B> {
    fn body(&self) -> &B {
        self.body.as_ref().expect("taken only when dropped")
    }
}

impl<B: Body> Make for Made<B> {
    fn make(&self) -> Pin<Box<dyn Polled>> {
        Box::pin(self.body().clone().begin())
    }

    fn identity(&self) -> Option<Identity<'_>> {
        self.body().identity()
    }

    fn label(&self) -> Label<'_> {
        Label {
            name: self.body().name(),
            spawned_at: self.spawned_at,
        }
    }

    fn role(&self) -> String {
        let Label { name, spawned_at } = self.label();
        match name {
            Some(name) => name.to_owned(),
            None => role(type_name::<B::Future>(), spawned_at.map(Location::line)),
        }
    }

    fn arguments(&self) -> Option<String> {
        self.body().arguments()
    }
}

impl<B> Drop for Made<B> {
    fn drop(&mut self) {
        stage::discard(self.body.take());
    }
}

impl Start {
    /// The entry process.
    pub(crate) fn entry<B: Body>(body: B) -> Start {
        Start::made(body, None)
    }

    /// A process that is spawned there.
    pub(crate) fn spawned<B: Body>(body: B, at: &'static Location<'static>) -> Start {
        Start::made(body, Some(at))
    }

    fn made<B: Body>(body: B, spawned_at: Option<&'static Location<'static>>) -> Start {
        Start(Rc::new(Made {
            body: Some(body),
            spawned_at,
        }))
    }

    /// The future of the process, not polled yet.
    pub(crate) fn make(&self) -> Pin<Box<dyn Polled>> {
        self.0.make()
    }

    /// The name of the process in reports.
    pub(crate) fn role(&self) -> String {
        self.0.role()
    }

    /// The same, with its arguments: `worker(P, 3)`.
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
        made.is_some_and(|made| made.body().is_alike(body))
    }

    fn type_id(&self) -> TypeId {
        let any: &dyn Any = &*self.0;
        any.type_id()
    }
}

/// The name of a process by the type of its future: `worker` for
/// `my_crate::pool::worker::{{closure}}`, which is the compiler's name for the future of an
/// `async fn worker`. An `async` block is named after its function and the line that spawns it,
/// `main:12`, because a function may have several.
fn role(future: &str, line: Option<u32>) -> String {
    const INNER: &str = "::{{closure}}";
    let path = future.trim_end_matches(INNER);
    let is_block = future.len() - path.len() > INNER.len();
    let generics = path.find('<').unwrap_or(path.len());
    let start = path[..generics].rfind("::").map_or(0, |at| at + 2);
    let name = &path[start..];
    match line {
        Some(line) if is_block => format!("{name}:{line}"),
        _ => name.to_owned(),
    }
}

/// Equal starts behave equally. One that cannot be compared is equal only to itself.
impl PartialEq for Start {
    fn eq(&self, other: &Self) -> bool {
        let is_same = || match (self.0.identity(), other.0.identity()) {
            (Some(one), Some(another)) => {
                self.type_id() == other.type_id()
                    && one == another
                    && self.0.label() == other.0.label()
            }
            _ => false,
        };
        Rc::ptr_eq(&self.0, &other.0) || is_same()
    }
}

impl Eq for Start {}

impl Hash for Start {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0.identity() {
            Some(identity) => {
                self.type_id().hash(state);
                identity.hash(state);
            }
            None => Rc::as_ptr(&self.0).cast::<()>().hash(state),
        }
    }
}

impl fmt::Debug for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.role())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_the_names_of_functions() {
        let role = |future| role(future, Some(7));
        assert_eq!(role("a::b::worker::{{closure}}"), "worker");
        assert_eq!(role("a::test::{{closure}}::{{closure}}"), "test:7");
        assert_eq!(role("a::serve<a::b::Key>::{{closure}}"), "serve<a::b::Key>");
        assert_eq!(role("core::future::ready::Ready<()>"), "Ready<()>");
        assert_eq!(
            super::role("a::test::{{closure}}::{{closure}}", None),
            "test"
        );
    }
}
