//! `receive!`

use crate::arms::{self, Arm, Arms, Head};
use crate::tokens::{Mistake, braces, code, join, parentheses};
use proc_macro::{Literal, TokenStream, TokenTree};

/// ```text
/// {
///     let __received = {
///         let __takes = |__message: &Incoming| -> bool { …try each pattern… };
///         receive_pure(__takes, "patterns", time).await
///     };
///     match __received {
///         Some(__message) => …run the code of the first pattern that matches…,
///         None => …the code of `after`…,
///     }
/// }
/// ```
pub fn expand(input: TokenStream) -> Result<TokenStream, Mistake> {
    let Arms { arms, after } = arms::read(input)?;
    let guarded = arms.iter().any(|arm| arm.guard.is_some());
    let text: Vec<&str> = arms.iter().map(|arm| arm.text.as_str()).collect();
    let text = Literal::string(&text.join("; "));
    let (time, when_over) = match after {
        Some((time, body)) => {
            let time = join([code("::core::option::Option::Some"), parentheses(time)]);
            (time, body)
        }
        None => (
            code("::core::option::Option::None"),
            code("::mazurka::private::no_clause()"),
        ),
    };
    let wait = match guarded {
        true => "::mazurka::private::receive_guarded",
        false => "::mazurka::private::receive_pure",
    };
    let takes = match guarded {
        true => "&__takes,",
        false => "__takes,",
    };
    let arguments = join([
        code(takes),
        code("||"),
        TokenTree::Literal(text).into(),
        code(","),
        time,
    ]);
    let received = join([
        code(
            "#[allow(unused, unreachable_patterns, clippy::all)]
             let __takes = |__message: &::mazurka::private::Incoming| -> bool",
        ),
        braces(join(arms.iter().map(matches_arm).chain([code("false")]))),
        code(";"),
        code(wait),
        parentheses(arguments),
        code(".await"),
    ]);
    let mut chosen = code("::mazurka::private::no_clause()");
    for arm in arms.into_iter().rev() {
        chosen = or_else(arm, chosen);
    }
    let code = join([
        code("let __received ="),
        braces(received),
        code("; match __received"),
        braces(join([
            code("::core::option::Option::Some(__message) =>"),
            braces(chosen),
            code(", ::core::option::Option::None =>"),
            braces(when_over),
        ])),
    ]);
    Ok(braces(code))
}

/// `match <message> { <pattern> if <guard> => return true, _ => {} }`
fn matches_arm(arm: &Arm) -> TokenStream {
    let (scrutinee, pattern) = scrutinee(&arm.head);
    join([
        code("match"),
        scrutinee,
        braces(join([
            pattern,
            guard(arm.guard.clone()),
            code("=> return true, _ => {}"),
        ])),
    ])
}

/// `match <message> { <pattern> if <guard> => <body>, _ => <otherwise> }`
fn or_else(arm: Arm, otherwise: TokenStream) -> TokenStream {
    let (scrutinee, pattern) = scrutinee(&arm.head);
    join([
        code("match"),
        scrutinee,
        braces(join([
            pattern,
            guard(arm.guard),
            code("=>"),
            braces(arm.body),
            code(", #[allow(unreachable_patterns)] _ =>"),
            braces(otherwise),
        ])),
    ])
}

fn scrutinee(head: &Head) -> (TokenStream, TokenStream) {
    let some =
        |pattern: TokenStream| join([code("::core::option::Option::Some"), parentheses(pattern)]);
    match head {
        Head::Anything => (code("()"), code("()")),
        Head::Pattern(pattern) => (code("__message.get()"), some(pattern.clone())),
        Head::Typed(name, of_type) => (
            join([code("__message.get::<"), of_type.clone(), code(">()")]),
            some(name.clone()),
        ),
    }
}

fn guard(guard: Option<TokenStream>) -> TokenStream {
    match guard {
        Some(guard) => join([code("if"), guard]),
        None => TokenStream::new(),
    }
}
