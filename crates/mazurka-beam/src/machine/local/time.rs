use crate::machine::native::{Local, Row};

pub(super) const TABLE: &[Row<Local>] = &[];
