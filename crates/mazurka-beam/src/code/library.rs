//! Where modules come from.

use std::path::PathBuf;

use super::shelves::Shelves;
use super::{Code, CodeError, prepare};
use crate::loader::Module;
use crate::term::{Atom, Zeros};

/// The release that built-in functions are modelled on.
const RELEASE: u32 = 25;

/// All modules, loaded when they are first asked for. What was asked for stays: a module that is
/// not there will never be.
pub struct Library {
    folders: Vec<PathBuf>,
    /// How many of the folders, from the first on, have the program's own code.
    own_folders: usize,
    release: u32,
    lists_names: bool,
    zeros: Zeros,
    modules: Shelves<Result<Code, Absent>>,
    nowhere: Code,
}

/// Why there is no such module.
#[derive(Debug, thiserror::Error)]
pub enum Absent {
    /// No folder has it.
    #[error("it is in no folder of the code path")]
    NotFound,
    /// It is there, and cannot be run.
    #[error(transparent)]
    Unusable(CodeError),
}

impl Library {
    /// The modules in these folders. The first folder that has a module wins.
    pub fn new(folders: impl IntoIterator<Item = PathBuf>) -> Library {
        let folders: Vec<PathBuf> = folders.into_iter().collect();
        Library {
            own_folders: folders.len(),
            folders,
            release: RELEASE,
            lists_names: false,
            zeros: Zeros::Same,
            modules: Shelves::new(),
            // No file can have this name.
            nowhere: Code::empty(Atom::new("\0nowhere")),
        }
    }

    /// Says how many of the folders, from the first on, have the program's own code. The others
    /// have the libraries that it uses.
    #[must_use]
    pub fn with_own_folders(mut self, own_folders: usize) -> Library {
        self.own_folders = own_folders;
        self
    }

    /// Says whether one of these modules asks for all registered names, so that somebody must know
    /// them all.
    #[must_use]
    pub fn for_modules<'m>(mut self, modules: impl IntoIterator<Item = &'m String>) -> Library {
        let asks = |code: &Code| {
            let mut imports = code.imports.iter().map(|slot| slot.mfa);
            imports.any(|mfa| mfa.module == Atom::ERLANG && mfa.name.name() == "registered")
        };
        let mut modules = modules.into_iter().map(|module| Atom::new(module));
        self.lists_names = modules.any(|module| self.code(module).is_ok_and(asks));
        self
    }

    /// Whether the program asks for all registered names.
    pub(crate) fn lists_names(&self) -> bool {
        self.lists_names
    }

    /// Says which release of OTP this is. It tells programs, what built-in functions answer, and
    /// whether `0.0 =:= -0.0`.
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

    /// Says whether `0.0 =:= -0.0`, which depends on the release.
    #[must_use]
    pub fn with_zeros(mut self, zeros: Zeros) -> Library {
        self.zeros = zeros;
        self
    }

    /// Whether `0.0 =:= -0.0`.
    pub fn zeros(&self) -> Zeros {
        self.zeros
    }

    /// Where a process is that has not called anything yet.
    pub(crate) fn nowhere(&self) -> &Code {
        &self.nowhere
    }

    /// The modules of the program itself that have been asked for.
    pub fn own(&self) -> impl Iterator<Item = &Code> {
        let found = self.modules.iter().filter_map(|found| found.as_ref().ok());
        found.filter(|code| code.is_own)
    }

    /// The code of a module.
    ///
    /// # Errors
    /// There is none.
    #[inline]
    pub fn code(&self, module: Atom) -> Result<&Code, &Absent> {
        match self.modules.get(module.index()) {
            Some(found) => found.as_ref(),
            None => self.load(module),
        }
    }

    /// Whether a module has been loaded already.
    pub fn has_loaded(&self, module: Atom) -> bool {
        matches!(self.modules.get(module.index()), Some(Ok(_)))
    }

    /// Puts a module there that is in no folder. It has no effect if the module has been asked for
    /// before.
    ///
    /// # Errors
    /// It cannot be run.
    pub fn add(&self, module: Module) -> Result<(), CodeError> {
        let mut code = prepare::prepare(module, self.release)?;
        code.is_own = true;
        self.modules.get_or_make(code.name.index(), || Ok(code));
        Ok(())
    }

    #[cold]
    fn load(&self, module: Atom) -> Result<&Code, &Absent> {
        let found = self
            .modules
            .get_or_make(module.index(), || self.find(module));
        found.as_ref()
    }

    fn find(&self, name: Atom) -> Result<Code, Absent> {
        // A name with a slash would lead out of the folder.
        if name.name().contains(['/', '\0']) {
            return Err(Absent::NotFound);
        }
        let file = format!("{}.beam", name.name());
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
            // Nobody asks for lines of libraries often enough to keep it.
            module.abstract_code = Vec::new();
        }
        let mut code = prepare::prepare(module, self.release).map_err(Absent::Unusable)?;
        code.is_own = is_own;
        Ok(code)
    }
}
