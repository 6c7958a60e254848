//! The code path of a program.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::compile::{SOURCE_MAX, compile, folder_of};
use super::eunit::compile_driver;
use super::{Otp, SourceError};
use crate::code::Library;

/// The code of a program: the folders that contain its modules.
#[derive(Debug)]
pub struct CodePath {
    /// The folders to search for modules. The first folder that has a module wins.
    pub folders: Vec<PathBuf>,
    /// The modules that the user named by module, file or folder.
    pub modules: Vec<String>,
    /// The sources that were compiled.
    pub sources: Vec<PathBuf>,
    /// Warnings of the compiler.
    pub warnings: String,
    /// The Erlang installation, or why there is none. Programs that use no OTP module do not need
    /// one.
    pub otp: Result<Otp, SourceError>,
    /// The number of folders, from the first on, that contain the program's own code.
    own_folders: usize,
    /// The compiled modules. The folders are deleted when this is dropped.
    compiled: Vec<TempDir>,
}

/// The files and modules found, before compilation.
#[derive(Default)]
struct Found {
    sources: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    modules: Vec<String>,
}

impl CodePath {
    /// Finds files, folders and modules. `paths` are folders to search before those of OTP, as with
    /// `-pa`.
    ///
    /// # Errors
    /// An input was not found or could not be compiled.
    pub fn find<S: AsRef<str>>(inputs: &[S], paths: &[PathBuf]) -> Result<CodePath, SourceError> {
        CodePath::find_with(inputs, paths, Otp::find())
    }

    /// As [`find`](CodePath::find), with a given Erlang installation.
    ///
    /// # Errors
    /// An input was not found or could not be compiled.
    pub fn find_with<S: AsRef<str>>(
        inputs: &[S],
        paths: &[PathBuf],
        otp: Result<Otp, SourceError>,
    ) -> Result<CodePath, SourceError> {
        let mut found = Found::default();
        let mut names = Vec::new();
        for input in inputs.iter().map(AsRef::as_ref) {
            let path = &mazurka_files::named(input);
            if path.is_dir() {
                found.folder(path)?;
            } else if path.exists() || has_kind(path, "erl") || has_kind(path, "beam") {
                found.file(path)?;
            } else {
                names.push(input.to_string());
            }
        }
        let mut path = CodePath {
            folders: Vec::new(),
            modules: found.modules,
            sources: found.sources,
            warnings: String::new(),
            otp,
            own_folders: 0,
            compiled: Vec::new(),
        };
        let folders = found.folders.iter().chain(paths);
        let folders: Vec<PathBuf> = folders.cloned().collect();
        if !path.sources.is_empty() {
            path.compile(&folders)?;
        }
        path.folders.extend(folders);
        path.own_folders = path.folders.len();
        if let Ok(otp) = &path.otp {
            path.folders.extend(otp.folders());
        }
        for name in names {
            path.add_module(name)?;
        }
        Ok(path)
    }

    fn compile(&mut self, paths: &[PathBuf]) -> Result<(), SourceError> {
        let compiler = self.compiler()?;
        let folder = new_folder()?;
        self.warnings = compile(&compiler, &self.sources, paths, folder.path())?;
        self.add_compiled(folder);
        Ok(())
    }

    /// Adds the module that runs EUnit's test generators.
    ///
    /// # Errors
    /// There is no compiler.
    pub fn add_eunit_driver(&mut self) -> Result<(), SourceError> {
        let compiler = self.compiler()?;
        let folder = new_folder()?;
        compile_driver(&compiler, folder.path())?;
        self.add_compiled(folder);
        Ok(())
    }

    fn compiler(&mut self) -> Result<PathBuf, SourceError> {
        match &self.otp {
            Ok(otp) => Ok(otp.compiler()),
            Err(_) => {
                // The error is returned instead of the code path, so it can be moved out.
                let unknown = Err(SourceError::NoErlang);
                std::mem::replace(&mut self.otp, unknown).map(|otp| otp.compiler())
            }
        }
    }

    fn add_compiled(&mut self, folder: TempDir) {
        self.folders.push(folder.path().to_path_buf());
        self.compiled.push(folder);
    }

    /// Adds an input that is not a file: it must be a module.
    fn add_module(&mut self, name: String) -> Result<(), SourceError> {
        if self.contains(&name) {
            self.modules.push(name);
            return Ok(());
        }
        let unknown = Err(SourceError::NoErlang);
        match std::mem::replace(&mut self.otp, unknown) {
            Ok(_) => Err(SourceError::NotFound { name }),
            Err(cause) => {
                let cause = Box::new(cause);
                Err(SourceError::NotFoundWithoutOtp { name, cause })
            }
        }
    }

    /// The library of all modules. It reads modules when they are first used, so keep this value,
    /// which owns the compiled files, as long as the library.
    pub fn library(&self) -> Library {
        let library = Library::new(self.folders.iter().cloned()).with_own_folders(self.own_folders);
        match self.otp.as_ref().ok().and_then(Otp::release) {
            Some(release) => library.with_release(release),
            None => library,
        }
    }

    /// Whether there is a module with this name.
    pub fn contains(&self, module: &str) -> bool {
        // A name with a slash would lead out of the folder.
        if module.contains(['/', '\\', '\0']) {
            return false;
        }
        let file = format!("{module}.beam");
        self.folders
            .iter()
            .any(|folder| folder.join(&file).is_file())
    }
}

impl Found {
    fn file(&mut self, file: &Path) -> Result<(), SourceError> {
        check_readable(file)?;
        if has_kind(file, "erl") {
            self.sources.push(file.to_path_buf());
        } else if !has_kind(file, "beam") {
            return Err(SourceError::UnknownKind(file.to_path_buf()));
        }
        self.modules.extend(module_of(file));
        self.add_folder(folder_of(file));
        Ok(())
    }

    fn folder(&mut self, folder: &Path) -> Result<(), SourceError> {
        let mut found = self.files(folder)?;
        if !found {
            // The root of an application.
            for part in ["src", "ebin"] {
                let part = folder.join(part);
                found |= part.is_dir() && self.files(&part)?;
            }
        }
        match found {
            true => Ok(()),
            false => Err(SourceError::EmptyFolder(folder.to_path_buf())),
        }
    }

    /// Adds the files directly in a folder. Returns whether there are any.
    fn files(&mut self, folder: &Path) -> Result<bool, SourceError> {
        let unreadable = |error: std::io::Error| SourceError::Unreadable {
            path: folder.to_path_buf(),
            error: error.into(),
        };
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            let is_code = has_kind(&file, "erl") || has_kind(&file, "beam");
            if is_code && !is_hidden(&file) {
                check_readable(&file)?;
                files.push(file);
            }
        }
        // The operating system returns them in an unspecified order.
        files.sort();
        let mut modules = Vec::new();
        for file in &files {
            if has_kind(file, "erl") && is_newer(file, &file.with_extension("beam")) {
                self.sources.push(file.clone());
            }
            modules.extend(module_of(file));
        }
        modules.dedup();
        let found = !modules.is_empty();
        self.modules.extend(modules);
        if found {
            self.add_folder(folder.to_path_buf());
        }
        Ok(found)
    }

    fn add_folder(&mut self, folder: PathBuf) {
        if !self.folders.contains(&folder) {
            self.folders.push(folder);
        }
    }
}

fn new_folder() -> Result<TempDir, SourceError> {
    let folder = tempfile::Builder::new().prefix("mazurka-").tempdir();
    folder.map_err(|error| SourceError::Unreadable {
        path: std::env::temp_dir(),
        error: error.into(),
    })
}

fn has_kind(file: &Path, kind: &str) -> bool {
    file.extension().is_some_and(|found| found == kind)
}

/// Checks that it is a regular, readable file: a device may have no end, and a pipe may block.
fn check_readable(file: &Path) -> Result<(), SourceError> {
    mazurka_files::look(file, SOURCE_MAX).map_err(|error| SourceError::Unreadable {
        path: file.to_path_buf(),
        error,
    })
}

/// Whether it is a hidden file, such as an editor's backup.
fn is_hidden(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".")
}

fn module_of(file: &Path) -> Option<String> {
    Some(file.file_stem()?.to_str()?.to_string())
}

/// Whether a source is newer than its compiled file, or has none.
fn is_newer(source: &Path, compiled: &Path) -> bool {
    let changed = |file: &Path| fs::metadata(file).and_then(|data| data.modified()).ok();
    changed(source) > changed(compiled)
}
