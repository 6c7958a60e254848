//! The modules of a program, loaded on demand.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use super::applications::Applications;
use super::{Address, Code, CodeError, prepare};
use crate::blocks::Blocks;
use crate::clocks::Clocks;
use crate::loader::Module;
use crate::term::{Atom, Term, Zeros};

/// The default OTP release.
const RELEASE: u32 = 25;

/// All modules of a program, loaded on first use. Results of loading are kept: a module that is
/// missing stays missing.
pub struct Library {
    folders: Vec<PathBuf>,
    /// The number of folders, from the first, that contain the program's own code.
    own_folders: usize,
    release: u32,
    clocks: Clocks,
    clock_was_read: AtomicBool,
    zeros: Zeros,
    modules: Blocks<Result<Code, Absent>>,
    applications: Applications,
    nowhere: Code,
}

/// The reason why a module is not available.
#[derive(Debug, thiserror::Error)]
pub enum Absent {
    /// No folder contains it.
    #[error("no folder of the code path contains it")]
    NotFound,
    /// It exists but cannot be run.
    #[error(transparent)]
    Unusable(CodeError),
}

impl Library {
    /// The modules in these folders. If several contain a module, the first one is used.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Library {
        let folders: Vec<PathBuf> = folders.into_iter().collect();
        Library {
            own_folders: folders.len(),
            folders,
            release: RELEASE,
            clocks: Clocks::default(),
            clock_was_read: AtomicBool::new(false),
            zeros: Zeros::Same,
            modules: Blocks::new(),
            applications: Applications::default(),
            // No file can have this name, so it is not the name of a module.
            nowhere: Code::empty(Atom::new("\0nowhere")),
        }
    }

    /// The same modules, of which none is loaded yet. Modules that were added are missing.
    pub(crate) fn unloaded(&self) -> Library {
        Library::new(self.folders.iter().cloned())
            .with_own_folders(self.own_folders)
            .with_release(self.release)
            .with_zeros(self.zeros)
    }

    /// Whether a folder of the program's own code contains this module.
    pub(crate) fn has_own(&self, module: Atom) -> bool {
        let own = self.folders.iter().take(self.own_folders);
        let mut paths = own.filter_map(|folder| Some(folder.join(file_of(module)?)));
        paths.any(|path| path.is_file())
    }

    /// Sets the number of folders, from the first, that contain the program's own code. The others
    /// contain libraries.
    #[must_use]
    pub fn with_own_folders(mut self, own_folders: usize) -> Library {
        self.own_folders = own_folders;
        self
    }

    /// Sets which clocks processes read.
    #[must_use]
    pub fn with_clocks(self, clocks: Clocks) -> Library {
        Library { clocks, ..self }
    }

    /// Which clocks processes read.
    pub fn clocks(&self) -> Clocks {
        self.clocks
    }

    /// Records that a process reads a clock.
    pub(crate) fn note_clock_reading(&self) {
        self.clock_was_read.store(true, Ordering::Relaxed);
    }

    /// Whether a process has read a clock.
    pub fn clock_was_read(&self) -> bool {
        self.clock_was_read.load(Ordering::Relaxed)
    }

    /// Sets the OTP release. Programs can ask for it; it determines the versions of built-in
    /// functions and whether `0.0 =:= -0.0`.
    #[must_use]
    pub fn with_release(self, release: u32) -> Library {
        let zeros = match release {
            ..27 => Zeros::Same,
            27.. => Zeros::Differ,
        };
        Library { release, ..self }.with_zeros(zeros)
    }

    /// The release of OTP.
    pub fn release(&self) -> u32 {
        self.release
    }

    /// Sets whether `0.0 =:= -0.0`, which depends on the release.
    #[must_use]
    pub fn with_zeros(mut self, zeros: Zeros) -> Library {
        self.zeros = zeros;
        self
    }

    /// Whether `0.0 =:= -0.0`.
    pub fn zeros(&self) -> Zeros {
        self.zeros
    }

    /// The place of what a process does that has left all its functions.
    pub(crate) fn nowhere_at(&self) -> Address {
        Address {
            module: self.nowhere.name,
            pc: 0,
        }
    }

    /// The code of a process that has not called any function yet.
    pub(crate) fn nowhere(&self) -> &Code {
        &self.nowhere
    }

    /// The modules of the program itself that have been loaded.
    pub fn own(&self) -> impl Iterator<Item = &Code> {
        let found = self.modules.iter().filter_map(|found| found.as_ref().ok());
        found.filter(|code| code.is_own)
    }

    /// The code of a module.
    ///
    /// # Errors
    /// The module is not available.
    #[inline]
    pub fn code(&self, module: Atom) -> Result<&Code, &Absent> {
        match self.modules.get(module.index()) {
            Some(found) => found.as_ref(),
            None => self.load(module),
        }
    }

    /// The properties in the `.app` file of an application, if the code path has one.
    pub(crate) fn application(&self, name: Atom) -> Option<Term> {
        self.applications.properties(name, &self.folders)
    }

    /// Whether a module has been loaded already.
    pub fn has_loaded(&self, module: Atom) -> bool {
        matches!(self.modules.get(module.index()), Some(Ok(_)))
    }

    /// Adds a module that is not in a folder. This has no effect if a module with this name has
    /// been looked up before.
    ///
    /// # Errors
    /// The module cannot be run.
    pub fn add(&self, module: Module) -> Result<(), CodeError> {
        let mut code = prepare::prepare(module, self.release)?;
        code.is_own = true;
        self.modules.get_or_init(code.name.index(), || Ok(code));
        Ok(())
    }

    #[cold]
    fn load(&self, module: Atom) -> Result<&Code, &Absent> {
        let found = self
            .modules
            .get_or_init(module.index(), || self.find(module));
        found.as_ref()
    }

    fn find(&self, name: Atom) -> Result<Code, Absent> {
        let Some(file) = file_of(name) else {
            return Err(Absent::NotFound);
        };
        let paths = self.folders.iter().map(|folder| folder.join(&file));
        let Some((at, path)) = paths.enumerate().find(|(_, path)| path.is_file()) else {
            return Err(Absent::NotFound);
        };
        let mut module = Module::load(&path).map_err(|error| Absent::Unusable(error.into()))?;
        if module.name != name {
            return Err(Absent::Unusable(CodeError::Misnamed {
                file: mazurka_files::shown(&path),
                found: module.name.name().to_string(),
            }));
        }
        let is_own = at < self.own_folders;
        if !is_own {
            // The lines of libraries are needed too seldom to keep the abstract code in memory.
            module.abstract_code = Vec::new();
        }
        let mut code = prepare::prepare(module, self.release).map_err(Absent::Unusable)?;
        code.is_own = is_own;
        Ok(code)
    }
}

/// The name of a module's file. A name with a slash would refer to another folder.
fn file_of(module: Atom) -> Option<String> {
    let name = module.name();
    (!name.contains(['/', '\0'])).then(|| format!("{name}.beam"))
}
