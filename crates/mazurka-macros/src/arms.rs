//! The arms of a `receive!`: `pattern if guard => body`.

use crate::tokens::{Mistake, comma, is_arrow, is_ident, is_joint, is_punct};
use proc_macro::{Delimiter, Span, TokenStream, TokenTree};

/// The part of an arm before the arrow.
pub enum Head {
    /// `_`
    Anything,
    /// A pattern whose type the compiler can infer.
    Pattern(TokenStream),
    /// `name: Type`, or another pattern with an explicit type.
    Typed(TokenStream, TokenStream),
}

pub struct Arm {
    pub head: Head,
    pub guard: Option<TokenStream>,
    pub body: TokenStream,
    /// The source text of pattern and guard.
    pub text: String,
}

pub struct Arms {
    pub arms: Vec<Arm>,
    /// The timeout and its code.
    pub after: Option<(TokenStream, TokenStream)>,
}

/// Parses all arms.
pub fn read(input: TokenStream) -> Result<Arms, Mistake> {
    let tokens: Vec<TokenTree> = input.into_iter().collect();
    let mut rest = &tokens[..];
    let mut arms = Arms {
        arms: Vec::new(),
        after: None,
    };
    while let Some(first) = rest.first() {
        let here = first.span();
        if arms.after.is_some() {
            let what = "`after` must be the last arm of a receive!";
            return Err(Mistake::new(here, what));
        }
        let arrow = (0..rest.len()).find(|&at| is_arrow(&rest[at..]));
        let Some(arrow) = arrow else {
            let what = "an arm of a receive! is `pattern => code`, or `pattern if guard => code`, \
                        or `after time => code`: `=>` is missing here";
            return Err(Mistake::new(here, what));
        };
        let head = &rest[..arrow];
        let (body, after_body) = body(&rest[arrow + 2..], rest[arrow].span())?;
        rest = after_body;
        match is_ident(head.first(), "after") {
            true if head.len() == 1 => {
                let what = "`after` needs a duration: `after Duration::from_millis(500) => …`";
                return Err(Mistake::new(here, what));
            }
            true => arms.after = Some((stream(&head[1..]), body)),
            false => arms.arms.push(arm(head, body, here)?),
        }
    }
    if arms.arms.is_empty() && arms.after.is_none() {
        let what = "a receive! needs an arm: `pattern => code`";
        return Err(Mistake::new(Span::call_site(), what));
    }
    Ok(arms)
}

fn arm(head: &[TokenTree], body: TokenStream, here: Span) -> Result<Arm, Mistake> {
    let upto = head.iter().position(|token| is_ident(Some(token), "if"));
    let (pattern, guard) = match upto {
        Some(at) => (&head[..at], Some(stream(&head[at + 1..]))),
        None => (head, None),
    };
    if pattern.is_empty() {
        return Err(Mistake::new(here, "an arm of a receive! needs a pattern"));
    }
    Ok(Arm {
        text: stream(head)
            .to_string()
            .replace(" :: ", "::")
            .replace(" : ", ": ")
            .replace("! ", "!"),
        head: read_head(pattern)?,
        guard,
        body,
    })
}

fn read_head(pattern: &[TokenTree]) -> Result<Head, Mistake> {
    if pattern.len() == 1 && is_ident(pattern.first(), "_") {
        return Ok(Head::Anything);
    }
    let colon = (0..pattern.len()).find(|&at| is_lone_colon(pattern, at));
    if let Some(colon) = colon.filter(|&colon| colon > 0) {
        let (name, of_type) = (&pattern[..colon], &pattern[colon + 1..]);
        if of_type.is_empty() {
            let what = "a type must follow the `:`";
            return Err(Mistake::new(pattern[colon].span(), what));
        }
        return Ok(Head::Typed(stream(name), stream(of_type)));
    }
    // `mut count` is also a name.
    let name = match pattern {
        [TokenTree::Ident(name)] => Some(name),
        [first, TokenTree::Ident(name)] if is_ident(Some(first), "mut") => Some(name),
        _ => None,
    };
    let is_variable = |name: &str| name.starts_with(|c: char| c.is_lowercase() || c == '_');
    match name.map(|name| (name, name.to_string())) {
        Some((ident, name)) if is_variable(&name) && name != "true" && name != "false" => {
            let what = format!(
                "which type of message is `{name}`? Write `{name}: Type`, or `_` for any message"
            );
            Err(Mistake::new(ident.span(), what))
        }
        _ => Ok(Head::Pattern(stream(pattern))),
    }
}

/// Whether this is a `:` that is not part of a `::`.
fn is_lone_colon(tokens: &[TokenTree], at: usize) -> bool {
    let is_second = at > 0 && is_joint(tokens.get(at - 1), ':');
    is_punct(tokens.get(at), ':') && !is_joint(tokens.get(at), ':') && !is_second
}

/// The code of an arm, and the tokens after it.
fn body(tokens: &[TokenTree], arrow: Span) -> Result<(TokenStream, &[TokenTree]), Mistake> {
    let Some(first) = tokens.first() else {
        return Err(Mistake::new(arrow, "code must follow the `=>`"));
    };
    let is_block =
        matches!(first, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    if is_block && !is_punct(tokens.get(1), '.') && !is_punct(tokens.get(1), '?') {
        let rest = &tokens[1..];
        let rest = match is_punct(rest.first(), ',') {
            true => &rest[1..],
            false => rest,
        };
        return Ok((first.clone().into(), rest));
    }
    let end = comma(tokens).unwrap_or(tokens.len());
    if end == 0 {
        return Err(Mistake::new(arrow, "code must follow the `=>`"));
    }
    if let Some(at) = (0..end).find(|&at| is_arrow(&tokens[at..])) {
        let what = "a `,` is missing before this arm: only code in braces can omit it";
        return Err(Mistake::new(tokens[at].span(), what));
    }
    let rest = tokens.get(end + 1..).unwrap_or_default();
    Ok((stream(&tokens[..end]), rest))
}

fn stream(tokens: &[TokenTree]) -> TokenStream {
    tokens.iter().cloned().collect()
}
