//! `mazurka lab oracle`

use crate::args::{Oracle, shape_name};
use crate::watch::{catch_interrupts, interrupted};
use anyhow::Result;
use mazurka_engine::Delivery;
use mazurka_lab::Algorithm;
use mazurka_lab::oracle::{Case, Difference, Shape, Tally, check_case};
use mazurka_report::Exit;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// Compares exploration with brute force on random programs.
pub fn run(args: &Oracle) -> Result<Exit> {
    catch_interrupts()?;
    let mut out = super::stdout();
    let shapes = all_unless_given(&args.shape, &Shape::ALL);
    let algorithms = all_unless_given(&args.algorithm, &Algorithm::ALL);
    let deliveries = all_unless_given(&args.delivery, &Delivery::ALL);
    let all = algorithms.iter().flat_map(|&algorithm| {
        deliveries
            .iter()
            .map(move |&delivery| (algorithm, delivery))
    });
    for (algorithm, delivery) in all {
        let run = Run {
            args,
            shapes: &shapes,
            algorithm,
            delivery,
            claimed: AtomicU64::new(0),
            next: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            tally: Mutex::default(),
        };
        let difference = run.all();
        let tally = *run
            .tally
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        write_tally(&mut out, algorithm, delivery, &tally)?;
        if let Some(difference) = difference {
            write_difference(&mut out, &difference, algorithm)?;
            return Ok(Exit::Bug);
        }
        if interrupted() {
            writeln!(out, "Stopped early by Ctrl-C.")?;
            return Ok(Exit::Stopped);
        }
    }
    out.flush()?;
    Ok(Exit::Fine)
}

fn all_unless_given<T: Copy>(given: &[T], all: &[T]) -> Vec<T> {
    match given.is_empty() {
        true => all.to_vec(),
        false => given.to_vec(),
    }
}

fn write_tally(
    out: &mut impl Write,
    algorithm: Algorithm,
    delivery: Delivery,
    tally: &Tally,
) -> Result<()> {
    writeln!(
        out,
        "{algorithm:<13} {delivery:<10} {} programs compared ({} with races), {} too large, \
         {} traces, {} explorations; the most traces of one program: {}",
        tally.programs, tally.racy, tally.too_large, tally.traces, tally.explorations, tally.most
    )?;
    out.flush()?;
    Ok(())
}

fn write_difference(
    out: &mut impl Write,
    difference: &Difference,
    algorithm: Algorithm,
) -> Result<()> {
    let case = difference.case;
    writeln!(out, "\nExploration and brute force differ:\n{difference}")?;
    writeln!(
        out,
        "Again: mazurka lab oracle --cases 1 --seed {} --delivery {} --shape {} --algorithm {algorithm}",
        case.seed,
        case.delivery,
        shape_name(case.shape)
    )?;
    out.flush()?;
    Ok(())
}

/// All cases of one algorithm and delivery model.
struct Run<'a> {
    args: &'a Oracle,
    shapes: &'a [Shape],
    algorithm: Algorithm,
    delivery: Delivery,
    /// The number of comparisons that the workers have started.
    claimed: AtomicU64,
    /// The number of the next random program.
    next: AtomicU64,
    stop: AtomicBool,
    tally: Mutex<Tally>,
}

impl Run<'_> {
    /// Runs the cases on all cores; gives the first difference found.
    fn all(&self) -> Option<Box<Difference>> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            let workers: Vec<_> = (0..cores).map(|_| scope.spawn(|| self.some())).collect();
            let differences = workers
                .into_iter()
                .filter_map(|worker| match worker.join() {
                    Ok(difference) => difference,
                    Err(panic) => std::panic::resume_unwind(panic),
                });
            differences.min_by_key(|difference| difference.case.seed)
        })
    }

    /// Runs cases until there are none left.
    fn some(&self) -> Option<Box<Difference>> {
        let mut tally = Tally::default();
        let mut difference = None;
        while !self.stop.load(Ordering::Relaxed) && !interrupted() {
            if self.claimed.fetch_add(1, Ordering::Relaxed) >= self.args.cases {
                break;
            }
            match self.one() {
                Ok(one) => tally = tally.plus(one),
                Err(found) => {
                    self.stop.store(true, Ordering::Relaxed);
                    difference = Some(found);
                }
            }
        }
        let mut total = self
            .tally
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        *total = total.plus(tally);
        difference
    }

    /// Compares one program. One that is too large for brute force is replaced by the next.
    fn one(&self) -> Result<Tally, Box<Difference>> {
        let mut tally = Tally::default();
        while tally.programs == 0 && !interrupted() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            tally = tally.plus(check_case(self.case(number), &[self.algorithm])?);
        }
        Ok(tally)
    }

    /// The shapes take turns; each has seeds of its own, one after the other.
    fn case(&self, number: u64) -> Case {
        let shapes = self.shapes.len() as u64;
        Case {
            shape: self.shapes[(number % shapes) as usize],
            seed: self.args.seed.wrapping_add(number / shapes),
            delivery: self.delivery,
        }
    }
}
