//! Settings that are given by name.

/// Finds the one of `all` that has this name.
///
/// # Errors
/// There is none; the text lists all names.
///
/// # Panics
/// If `all` is empty.
pub fn by_name<T: Copy>(
    what: &str,
    text: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, String> {
    let found = all.iter().copied().find(|&one| name(one) == text);
    found.ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|&one| name(one)).collect();
        let (last, others) = names.split_last().expect("there is something to choose");
        format!(
            "unknown {what} `{text}`: use {} or {last}",
            others.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use crate::Kind;

    #[test]
    fn names_read_back() {
        for kind in Kind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
    }

    #[test]
    fn errors_list_what_there_is() {
        assert_eq!(
            "dead letter".parse::<Kind>().unwrap_err(),
            "unknown kind of error `dead letter`: use crash, assertion, deadlock, stuck, orphan, \
             dead-letter or depth-bound"
        );
    }
}
