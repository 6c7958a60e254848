//! `#[mazurka::test]`

use crate::tokens::{Mistake, braces, code, comma, is_ident, is_punct, join, parentheses};
use proc_macro::{Delimiter, Span, TokenStream, TokenTree};

pub fn expand(settings: TokenStream, item: TokenStream) -> Result<TokenStream, Mistake> {
    let settings = read_settings(settings)?;
    let tokens: Vec<TokenTree> = item.into_iter().collect();
    let not_async = || {
        let at = tokens.first().map_or_else(Span::call_site, TokenTree::span);
        Mistake::new(
            at,
            "#[mazurka::test] needs an `async fn` without parameters",
        )
    };
    let is_async_fn =
        |at: &usize| is_ident(tokens.get(*at), "async") && is_ident(tokens.get(*at + 1), "fn");
    let at = (0..tokens.len()).find(is_async_fn).ok_or_else(not_async)?;
    let name = tokens.get(at + 2).ok_or_else(not_async)?;
    match tokens.get(at + 3) {
        Some(TokenTree::Group(group))
            if group.delimiter() == Delimiter::Parenthesis && group.stream().is_empty() => {}
        _ => return Err(not_async()),
    }
    let name: TokenStream = name.clone().into();
    // Attributes and visibility belong to the test; the rest is the program.
    let outside: TokenStream = tokens[..at].iter().cloned().collect();
    let program: TokenStream = tokens[at..].iter().cloned().collect();
    let path = join([
        code("::core::module_path!(), \"::\", ::core::stringify!"),
        parentheses(name.clone()),
    ]);
    let named = join([code("::core::concat!"), parentheses(path)]);
    let run = join([
        program,
        code("::mazurka::Check::new().name"),
        parentheses(named),
        settings,
        code(".run"),
        parentheses(name.clone()),
        code(";"),
    ]);
    Ok(join([
        code("#[::core::prelude::v1::test]"),
        outside,
        code("fn"),
        name,
        code("()"),
        braces(run),
    ]))
}

/// `name = value, flag` becomes `.name(value).flag(true)`.
fn read_settings(settings: TokenStream) -> Result<TokenStream, Mistake> {
    let tokens: Vec<TokenTree> = settings.into_iter().collect();
    let mut rest = &tokens[..];
    let mut calls = TokenStream::new();
    while let Some(name) = rest.first() {
        let end = comma(rest).unwrap_or(rest.len());
        let (setting, more) = (&rest[..end], rest.get(end + 1..).unwrap_or_default());
        let value = match &setting[1.min(setting.len())..] {
            [] if matches!(name, TokenTree::Ident(_)) => code("true"),
            [equals, value @ ..] if is_punct(Some(equals), '=') && !value.is_empty() => {
                value.iter().cloned().collect()
            }
            _ => {
                let what = "settings are `name = value` or `name`, separated by commas: \
                            #[mazurka::test(delivery = Delivery::Mailbox, keep_going)]";
                return Err(Mistake::new(name.span(), what));
            }
        };
        calls.extend(join([code("."), name.clone().into(), parentheses(value)]));
        rest = more;
    }
    Ok(calls)
}
