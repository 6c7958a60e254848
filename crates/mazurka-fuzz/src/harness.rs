//! Runs many inputs on one target. It catches panics, and a second thread enforces the time limit.

use crate::{Answer, Random, Target};
use std::cell::RefCell;
use std::fmt;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The limit on the processor time for one input.
pub const TIME_MAX: Duration = Duration::from_secs(1);

/// An input that takes longer than this ends the run.
const TIME_TO_GIVE_UP: Duration = Duration::from_secs(20);

/// The interval of time checks.
const CHECK_EVERY: Duration = Duration::from_millis(50);

/// A run ends after this number of findings: further ones are usually the same.
const FINDINGS_MAX: usize = 20;

/// The inputs to run, and the folder for inputs with findings.
#[derive(Clone, Debug)]
pub struct Work {
    /// The seed of all inputs.
    pub seed: u64,
    /// The number of the first input.
    pub first: u64,
    /// The number of inputs.
    pub inputs: u64,
    /// The folder for inputs with findings; `None` to write none.
    pub save_to: Option<PathBuf>,
}

/// The result of a run.
#[derive(Debug)]
pub struct Report {
    /// The number of inputs that were run.
    pub inputs: u64,
    /// The number of inputs that the reader accepted.
    pub accepted: u64,
    /// The duration of the run.
    pub elapsed: Duration,
    /// The findings.
    pub findings: Vec<Finding>,
}

/// An input on which a reader failed.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The target.
    pub target: &'static str,
    /// The seed of the run.
    pub seed: u64,
    /// The number of the input.
    pub number: u64,
    /// What happened.
    pub what: String,
    /// The file that the input was written to.
    pub file: Option<PathBuf>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding {
            target,
            seed,
            number,
            what,
            file,
        } = self;
        write!(f, "{target}: input {number} of seed {seed}: {what}")?;
        match file {
            Some(file) => write!(f, " ({})", file.display()),
            None => Ok(()),
        }
    }
}

thread_local! {
    /// The message of the last panic of a target on this thread; `None` while no target runs.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Installs a panic hook that stores panics of targets instead of printing them.
fn keep_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let is_kept = PANIC.with(|panic| {
                let mut panic = panic.borrow_mut();
                if let Some(message) = panic.as_mut() {
                    *message = info.to_string().replace('\n', " ");
                }
                panic.is_some()
            });
            if !is_kept {
                usual(info);
            }
        }));
    });
}

/// Runs a target on inputs.
pub fn fuzz(target: &mut dyn Target, work: &Work) -> Report {
    keep_panics();
    PANIC.set(Some(String::new()));
    let name = target.name();
    let started = Instant::now();
    let current = Arc::new(Current::new(name, work.clone()));
    let watching = {
        let current = Arc::clone(&current);
        thread::spawn(move || current.watch())
    };
    let (mut inputs, mut accepted) = (0, 0);
    for number in work.first..work.first.saturating_add(work.inputs) {
        inputs += 1;
        let made = catch_unwind(AssertUnwindSafe(|| {
            target.generate(&mut Random::of_input(work.seed, number))
        }));
        let input = made.unwrap_or_default();
        current.begin(number, &input);
        match catch_unwind(AssertUnwindSafe(|| target.read(&input))) {
            Ok(Answer::Accepted) => accepted += 1,
            Ok(Answer::Refused) => {}
            Err(_) => {
                let panic = PANIC.replace(Some(String::new()));
                current.found(number, panic.unwrap_or_default(), &input);
            }
        }
        if current.count() >= FINDINGS_MAX {
            break;
        }
    }
    current.is_over.store(true, Ordering::Relaxed);
    // The thread does nothing that could panic.
    let _ = watching.join();
    PANIC.set(None);
    Report {
        inputs,
        accepted,
        elapsed: started.elapsed(),
        findings: current.findings(),
    }
}

/// The current input, and the findings so far.
struct Current {
    target: &'static str,
    work: Work,
    number: AtomicU64,
    input: Mutex<Vec<u8>>,
    findings: Mutex<Vec<Finding>>,
    is_over: AtomicBool,
}

impl Current {
    fn new(target: &'static str, work: Work) -> Current {
        Current {
            target,
            number: AtomicU64::new(work.first),
            work,
            input: Mutex::default(),
            findings: Mutex::default(),
            is_over: AtomicBool::new(false),
        }
    }

    fn begin(&self, number: u64, input: &[u8]) {
        let mut current = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        current.clear();
        current.extend_from_slice(input);
        self.number.store(number, Ordering::Relaxed);
    }

    fn found(&self, number: u64, what: String, input: &[u8]) {
        let file = self.work.save_to.as_ref();
        let file = file.and_then(|folder| self.save(folder, number, input));
        let finding = Finding {
            target: self.target,
            seed: self.work.seed,
            number,
            what,
            file,
        };
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        findings.push(finding);
    }

    fn save(&self, folder: &Path, number: u64, input: &[u8]) -> Option<PathBuf> {
        let name = format!("{}-{}-{number}", self.target, self.work.seed);
        let file = folder.join(name);
        let written = fs::create_dir_all(folder).and_then(|()| fs::write(&file, input));
        written.ok().map(|()| file)
    }

    fn count(&self) -> usize {
        let findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        findings.len()
    }

    fn findings(&self) -> Vec<Finding> {
        let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut findings)
    }

    /// Checks the time until the run is over. The limit applies to processor time, so that a busy
    /// machine causes no findings.
    fn watch(&self) {
        let mut seen = u64::MAX;
        let mut began = spent();
        let mut is_told = false;
        while !self.is_over.load(Ordering::Relaxed) {
            thread::sleep(CHECK_EVERY);
            let number = self.number.load(Ordering::Relaxed);
            if number != seen {
                (seen, began, is_told) = (number, spent(), false);
                continue;
            }
            let time = spent().saturating_sub(began);
            if time >= TIME_MAX && !is_told {
                is_told = true;
                let input = self.input.lock().unwrap_or_else(PoisonError::into_inner);
                self.found(number, format!("takes longer than {TIME_MAX:?}"), &input);
            }
            if time >= TIME_TO_GIVE_UP {
                for finding in self.findings() {
                    eprintln!("{finding}");
                }
                eprintln!("{}: input {number} does not end", self.target);
                std::process::exit(1);
            }
        }
    }
}

/// The processor time of this program, or the time of day if the system does not provide it.
fn spent() -> Duration {
    /// The clock tick of the kernel, on every common system.
    const TICK: Duration = Duration::from_millis(10);
    let ticks = fs::read_to_string("/proc/self/stat").ok().and_then(|stat| {
        // The name of the program, in parentheses, may contain spaces.
        let (_, fields) = stat.rsplit_once(')')?;
        let mut times = fields.split_whitespace().skip(11);
        let user: u32 = times.next()?.parse().ok()?;
        let system: u32 = times.next()?.parse().ok()?;
        Some(user + system)
    });
    match ticks {
        Some(ticks) => TICK * ticks,
        None => {
            static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
            START.get_or_init(Instant::now).elapsed()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Panics at one input, and is slow at another.
    struct Bad;

    impl Target for Bad {
        fn name(&self) -> &'static str {
            "bad"
        }

        fn about(&self) -> &'static str {
            "fails on certain inputs, for the test"
        }

        fn generate(&mut self, random: &mut Random) -> Vec<u8> {
            vec![random.byte()]
        }

        fn read(&mut self, input: &[u8]) -> Answer {
            let began = spent();
            while input[0] == 7 && spent() - began < TIME_MAX + 4 * CHECK_EVERY {}
            assert!(input[0] != 8, "eight");
            Answer::of((input[0] >= 128).then_some(()))
        }
    }

    #[test]
    fn panics_and_slow_inputs_are_found() {
        let folder = std::env::temp_dir().join(format!("mazurka-fuzz-{}", std::process::id()));
        let is = |byte: u8| move |&n: &u64| Random::of_input(1, n).byte() == byte;
        let first = |byte: u8| (0..).find(is(byte)).expect("all bytes occur");
        let run = |first: u64, inputs: u64| {
            let work = Work {
                seed: 1,
                first,
                inputs,
                save_to: Some(folder.clone()),
            };
            fuzz(&mut Bad, &work)
        };
        for (byte, what) in [(7, "takes longer than 1s"), (8, "eight")] {
            let found = run(first(byte), 1).findings;
            assert_eq!(found.len(), 1, "{byte}: {found:?}");
            assert!(found[0].what.contains(what), "{}", found[0]);
            assert_eq!(fs::read(found[0].file.as_ref().unwrap()).unwrap(), [byte]);
        }
        let upto = first(7).min(first(8));
        let report = run(0, upto);
        let accepted = (0..upto).filter(|&n| Random::of_input(1, n).byte() >= 128);
        assert_eq!(
            (report.inputs, report.accepted),
            (upto, accepted.count() as u64)
        );
        assert!(report.findings.is_empty());
        fs::remove_dir_all(folder).unwrap();
    }
}
