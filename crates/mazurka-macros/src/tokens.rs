//! Helpers for tokens.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// A mistake in the macro's input, with its position.
pub struct Mistake {
    pub at: Span,
    pub what: String,
}

impl Mistake {
    pub fn new(at: Span, what: impl Into<String>) -> Self {
        Mistake {
            at,
            what: what.into(),
        }
    }

    /// A call of `compile_error!` at that position.
    pub fn into_tokens(self) -> TokenStream {
        let mut message = Literal::string(&self.what);
        message.set_span(self.at);
        let tokens = [
            TokenTree::Ident(Ident::new("compile_error", self.at)),
            TokenTree::Punct(Punct::new('!', Spacing::Alone)),
            TokenTree::Group(Group::new(
                Delimiter::Brace,
                TokenTree::Literal(message).into(),
            )),
        ];
        let with_span = |mut token: TokenTree| {
            token.set_span(self.at);
            token
        };
        tokens.into_iter().map(with_span).collect()
    }
}

/// Parses code of this crate.
pub fn code(text: &str) -> TokenStream {
    text.parse().expect("our own code is well-formed")
}

/// Concatenates token streams.
pub fn join(parts: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    parts.into_iter().collect()
}

/// `{ … }`
pub fn braces(inner: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::Brace, inner)).into()
}

/// `( … )`
pub fn parentheses(inner: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(Delimiter::Parenthesis, inner)).into()
}

pub fn is_ident(token: Option<&TokenTree>, name: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident.to_string() == name)
}

pub fn is_punct(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// Whether the tokens start with `=>`.
pub fn is_arrow(tokens: &[TokenTree]) -> bool {
    is_joint(tokens.first(), '=') && is_punct(tokens.get(1), '>')
}

/// Whether the token is this mark and joint with the next token.
pub fn is_joint(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct))
        if punct.as_char() == mark && punct.spacing() == Spacing::Joint)
}

/// The position of the first comma outside of the angle brackets of a `::<A, B>`.
pub fn comma(tokens: &[TokenTree]) -> Option<usize> {
    let mut angles = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Punct(punct) = token else {
            continue;
        };
        let after = |mark| at > 0 && is_punct(tokens.get(at - 1), mark);
        match punct.as_char() {
            '<' if angles > 0 || (at > 1 && after(':') && is_punct(tokens.get(at - 2), ':')) => {
                angles += 1;
            }
            '>' if angles > 0 && !after('-') && !after('=') => angles -= 1,
            ',' if angles == 0 => return Some(at),
            _ => {}
        }
    }
    None
}
