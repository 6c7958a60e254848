//! A check from its options to its report.
//!
//! The caller that starts a check, the `mazurka` command or a test, passes a [`Subject`], its
//! front-end and [`CheckOptions`], and gets an [`Outcome`] with text, JSON and exit code. So a report
//! reads the same everywhere; only the spelling of settings depends on the [`Voice`]. The caller also
//! implements a [`Host`], which shows progress, interrupts the check and adds details to errors.
//!
//! ```
//! use mazurka_engine::Kind;
//! use mazurka_report::{CheckOptions, Exit, Host, LogAt, Params, Subject, run};
//!
//! struct Quiet;
//!
//! impl Host for Quiet {
//!     fn replay_line(&self, _: &Subject, _: &CheckOptions, _: LogAt<'_>) -> Option<String> {
//!         None
//!     }
//! }
//!
//! let program = mazurka::Program::new(|| async {
//!     mazurka::receive::<u32>().await; // never sent
//! });
//! let subject = Subject::new("patience", Params::default());
//! let options = CheckOptions {
//!     expect: vec![Kind::Deadlock],
//!     ..CheckOptions::default()
//! };
//! let outcome = run(subject, program, &options, &mut Quiet)?;
//! assert_eq!(outcome.exit(), Exit::Fine);
//! assert!(outcome.to_text().starts_with("As expected: a deadlock"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod case;
mod diagnosis;
pub mod diagram;
mod dot;
mod drive;
mod exit;
pub mod files;
mod forecast;
mod github;
mod host;
mod html;
mod hunt;
mod json;
mod junit;
mod location;
mod logs;
pub mod memory;
mod models;
mod options;
mod options_error;
mod order;
mod outcome;
mod plan;
mod run;
mod sampling;
mod sarif;
mod setting;
mod stop;
mod subject;
pub mod text;
mod value;
mod verdict;
mod verify;
mod voice;
mod watch;
mod xml;

pub use dot::TREE_NODES_MAX;
pub use drive::{Along, Beyond, DriveFailure, DriveOutcome, Recurrence, Wrong, belongs_to, drive};
pub use exit::Exit;
pub use forecast::{Forecast, Forecaster};
pub use host::{Host, LogAt, replay_command, shell_word};
pub use html::html;
pub use json::REPORT_VERSION;
pub use junit::junit;
pub use mazurka_trace::Params;
pub use models::{Dependence, WithinOneNode, compare_models, differences};
pub use options::{CheckOptions, SETTINGS};
pub use options_error::OptionsError;
pub use outcome::{End, Hunted, Kept, Outcome, Recurs};
pub use plan::Plan;
pub use run::{engine_options, run};
pub use sarif::sarif;
pub use setting::{Setting, heading};
pub use stop::{StopAt, StopError};
pub use subject::Subject;
pub use value::{Value, on_off, seconds};
pub use verdict::Verdict;
pub use voice::{Voice, variable};
pub use watch::Stop;
