//! Writes the logs of errors to files. Each is written when its error is found, because a check may
//! be killed before it ends.

use crate::files::{FileError, Kind, Names, Outputs, make_directory};
use crate::options::CheckOptions;
use crate::subject::Subject;
use mazurka_engine::{Finding, Found};
use mazurka_trace::{Log, LoggedError, Trace};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::{Rc, Weak};

/// The logs of the errors of one check.
pub(crate) struct LogFiles<'c> {
    subject: &'c Subject,
    options: &'c CheckOptions,
    names: Names,
    numbers: BTreeMap<&'static str, u32>,
    written: HashMap<Finding, Written>,
    /// The first failure to write a log. No further logs are written after it.
    error: Option<FileError>,
}

/// A log that has been written.
struct Written {
    file: PathBuf,
    /// The execution of the log. A shorter one may be found later.
    trace: Weak<Trace>,
}

impl<'c> LogFiles<'c> {
    pub(crate) fn new(subject: &'c Subject, options: &'c CheckOptions) -> LogFiles<'c> {
        LogFiles {
            subject,
            options,
            names: Names::default(),
            numbers: BTreeMap::new(),
            written: HashMap::new(),
            error: None,
        }
    }

    /// Writes the log of an error, unless it has been written. Returns the file, if logs are written.
    pub(crate) fn write(&mut self, found: &Found) -> Option<PathBuf> {
        let directory = self.options.log_dir.as_ref()?;
        if let Some(written) = self.written.get(&found.finding)
            && written.trace.ptr_eq(&Rc::downgrade(&found.trace))
        {
            return Some(written.file.clone());
        }
        if self.error.is_some() {
            return None;
        }
        match self.write_to(directory, found) {
            Ok(file) => Some(file),
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }

    fn write_to(&mut self, directory: &Path, found: &Found) -> Result<PathBuf, FileError> {
        make_directory(directory)?;
        let file = match self.written.get(&found.finding) {
            Some(written) => written.file.clone(),
            None => self.new_file(directory, &found.finding),
        };
        let log = log_of(self.subject, self.options, found).to_json();
        Outputs::default().write(&file, Kind::Execution, &log)?;
        let written = Written {
            file: file.clone(),
            trace: Rc::downgrade(&found.trace),
        };
        self.written.insert(found.finding.clone(), written);
        Ok(file)
    }

    /// A file name that no other error of this check uses, and that is not the name of a file that
    /// Mazurka did not write.
    fn new_file(&mut self, directory: &Path, finding: &Finding) -> PathBuf {
        /// The maximum number of names tried. After that, writing fails and reports the reason.
        const TRIES_MAX: u32 = 1_000;
        let kind = finding.kind.name();
        let mut tries = 0;
        loop {
            let number = self.numbers.entry(kind).or_default();
            *number += 1;
            let stem = format!("{}-{kind}-{number}", self.subject.id);
            let file = self.names.json(directory, &stem);
            tries += 1;
            if tries == TRIES_MAX || Outputs::default().check(&file, Kind::Execution).is_ok() {
                return file;
            }
        }
    }

    /// Why logs could not be written.
    pub(crate) fn error(self) -> Option<FileError> {
        self.error
    }
}

/// The log of a finding. It is made from the trace when needed, because hundreds of errors may share
/// a trace.
pub(crate) fn log_of(subject: &Subject, options: &CheckOptions, found: &Found) -> Log {
    Log {
        program: Some(subject.id.clone()),
        params: subject.params.clone(),
        timeouts: Some(options.timeouts.to_string()),
        error: found.is_error.then(|| logged(&found.finding)),
        ..found.trace.log()
    }
}

fn logged(finding: &Finding) -> LoggedError {
    LoggedError {
        kind: finding.kind.to_string(),
        process: finding.process.as_str().into(),
        message: finding.message.clone(),
    }
}
