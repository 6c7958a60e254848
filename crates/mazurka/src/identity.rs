//! When two values are the same value for the engine.
//!
//! The engine interns messages and starts, and equal ones get the same number. So a value may be
//! replaced by another that is equal to it, and equality must compare everything that a program can
//! observe. The `PartialEq` of a program's own type may ignore a field, so such a value is equal only to
//! itself. The types listed here, and those that the program [declares](interchangeable), are compared
//! by content. Processes that get equal messages of those types share their histories.

use crate::failure::Failure;
use crate::message::{Key, Monitor};
use crate::pid::Pid;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, PoisonError, RwLock};
use std::time::Duration;

/// What a value is compared by.
pub(crate) enum Identity<'v> {
    /// Its type: it has one value only.
    Type(TypeId),
    /// Its content.
    Content(&'v dyn Content),
    /// Its address: nothing is known of its equality.
    Address(*const ()),
}

impl PartialEq for Identity<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Identity::Type(a), Identity::Type(b)) => a == b,
            (Identity::Content(a), Identity::Content(b)) => a.equals(*b),
            (Identity::Address(a), Identity::Address(b)) => a == b,
            _ => false,
        }
    }
}

impl Hash for Identity<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Identity::Type(of) => of.hash(state),
            Identity::Content(content) => content.hash_into(state),
            Identity::Address(address) => address.hash(state),
        }
    }
}

/// A value whose equality is trusted, whatever its type.
pub(crate) trait Content: Any {
    fn equals(&self, other: &dyn Content) -> bool;
    fn hash_into(&self, state: &mut dyn Hasher);
}

impl<T: Eq + Hash + 'static> Content for T {
    fn equals(&self, other: &dyn Content) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref() == Some(self)
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.hash(&mut state);
    }
}

/// How to find out what a value is compared by, if not by its address.
pub(crate) type IdentityOf = fn(&dyn Any) -> Option<Identity<'_>>;

/// The identity of values of this type.
pub(crate) fn of_type<T: 'static>() -> IdentityOf {
    if size_of::<T>() == 0 {
        return |value| Some(Identity::Type(value.type_id()));
    }
    let declared = INTERCHANGEABLE
        .read()
        .unwrap_or_else(PoisonError::into_inner);
    let declared = declared.get(&TypeId::of::<T>()).copied();
    declared.unwrap_or(|value| content(value).map(Identity::Content))
}

/// By content, if it is of this type.
pub(crate) fn by_content<T: Eq + Hash + 'static>(value: &dyn Any) -> Option<Identity<'_>> {
    let value: &T = value.downcast_ref()?;
    Some(Identity::Content(value))
}

/// The types that the program has declared. It is a property of a type, so all checks share them.
static INTERCHANGEABLE: LazyLock<RwLock<HashMap<TypeId, IdentityOf>>> =
    LazyLock::new(RwLock::default);

/// Declares that equal messages of this type cannot be distinguished: its equality is derived, and so
/// is that of all its parts, or at least it ignores nothing. It makes checks faster and changes
/// nothing else.
///
/// Mazurka runs the code of a process once for each sequence of messages that the process may
/// receive. Messages of two senders are different messages, even if they are equal: their equality
/// may ignore a field. Where it is known to be complete (texts, whole numbers, pids, types without
/// fields), equal messages count as one, and sequences that differ in nothing else are run once. This
/// declares the same of a type of your own. Call it before the first message of the type is sent, in
/// the entry process or before the check.
///
/// ```
/// use mazurka::{Pid, interchangeable, me, receive, send, spawn};
///
/// #[derive(Clone, Debug, PartialEq, Eq, Hash)]
/// enum Vote {
///     Yes,
///     No,
/// }
///
/// async fn election() {
///     interchangeable::<Vote>();
///     let main = me();
///     for _ in 0..5 {
///         spawn(move || async move { send(main, Vote::Yes) });
///     }
///     for _ in 0..5 {
///         receive::<Vote>().await;
///     }
/// }
///
/// let checked = mazurka::check(election);
/// // The code of the entry process runs once for each number of votes, not for each order of voters.
/// assert_eq!((checked.executions, checked.histories), (120, 5 + 6));
/// ```
pub fn interchangeable<T: Key>() {
    let of = TypeId::of::<T>();
    let known = INTERCHANGEABLE.read();
    if !known
        .unwrap_or_else(PoisonError::into_inner)
        .contains_key(&of)
    {
        let types = INTERCHANGEABLE.write();
        let mut types = types.unwrap_or_else(PoisonError::into_inner);
        types.insert(of, by_content::<T>);
    }
}

macro_rules! complete {
    ($($of:ty),* $(,)?) => {
        /// The value, if its type is one whose equality is complete.
        fn content(value: &dyn Any) -> Option<&dyn Content> {
            $(
                if let Some(value) = value.downcast_ref::<$of>() {
                    return Some(value);
                }
            )*
            None
        }
    };
}

// Not numbers with a fraction: 0.0 is equal to -0.0, but 1.0 divided by them is not.
complete!(
    Pid,
    &'static str,
    String,
    bool,
    char,
    i32,
    i64,
    u32,
    u64,
    usize,
    u8,
    u16,
    u128,
    i8,
    i16,
    i128,
    isize,
    Duration,
    Monitor,
    Failure,
);

#[cfg(test)]
mod tests {
    use super::*;

    fn is_known<T: 'static>(value: T) -> bool {
        of_type::<T>()(&value).is_some()
    }

    fn are_one<T: 'static, U: 'static>(one: &T, other: &U) -> bool {
        let (one, other) = (of_type::<T>()(one), of_type::<U>()(other));
        one.is_some() && one == other
    }

    #[test]
    fn only_complete_equality_is_trusted() {
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        struct Mine(u32);
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        struct Declared(u32);
        struct Nothing;
        assert!(is_known(1_u32) && is_known("a") && is_known(String::new()));
        assert!(is_known(()) && is_known(Nothing));
        assert!(!is_known(Mine(1)) && !is_known(0.5_f64) && !is_known(vec![Mine(1)]));
        assert!(are_one(&1_u32, &1_u32));
        assert!(!are_one(&1_u32, &2_u32) && !are_one(&1_u32, &1_i32));
        assert!(are_one(&(), &()) && !are_one(&(), &Nothing));
        assert!(!is_known(Declared(1)));
        interchangeable::<Declared>();
        assert!(are_one(&Declared(1), &Declared(1)));
        assert!(!are_one(&Declared(1), &Declared(2)));
        assert!(!are_one(&Mine(1), &Mine(1)));
    }
}
