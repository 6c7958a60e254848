//! Settings that are given by their names.

/// The one of `all` that has this name, or words that list what there is.
pub(crate) fn by_name<T: Copy>(
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
    use crate::{Algorithm, Kind, Order};

    #[test]
    fn names_read_back() {
        for kind in Kind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
        }
        for order in Order::ALL {
            assert_eq!(order.to_string().parse(), Ok(order));
        }
    }

    #[test]
    fn errors_list_what_there_is() {
        assert_eq!(
            "lifo".parse::<Order>().unwrap_err(),
            "unknown order `lifo`: use fifo, eca or lca"
        );
        assert_eq!(
            "dead letter".parse::<Kind>().unwrap_err(),
            "unknown kind of error `dead letter`: use crash, assertion, deadlock, stuck, orphan, \
             dead-letter or depth-bound"
        );
    }
}
