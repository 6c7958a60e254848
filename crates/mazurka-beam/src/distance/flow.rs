//! The control flow of one function, with its exception handlers.

use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

use super::cost;
use crate::code::{Address, Code, Instruction, Library, Mfa, NO_LABEL, Register, SourceKind};
use crate::machine::{Control, Native, Target};
use crate::term::{Atom, Term};

/// The number of a node in the graph of the program.
pub(super) type NodeId = u32;

/// An instruction, and what may follow it.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// Its visible operations.
    pub cost: u32,
    /// The function that it calls before it goes on.
    pub call: Option<Callee>,
    /// The instructions that may be next.
    pub next: SmallVec<[NodeId; 2]>,
    /// Whether its function may return.
    pub returns: bool,
    /// Whether it fails: it raises an exception in the program's own code.
    pub fails: bool,
    /// The handler of exceptions that it or a function that it calls may raise.
    pub handler: Option<NodeId>,
    /// Whether no exception leaves the program's own code here. Only handlers in that code count:
    /// those of OTP mostly raise the exception again.
    pub is_guarded: bool,
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Callee {
    /// The function at this address.
    At(Address),
    /// The function that starts with this node.
    Node(NodeId),
    /// Any function.
    Any,
    /// A function that calls none of the program and makes at least this many visible operations.
    Closed(u32),
}

/// The instructions of a function.
#[derive(Clone, Copy)]
pub(super) struct Function<'a> {
    pub library: &'a Library,
    pub code: &'a Code,
    pub start: u32,
    pub end: u32,
    /// The instruction at which a call starts.
    pub entry: u32,
    /// Whether calls of OTP's functions may call functions of the program through a registry of names.
    pub has_registry: bool,
}

/// What may follow an instruction, in its function.
#[derive(Default)]
struct Step {
    cost: u32,
    call: Option<Callee>,
    next: SmallVec<[u32; 2]>,
    returns: bool,
    fails: bool,
    raises: bool,
}

/// The labels of the active handlers, the innermost last.
type Handlers = SmallVec<[u32; 2]>;

impl Function<'_> {
    /// The nodes of all instructions, of which the first one gets the number `base`. `None` if the code
    /// is not as a compiler makes it.
    pub(super) fn nodes(&self, base: NodeId) -> Option<Vec<Node>> {
        let steps: Vec<Step> = (self.start..self.end).map(|pc| self.step(pc)).collect();
        let handlers = self.handlers(&steps)?;
        let jumps = self.jumps(&steps);
        // Only instructions that are never reached may lead out of the function here.
        let node = |pc: u32| self.index(pc).map(|index| base + index as NodeId);
        let nodes = (self.start..self.end).zip(steps).zip(handlers);
        let nodes = nodes.map(|((pc, step), handlers)| {
            let handler = handlers.and_then(|handlers| handlers.last().copied());
            Node {
                cost: step.cost,
                call: step.call,
                next: step.next.into_iter().filter_map(node).collect(),
                returns: step.returns,
                fails: step.fails
                    && self.code.is_own
                    && handler.is_none()
                    && (jumps.contains(&pc) || !self.ends_normally(pc)),
                handler: handler.filter(|_| step.raises).and_then(node),
                is_guarded: self.code.is_own && handler.is_some(),
            }
        });
        Some(nodes.collect())
    }

    /// The index of an instruction in the function.
    fn index(&self, pc: u32) -> Option<usize> {
        let is_inside = (self.start..self.end).contains(&pc);
        is_inside.then(|| (pc - self.start) as usize)
    }

    /// The active handlers at each instruction that can be reached.
    fn handlers(&self, steps: &[Step]) -> Option<Vec<Option<Handlers>>> {
        let mut found: Vec<Option<Handlers>> = Vec::new();
        found.resize(steps.len(), None);
        let mut work: Vec<(u32, Handlers)> = vec![(self.entry, Handlers::new())];
        while let Some((pc, mut handlers)) = work.pop() {
            // A `catch` in which nothing was raised ends at its own handler.
            if handlers.last() == Some(&pc) {
                handlers.pop();
            }
            let here = self.index(pc)?;
            match &found[here] {
                Some(known) if *known == handlers => continue,
                Some(_) => return None,
                None => found[here] = Some(handlers.clone()),
            }
            let step = &steps[here];
            if let Some((handler, outer)) = handlers.split_last()
                && step.raises
            {
                work.push((*handler, outer.into()));
            }
            match self.code.instructions.get(pc as usize)? {
                Instruction::Try { handler, .. } => handlers.push(*handler),
                Instruction::TryEnd { .. } => {
                    handlers.pop()?;
                }
                _ => {}
            }
            work.extend(step.next.iter().map(|&next| (next, handlers.clone())));
        }
        Some(found)
    }

    /// The instructions that are reached by a jump.
    fn jumps(&self, steps: &[Step]) -> FxHashSet<u32> {
        let steps = (self.start..self.end).zip(steps);
        let jumps = steps.flat_map(|(pc, step)| {
            let next = step.next.iter().copied();
            next.filter(move |&to| to != pc + 1)
        });
        jumps.collect()
    }

    /// Whether this is `exit(normal)` or `exit(shutdown)`, unless it is reached by a jump.
    fn ends_normally(&self, pc: u32) -> bool {
        let before = pc.checked_sub(1).filter(|&before| before >= self.start);
        let before = before.and_then(|before| self.code.instructions.get(before as usize));
        let Some(Instruction::Move {
            from,
            to: Register::X(0),
        }) = before
        else {
            return false;
        };
        let SourceKind::Constant(constant) = from.get() else {
            return false;
        };
        let Some(Term::Atom(reason)) = self.code.constants.get(constant as usize) else {
            return false;
        };
        let is_exit = match self.code.instructions.get(pc as usize) {
            Some(
                Instruction::CallExternal { import }
                | Instruction::CallExternalLast { import, .. }
                | Instruction::CallExternalOnly { import },
            ) => self.imported(*import).is_some_and(|mfa| {
                mfa.module == Atom::ERLANG && mfa.name == Atom::EXIT && mfa.arity == 1
            }),
            _ => false,
        };
        is_exit && matches!(reason.name(), "normal" | "shutdown")
    }

    fn imported(&self, import: u32) -> Option<Mfa> {
        self.code.imports.get(import as usize).map(|slot| slot.mfa)
    }

    #[allow(
        clippy::too_many_lines,
        reason = "one arm for each kind of instruction"
    )]
    fn step(&self, pc: u32) -> Step {
        use Instruction as I;
        let is_own = self.code.is_own;
        let next = pc + 1;
        let on = |cost| Step {
            cost,
            next: smallvec![next],
            ..Step::default()
        };
        let or_raise = |cost| Step {
            raises: true,
            ..on(cost)
        };
        let fails = || Step {
            fails: true,
            raises: true,
            ..Step::default()
        };
        let Some(instruction) = self.code.instructions.get(pc as usize) else {
            return Step::default();
        };
        match instruction {
            I::Call { target } => self.called(self.local(*target), Some(next)),
            I::CallLast { target, .. } | I::CallOnly { target } => {
                self.called(self.local(*target), None)
            }
            I::CallExternal { import } => self.external(*import, Some(next)),
            I::CallExternalLast { import, .. } | I::CallExternalOnly { import } => {
                self.external(*import, None)
            }
            I::Apply { .. } | I::CallFun { .. } => self.called(Callee::Any, Some(next)),
            I::ApplyLast { .. } | I::CallFunLast { .. } => self.called(Callee::Any, None),
            I::Return => Step {
                returns: true,
                ..Step::default()
            },

            I::Bif1 { bif, .. }
            | I::Bif2 { bif, .. }
            | I::Add { bif, .. }
            | I::Subtract { bif, .. } => with_label(or_raise(0), bif.fail),
            I::Bif { fail, .. } | I::PutMap { fail, .. } => with_label(or_raise(0), *fail),

            I::Select { fail, table, .. } => Step {
                next: table.labels().chain([*fail]).collect(),
                ..Step::default()
            },
            I::SelectArity { fail, table, .. } => Step {
                next: table.labels().chain([*fail]).collect(),
                ..Step::default()
            },
            I::Jump { to } => Step {
                next: smallvec![*to],
                ..Step::default()
            },

            I::Send => or_raise(cost::of_send(is_own)),
            I::Receive { fail, .. } => {
                let mut step = or_raise(cost::of_receive(self.code.name.name()));
                let wait = self.code.instructions.get(*fail as usize);
                if let Some(I::WaitFor { .. } | I::Timeout) = wait {
                    step.next.push(fail + 1);
                }
                step
            }
            I::WaitFor { .. } => or_raise(cost::of_receive(self.code.name.name())),
            I::Wait | I::Mismatch | I::Unsupported(_) | I::End => Step::default(),

            I::NoFunctionClause
            | I::NoMatch { .. }
            | I::NoIfClause
            | I::NoCaseClause { .. }
            | I::NoTryClause { .. }
            | I::NoRecord { .. }
            | I::Raise { .. } => fails(),
            I::RawRaise => Step {
                next: smallvec![next],
                ..fails()
            },

            I::Binary(binary) => with_label(or_raise(0), binary.fail().unwrap_or(NO_LABEL)),
            I::FloatMove { .. } | I::FloatConvert { .. } | I::FloatArithmetic { .. } => or_raise(0),

            // A test, or an instruction that always succeeds.
            instruction => with_label(on(0), instruction.test_label().unwrap_or(NO_LABEL)),
        }
    }

    fn local(&self, pc: u32) -> Callee {
        Callee::At(Address {
            module: self.code.name,
            pc,
        })
    }

    /// A call. The function goes on at `next`, or returns.
    fn called(&self, callee: Callee, next: Option<u32>) -> Step {
        Step {
            call: Some(callee),
            ..goes_on(0, next)
        }
    }

    fn external(&self, import: u32, next: Option<u32>) -> Step {
        let Some(mfa) = self.imported(import) else {
            return Step::default();
        };
        if let Some(least) = cost::of_closed(mfa).filter(|_| !self.has_registry) {
            return self.called(Callee::Closed(least), next);
        }
        match Target::find(self.library, mfa) {
            Ok(Target::Code(address)) => self.called(Callee::At(address), next),
            Ok(Target::Native(native)) => self.native(native, mfa, next),
            // The module may handle calls of undefined functions, or the call raises an exception.
            Ok(Target::Undefined) | Err(_) => self.called(Callee::Any, next),
        }
    }

    fn native(&self, native: Native, mfa: Mfa, next: Option<u32>) -> Step {
        let fails = || Step {
            fails: true,
            raises: true,
            ..Step::default()
        };
        match native {
            Native::Control(Control::Apply | Control::ApplyFun) => self.called(Callee::Any, next),
            // The message that wakes it is received without another visible operation, so the wait
            // itself counts as none.
            Native::Control(Control::Hibernate) => Step {
                call: Some(Callee::Any),
                raises: true,
                ..Step::default()
            },
            Native::Control(Control::Error) => fails(),
            // It returns if its arguments are invalid.
            Native::Control(Control::Raise) => Step {
                fails: true,
                ..goes_on(0, next)
            },
            Native::Control(Control::Missing | Control::NotModelled | Control::Halt) => {
                Step::default()
            }
            Native::Local(_) if always_raises(mfa) => fails(),
            Native::Pure(_)
            | Native::Local(_)
            | Native::Asking(_)
            | Native::Control(Control::Characters | Control::ProcessInfo) => {
                goes_on(cost::of_native(mfa, self.code.is_own), next)
            }
        }
    }
}

/// After a call: the next instruction, or a return. The call may raise an exception.
fn goes_on(cost: u32, next: Option<u32>) -> Step {
    Step {
        cost,
        next: next.into_iter().collect(),
        returns: next.is_none(),
        raises: true,
        ..Step::default()
    }
}

/// The instruction may also jump to this label.
fn with_label(mut step: Step, label: u32) -> Step {
    if label != NO_LABEL {
        step.next.push(label);
    }
    step
}

fn always_raises(mfa: Mfa) -> bool {
    mfa.module == Atom::ERLANG
        && mfa.arity == 1
        && matches!(mfa.name, Atom::ERROR | Atom::EXIT | Atom::THROW)
}
