//! Runs a check on a thread of its own, which is abandoned if the program never waits again or aborts.

use crate::checked::Checked;
use crate::doomed::{self, Doom};
use crate::pulse::{self, Pulse};
use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A check or a replay.
pub(crate) type Task = Box<dyn FnOnce() -> Checked + Send>;

/// A message of the thread that runs a check.
enum Word {
    /// Its result.
    Done(Checked),
    /// The program aborts as soon as the sender is dropped.
    Doomed(Doom, Sender<()>),
}

/// The maximum number of aborting histories that are reported: the check starts again for each.
const DOOMS_MAX: usize = 20;

/// Runs a check on a thread that can be abandoned. If the program aborts in some history, the check is
/// run again without that history; see the module `doomed`.
pub(crate) fn supervise(task: &dyn Fn() -> Task, max_step: Duration) -> Checked {
    let mut dooms: Vec<Doom> = Vec::new();
    let mut held: Vec<Sender<()>> = Vec::new();
    loop {
        let pulse = Arc::new(Pulse::default());
        let felt = Arc::clone(&pulse);
        let (send, words) = channel();
        let (run, known) = (task(), dooms.clone());
        let thread = new_thread(move || {
            pulse::share(felt);
            let report = send.clone();
            doomed::watch(known, move |doom| {
                let (hold, let_go) = channel();
                let _ = report.send(Word::Doomed(doom, hold));
                let _ = let_go.recv();
            });
            let checked = run();
            // The receiver is gone if a step took too long.
            let _ = send.send(Word::Done(checked));
        });
        match wait(&words, &pulse, max_step) {
            Some(Word::Done(checked)) if held.is_empty() => return checked,
            Some(Word::Done(checked)) => abort(&checked.report, held),
            Some(Word::Doomed(doom, hold)) => {
                held.push(hold);
                let is_new = !dooms.contains(&doom) && dooms.len() < DOOMS_MAX;
                if doom.at.is_none() || !is_new {
                    abort(&doom.message, held);
                }
                dooms.push(doom);
            }
            None => {
                result_of(thread);
                unreachable!("it has sent its result, or panicked")
            }
        }
    }
}

/// Prints the report of a check whose program aborts, and lets it abort.
fn abort(report: &str, held: Vec<Sender<()>>) -> ! {
    // The test harness keeps what a test prints until the test ends, which this one does not.
    let _ = writeln!(std::io::stderr(), "\n{report}");
    drop(held);
    loop {
        std::thread::park();
    }
}

/// A thread named like this one, if it has a name.
fn new_thread<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    /// Processes may need more than the usual 2 MiB.
    const STACK_BYTES: usize = 64 << 20;
    let mut thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    if let Some(name) = std::thread::current().name() {
        thread = thread.name(name.to_owned());
    }
    match thread.spawn(run) {
        Ok(thread) => thread,
        Err(error) => panic!("cannot start a thread for the check: {error}"),
    }
}

/// The result of a thread. If it has panicked, this one panics as well.
fn result_of<T>(thread: JoinHandle<T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Waits for the next message of the thread; none if it has panicked. Panics if a process runs for
/// `max_step` without waiting.
fn wait(words: &Receiver<Word>, pulse: &Pulse, max_step: Duration) -> Option<Word> {
    let look_every = (max_step / 10).min(Duration::from_millis(200));
    let mut last = None;
    let mut since = Instant::now();
    loop {
        match words.recv_timeout(look_every) {
            Ok(word) => return Some(word),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
        let running = pulse.running();
        if running != last {
            (last, since) = (running, Instant::now());
        }
        if let Some(running) = running
            && since.elapsed() >= max_step
        {
            let process = running.process.map_or("?".into(), |pid| pid.to_string());
            panic!(
                "process {process} has run for {} seconds after {} without waiting for \
                 anything: does it loop for ever? (If it only needs more time, raise the limit: \
                 max_step_seconds(..) or MAZURKA_MAX_STEP_SECONDS.)",
                max_step.as_secs_f64(),
                crate::trouble::inputs_text(running.inputs)
            );
        }
    }
}
