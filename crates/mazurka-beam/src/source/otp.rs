//! The user's installation of Erlang.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;

use super::SourceError;

/// An installation of Erlang/OTP.
#[derive(Clone, Debug)]
pub struct Otp {
    root: PathBuf,
}

/// The environment variable in which the user can name the installation to use.
const OURS: &str = "MAZURKA_OTP";
/// The environment variable in which Erlang's own scripts name their installation.
const THEIRS: &str = "ERL_ROOTDIR";

impl Otp {
    /// The installation named by `MAZURKA_OTP` or `ERL_ROOTDIR`, or else that of the first `erl` on
    /// the path.
    ///
    /// # Errors
    /// There is no installation, or a variable names a folder without one.
    pub fn find() -> Result<Otp, SourceError> {
        for variable in [OURS, THEIRS] {
            if let Some(root) = env::var_os(variable).filter(|root| !root.is_empty()) {
                return Otp::at(Path::new(&root)).map_err(|_| SourceError::NotOtp {
                    variable,
                    root: root.into(),
                });
            }
        }
        let erl = on_path("erl").ok_or(SourceError::NoErlang)?;
        let cache = Cache::of(&erl);
        let known = cache.as_ref().and_then(Cache::read);
        if let Some(otp) = known.and_then(|root| Otp::at(&root).ok()) {
            return Ok(otp);
        }
        let otp = Otp::at(&ask(&erl)?)?;
        if let Some(cache) = cache {
            cache.write(&otp.root);
        }
        Ok(otp)
    }

    /// The installation in this folder.
    ///
    /// # Errors
    /// The folder contains no installation.
    pub fn at(root: &Path) -> Result<Otp, SourceError> {
        if !root.join("lib").is_dir() {
            return Err(SourceError::NoErlang);
        }
        Ok(Otp {
            root: root.to_path_buf(),
        })
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Its release, such as 25.
    pub fn release(&self) -> Option<u32> {
        let releases = fs::read_dir(self.root.join("releases")).ok()?;
        let names = releases.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.filter_map(|name| name.parse().ok()).max()
    }

    /// The folders of its modules: one for each application, in its newest version, followed by the
    /// applications in `ERL_LIBS`.
    pub fn folders(&self) -> Vec<PathBuf> {
        let mut folders = applications(&self.root.join("lib"));
        if let Some(more) = env::var_os("ERL_LIBS") {
            folders.extend(env::split_paths(&more).flat_map(|lib| applications(&lib)));
        }
        folders
    }

    /// Its compiler.
    pub fn compiler(&self) -> PathBuf {
        let own = self.root.join("bin").join("erlc");
        if own.is_file() {
            return own;
        }
        on_path("erlc").unwrap_or(own)
    }
}

/// The `ebin` folders of all applications in a folder, each in its newest version.
fn applications(lib: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(lib).into_iter().flatten().flatten();
    let mut found: Vec<(String, Vec<u64>, PathBuf)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let folder = entry.path().join("ebin");
            let (name, version) = match name.split_once('-') {
                Some((name, version)) => (name, numbers(version)),
                None => (&name[..], Vec::new()),
            };
            folder.is_dir().then(|| (name.to_string(), version, folder))
        })
        .collect();
    found.sort_by(|one, other| one.0.cmp(&other.0).then(other.1.cmp(&one.1)));
    found.dedup_by(|one, other| one.0 == other.0);
    found.into_iter().map(|(_, _, folder)| folder).collect()
}

/// The numbers of a version, for comparison.
fn numbers(version: &str) -> Vec<u64> {
    version
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect()
}

/// The first file with this name in the folders of `PATH`.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// Runs `erl` to find its installation.
fn ask(erl: &Path) -> Result<PathBuf, SourceError> {
    let question = "io:put_chars(code:root_dir()), halt().";
    let output = Command::new(erl)
        .args(["-noshell", "-boot", "start_clean", "-eval", question])
        .output()
        .map_err(|error| SourceError::Unreadable {
            path: erl.to_path_buf(),
            error: error.into(),
        })?;
    let answer = String::from_utf8_lossy(&output.stdout);
    let root = answer.lines().next_back().unwrap_or_default().trim();
    if !output.status.success() || root.is_empty() {
        return Err(SourceError::ErlFailed {
            erl: erl.to_path_buf(),
            text: String::from_utf8_lossy(&output.stderr).into_owned(),
        });
    }
    Ok(root.into())
}

/// The maximum size of the cache file, in bytes. It has two lines.
const CACHE_MAX: u64 = 1 << 16;

/// A file that caches the installation folder of an `erl`, because starting `erl` takes longer than a
/// small check. If the cache cannot be used, `erl` is started again.
struct Cache {
    file: PathBuf,
    /// The path of the `erl` and its modification time.
    key: String,
}

impl Cache {
    fn of(erl: &Path) -> Option<Cache> {
        // A version manager uses the same shim for all versions.
        if erl.components().any(|part| part.as_os_str() == "shims") {
            return None;
        }
        let erl = erl.canonicalize().ok()?;
        let changed = fs::metadata(&erl).ok()?.modified().ok()?;
        let changed = changed.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".cache"));
        let folder = match env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty()) {
            Some(folder) => PathBuf::from(folder),
            None => home()?,
        };
        Some(Cache {
            file: folder.join("mazurka").join("otp"),
            key: format!("{} {changed}", erl.display()),
        })
    }

    fn read(&self) -> Option<PathBuf> {
        let text = mazurka_files::read_text(&self.file, CACHE_MAX).ok()?;
        let mut lines = text.lines();
        let known = lines.next()? == self.key;
        lines.next().filter(|_| known).map(PathBuf::from)
    }

    fn write(&self, root: &Path) {
        let Some(root) = root.to_str() else {
            return;
        };
        let text = format!("{}\n{root}\n", self.key);
        let folder = self.file.parent().unwrap_or(Path::new("."));
        // Renaming is atomic, so concurrent runs do not mix their lines.
        let mut name = OsString::from(&self.file);
        name.push(format!(".{}", std::process::id()));
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&name, text));
        if written
            .and_then(|()| fs::rename(&name, &self.file))
            .is_err()
        {
            let _ = fs::remove_file(&name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applications_have_their_newest_version() {
        let lib = tempfile::tempdir().expect("a folder");
        for name in [
            "stdlib-4.9",
            "stdlib-4.10",
            "kernel-8.5.3",
            "plain",
            "stdlib-4.2.1",
        ] {
            fs::create_dir_all(lib.path().join(name).join("ebin")).expect("a folder");
        }
        fs::create_dir_all(lib.path().join("empty-1.0")).expect("a folder");
        let found: Vec<String> = applications(lib.path())
            .iter()
            .map(|path| {
                let path = path.strip_prefix(lib.path()).expect("inside");
                path.display().to_string()
            })
            .collect();
        assert_eq!(
            found,
            ["kernel-8.5.3/ebin", "plain/ebin", "stdlib-4.10/ebin"]
        );
        assert!(applications(Path::new("/nowhere/at/all")).is_empty());
    }

    #[test]
    fn the_cache_is_valid_for_one_erl() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = |key: &str| Cache {
            file: folder.path().join("mazurka").join("otp"),
            key: key.to_string(),
        };
        assert_eq!(cache("one").read(), None);
        cache("one").write(Path::new("/opt/erlang"));
        assert_eq!(cache("one").read(), Some("/opt/erlang".into()));
        assert_eq!(cache("other").read(), None);
        let shim = Path::new("/home/me/.asdf/shims/erl");
        assert!(Cache::of(shim).is_none());
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        assert!(Otp::at(Path::new("/nowhere")).is_err());
    }
}
