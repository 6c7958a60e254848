//! The files that the logs of errors go to. Each is written when its error is found: a check may be
//! killed long before it ends.

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
    /// Why the first one that could not be written could not. The others are not tried.
    error: Option<FileError>,
}

/// A log that is in its file.
struct Written {
    file: PathBuf,
    /// The execution that it is of. A shorter one may be found later.
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

    /// Writes the log of an error, if it is not in its file yet. The file, if logs are written.
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

    /// A name that no other error of this check has, and no file that Mazurka did not write.
    fn new_file(&mut self, directory: &Path, finding: &Finding) -> PathBuf {
        /// Names that are tried; then the error of writing it says why not.
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

/// The log of something found. It is made of the trace when needed: hundreds of errors may share
/// one.
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
