//! The macros of the `mazurka` library, which re-exports and documents them.

mod arms;
mod receive;
mod test;
mod tokens;

use proc_macro::TokenStream;

/// Waits for a message that matches one of the patterns, and runs the code of that pattern.
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
/// * Patterns may have different types: a process can receive messages of any type. A name alone
///   has no type, so it needs an annotation: `count: u32`; likewise `(id, text): (u32, &str)`.
///   `_` matches any message.
/// * The receive consumes the first matching message, as defined by the delivery model; all others
///   stay in the mailbox. For each message, the patterns are tried in order.
/// * Guards may use any variable of the process. A guard may be evaluated several times for a
///   message that is still in the mailbox, so it must not have side effects.
/// * `after` must be the last arm; it sets a timeout. `after Duration::ZERO` does not wait: the
///   receive only considers messages that have arrived, and a message that was sent may not have
///   arrived yet.
#[proc_macro]
pub fn receive(input: TokenStream) -> TokenStream {
    receive::expand(input).unwrap_or_else(tokens::Mistake::into_tokens)
}

/// Turns an `async fn` without parameters into a test that runs it in every causally different
/// execution: `mazurka::check` in a plain `#[test]`.
///
/// The settings have the names of the methods of `mazurka::Check`:
///
/// ```ignore
/// #[mazurka::test(delivery = Delivery::Mailbox, keep_going)]
/// async fn nothing_is_lost() { /* … */ }
/// ```
#[proc_macro_attribute]
pub fn test(settings: TokenStream, item: TokenStream) -> TokenStream {
    test::expand(settings, item).unwrap_or_else(tokens::Mistake::into_tokens)
}
