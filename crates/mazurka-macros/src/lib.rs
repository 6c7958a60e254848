//! The macros of the `mazurka` library, which re-exports and documents them.

mod arms;
mod receive;
mod test;
mod tokens;

use proc_macro::TokenStream;

/// Waits for a message that one of the patterns takes, and runs its code.
///
/// ```ignore
/// let stock = receive! {
///     Request::Get { key, from } => answer(from, key),
///     Reply { id, value } if id == wanted => value,
///     count: u32 => count,
///     Down { monitor, .. } if monitor == server => return,
///     after Duration::from_millis(500) => 0,
/// };
/// ```
///
/// * Patterns may be of different types: a process receives whatever type it asks for. A name
///   alone has no type, so write it down: `count: u32`, and so with `(id, text): (u32, &str)`.
///   `_` takes any message.
/// * The oldest message that a pattern takes is consumed, in the sense of the delivery model;
///   all others stay in the mailbox. The patterns of one message are tried in order.
/// * Guards may use any variable of the process. They are asked about a message while it is
///   still in the mailbox, perhaps several times, and so should do nothing but look.
/// * `after` comes last and gives up the wait. `after Duration::ZERO` does not wait at all:
///   it takes what has arrived, and a message that was sent need not have arrived yet.
#[proc_macro]
pub fn receive(input: TokenStream) -> TokenStream {
    receive::expand(input).unwrap_or_else(tokens::Mistake::into_tokens)
}

/// Makes an `async fn` without parameters a test that runs it in every causally different
/// execution: `mazurka::check` in a plain `#[test]`.
///
/// Settings are those of `mazurka::Check`, by the names of its methods:
///
/// ```ignore
/// #[mazurka::test(delivery = Delivery::Mailbox, keep_going)]
/// async fn nothing_is_lost() { /* … */ }
/// ```
#[proc_macro_attribute]
pub fn test(settings: TokenStream, item: TokenStream) -> TokenStream {
    test::expand(settings, item).unwrap_or_else(tokens::Mistake::into_tokens)
}
