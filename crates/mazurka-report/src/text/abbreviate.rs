//! Shortens values: the least informative parts are removed first, the tag of a message last.
//!
//! A value is text, written as Erlang terms or as Rust's `Debug` writes it. Both nest by brackets,
//! so a value is read as a tree of groups: `{lookup, {P.3, #Ref}, k}`, `Withdraw { amount: 5 }`.

/// Longer values are cut before they are read.
const LENGTH_MAX: usize = 4_000;

/// The value in `width` columns: references without their numbers, then the deepest groups
/// without the items after their first one, and finally cut at the end.
#[must_use]
pub fn abbreviate(value: &str, width: usize) -> String {
    let value = without_numbers(&super::shorten(value, LENGTH_MAX));
    if columns(&value) <= width {
        return value;
    }
    let mut tree = Group::parse(&value);
    for depth in (1..=tree.depth()).rev() {
        while tree.columns() > width && tree.close_widest(depth) {}
    }
    let text = tree.to_string();
    match columns(&text) <= width {
        true => text,
        false => super::shorten(&text, width),
    }
}

fn columns(text: &str) -> usize {
    text.chars().count()
}

/// `#Ref<P.2-1>` as `#Ref`, `#Fun<m.0.123>` as `#Fun`, `[alias | #Ref]` as `#Ref`.
fn without_numbers(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest
        .find("#Ref<")
        .into_iter()
        .chain(rest.find("#Fun<"))
        .min()
    {
        let Some(end) = rest[at..].find('>') else {
            break;
        };
        text.push_str(&rest[..at + 4]);
        rest = &rest[at + end + 1..];
    }
    text.push_str(rest);
    text.replace("[alias | #Ref]", "#Ref")
}

/// A bracketed part of a value, or all of it.
struct Group {
    open: &'static str,
    items: Vec<Item>,
    close: &'static str,
    is_closed: bool,
}

enum Item {
    Text(String),
    Group(Group),
}

const BRACKETS: [(&str, &str); 4] = [("{", "}"), ("[", "]"), ("(", ")"), ("<<", ">>")];

impl Group {
    fn new(open: &'static str, close: &'static str) -> Group {
        Group {
            open,
            items: Vec::new(),
            close,
            is_closed: false,
        }
    }

    fn parse(value: &str) -> Group {
        let mut stack = vec![Group::new("", "")];
        let mut text = String::new();
        let mut rest = value;
        while let Some(next) = rest.chars().next() {
            let innermost = stack.last_mut().expect("the whole value is a group");
            if next == '"' {
                let end = end_of_string(rest);
                text.push_str(&rest[..end]);
                rest = &rest[end..];
                continue;
            }
            if let Some((open, close)) = BRACKETS.iter().find(|(open, _)| rest.starts_with(open)) {
                innermost.push_text(&mut text);
                stack.push(Group::new(open, close));
                rest = &rest[open.len()..];
                continue;
            }
            if !innermost.close.is_empty() && rest.starts_with(innermost.close) {
                innermost.push_text(&mut text);
                rest = &rest[innermost.close.len()..];
                let done = stack.pop().expect("it was looked at");
                let parent = stack
                    .last_mut()
                    .expect("only the whole value has no parent");
                parent.items.push(Item::Group(done));
                continue;
            }
            text.push(next);
            rest = &rest[next.len_utf8()..];
        }
        // Brackets that are not closed are text.
        while stack.len() > 1 {
            let open = stack.pop().expect("there is more than one");
            let parent = stack.last_mut().expect("there was more than one");
            parent.items.push(Item::Text(open.open.to_owned()));
            parent.items.extend(open.items);
        }
        let mut whole = stack.pop().expect("the whole value");
        whole.push_text(&mut text);
        whole
    }

    fn push_text(&mut self, text: &mut String) {
        if !text.is_empty() {
            self.items.push(Item::Text(std::mem::take(text)));
        }
    }

    fn groups(&mut self) -> impl Iterator<Item = &mut Group> {
        self.items.iter_mut().filter_map(|item| match item {
            Item::Group(group) => Some(group),
            Item::Text(_) => None,
        })
    }

    fn depth(&self) -> usize {
        let depths = self.items.iter().map(|item| match item {
            Item::Group(group) => 1 + group.depth(),
            Item::Text(_) => 0,
        });
        depths.max().unwrap_or(0)
    }

    /// Closes the widest group at this depth. Returns whether there was one to close.
    fn close_widest(&mut self, depth: usize) -> bool {
        let Some(widest) = self.widest(depth) else {
            return false;
        };
        widest.is_closed = true;
        true
    }

    fn widest(&mut self, depth: usize) -> Option<&mut Group> {
        if depth == 0 {
            let gains = !self.is_closed && columns(&self.closed()) < self.columns();
            return gains.then_some(self);
        }
        self.groups()
            .filter_map(|group| group.widest(depth - 1))
            .max_by_key(|group| group.columns())
    }

    fn columns(&self) -> usize {
        columns(&self.to_string())
    }

    /// `{tag, …}`: the first item, if it is text, and an ellipsis.
    fn closed(&self) -> String {
        let first = match self.items.first() {
            Some(Item::Text(text)) => text.split_inclusive(", ").next().unwrap_or_default(),
            _ => "",
        };
        let first = match first.contains("=>") || columns(first) > 24 {
            true => "",
            false => first,
        };
        format!("{}{first}…{}", self.open, self.close)
    }
}

impl std::fmt::Display for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_closed {
            return f.write_str(&self.closed());
        }
        f.write_str(self.open)?;
        for item in &self.items {
            match item {
                Item::Text(text) => f.write_str(text)?,
                Item::Group(group) => group.fmt(f)?,
            }
        }
        f.write_str(self.close)
    }
}

/// The end of the string literal at the start of a text.
fn end_of_string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_stays() {
        let check = |value, width, expected| assert_eq!(abbreviate(value, width), expected);
        check("{lookup, k}", 20, "{lookup, k}");
        check(
            "{'$gen_call', {P.3, [alias | #Ref<P.3-2>]}, {lookup, k}}",
            80,
            "{'$gen_call', {P.3, #Ref}, {lookup, k}}",
        );
        check(
            "{call, {P.3, #Ref<P.3-2>}, {insert, key, [1, 2, 3, 4, 5]}}",
            46,
            "{call, {P.3, #Ref}, {insert, key, [1, …]}}",
        );
        check(
            "{call, {P.3, #Ref<P.3-2>}, {insert, key, [1, 2, 3, 4, 5]}}",
            36,
            "{call, {P.3, #Ref}, {insert, …}}",
        );
        check(
            "{call, {P.3, #Ref<P.3-2>}, {insert, key, [1, 2, 3, 4, 5]}}",
            20,
            "{call, …}",
        );
        check(
            "Withdraw { account: 5, amount: 1000 }",
            25,
            "Withdraw { account: 5, …}",
        );
        check("#{a => 1, b => 2}", 9, "#{…}");
        check("no brackets at all", 8, "no brac…");
        check("{open, [1, 2", 8, "{open, …");
        check(
            "\"a ] in a } string\" {b, c, d}",
            26,
            "\"a ] in a } string\" {b, …}",
        );
        check("<<\"binary\">>", 12, "<<\"binary\">>");
        check("}{)(", 2, "}…");
    }
}
