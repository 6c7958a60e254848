//! Tables of Erlang terms: the data structure of `ets`, without processes.
//!
//! | module | content |
//! | --- | --- |
//! | `id` | table identifiers, which contain the type and the key position |
//! | `tree` | persistent search trees |
//! | `row` | the objects with one key, and the operations on them |
//! | `counter` | `update_counter` and `update_element` |
//! | `table` | tables, and the operations on all of their keys |
//! | `select` | searches with match specifications |
//! | `options` | the options of `ets:new/2` |
//! | `request` | what processes ask of tables |
//!
//! Tables of type `set`, `bag` and `duplicate_bag` are iterated in the order of their keys. The real
//! machine iterates them in the order of a hash, which no program may rely on.

mod counter;
mod id;
mod options;
mod request;
mod row;
mod select;
mod table;
mod tree;

pub(crate) use counter::elements;
pub use counter::{Increment, UpdateCounter};
pub use id::TableId;
pub use options::{Options, Protection};
pub use request::{Change, Request, What, normal_key};
pub use row::{KeyCall, Kind, Row, Shape};
pub use select::{Action, Search};
pub(crate) use select::{compiled, compiled_term};
pub(crate) use table::end_of_table;
pub use table::{Table, TableCall};
pub use tree::Direction;
