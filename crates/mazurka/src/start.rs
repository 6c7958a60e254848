//! How a process is started, as often as its history must be run again.

use crate::failure::Failure;
use crate::live::Polled;
use crate::message::{Reason, Value};
use crate::stage;
use std::any::{TypeId, type_name};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::pin::Pin;
use std::rc::Rc;

/// What a process runs: a function or closure that makes its future.
///
/// It is called again when the process has to be run again from its start, so it must be
/// `Clone`; closures are if what they capture is.
pub trait Body: FnOnce() -> Self::Future + Clone + 'static {
    /// The process.
    type Future: Future<Output: Ending> + 'static;
}

impl<F, Fut> Body for F
where
    F: FnOnce() -> Fut + Clone + 'static,
    Fut: Future<Output: Ending> + 'static,
{
    type Future = Fut;
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
trait Make {
    fn make(&self) -> Pin<Box<dyn Polled>>;
    fn body(&self) -> TypeId;
    /// Whether it captures nothing, so that equal types are equal starts.
    fn is_pure(&self) -> bool;
    fn role(&self) -> &'static str;
}

struct Made<B>(Option<B>);

impl<B: Body> Make for Made<B> {
    fn make(&self) -> Pin<Box<dyn Polled>> {
        let body = self.0.clone().expect("taken only when dropped");
        Box::pin(body())
    }

    fn body(&self) -> TypeId {
        TypeId::of::<B>()
    }

    fn is_pure(&self) -> bool {
        size_of::<B>() == 0
    }

    fn role(&self) -> &'static str {
        role(type_name::<B::Future>())
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

    /// Whether it is a start of this body, with whatever it captured.
    pub(crate) fn runs<B: Body>(&self) -> bool {
        self.0.body() == TypeId::of::<B>()
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

/// Equal starts behave equally. What a closure has captured cannot be compared, so closures
/// that capture something are equal only to themselves.
impl PartialEq for Start {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0) || (self.0.is_pure() && self.0.body() == other.0.body())
    }
}

impl Eq for Start {}

impl Hash for Start {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.body().hash(state);
        if !self.0.is_pure() {
            Rc::as_ptr(&self.0).cast::<()>().hash(state);
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
