//! The group leader: answers requests for input and output.
//!
//! It is part of the machine and not a process, so that printing adds no events to an execution:
//! output is recorded with the step that made it, and the answer is there at once.

use mazurka_engine::{Fault, Turn};

use super::{Done, Program, endless};
use crate::bif::unicode;
use crate::code::Address;
use crate::machine::{End, Process, Start, Stop};
use crate::term::{Atom, PidTerm, Term};

impl Program {
    /// Serves a message that a process has sent to the group leader.
    pub(super) fn ask_leader(
        &self,
        process: &mut Process,
        message: Term,
        place: Address,
        done: &mut Done,
        turn: &mut Turn<'_, Self>,
    ) -> Result<(), Fault> {
        let Term::Tuple(request) = &message else {
            return Ok(());
        };
        let [Term::Atom(tag), Term::Pid(from), answer_as, request] = &***request else {
            return Ok(());
        };
        if tag.name() != "io_request" {
            return Ok(());
        }
        let answer = self.serve(request, place, done)?;
        let reply = Term::tuple([Term::atom("io_reply"), answer_as.clone(), answer]);
        if *from == process.pid {
            process.replies.push(reply);
        } else if let Some(from) = self.theirs(*from) {
            turn.send(from, reply);
        }
        Ok(())
    }

    /// The answer to a request of the I/O protocol.
    fn serve(&self, request: &Term, place: Address, done: &mut Done) -> Result<Term, Fault> {
        let error = |what: &str| Term::tuple([Atom::ERROR.into(), Term::atom(what)]);
        let Term::Tuple(parts) = request else {
            return Ok(match request {
                Term::Atom(name) if name.name() == "getopts" => options(),
                _ => error("request"),
            });
        };
        let [Term::Atom(kind), rest @ ..] = &***parts else {
            return Ok(error("request"));
        };
        Ok(match (kind.name(), rest) {
            (
                "put_chars",
                [
                    Term::Atom(_),
                    Term::Atom(module),
                    Term::Atom(name),
                    arguments,
                ],
            ) => match self.call(*module, *name, arguments, place)? {
                Some(text) => self.put(&text, done),
                None => error("put_chars"),
            },
            ("put_chars", [Term::Atom(_), text] | [text]) => self.put(text, done),
            ("requests", [requests]) => {
                let mut answer = Term::from(Atom::OK);
                for request in requests.elements() {
                    answer = self.serve(request, place, done)?;
                }
                answer
            }
            ("setopts", _) => Atom::OK.into(),
            ("get_geometry", _) => error("enotsup"),
            // There is nothing to read.
            ("get_line" | "get_chars" | "get_until" | "get_password", _) => Term::atom("eof"),
            _ => error("request"),
        })
    }

    /// Prints what a process logs.
    pub(super) fn log(
        &self,
        level: &Term,
        format: Term,
        values: Term,
        place: Address,
        done: &mut Done,
    ) -> Result<(), Fault> {
        let (io_lib, name) = (Atom::new("io_lib"), Atom::new("format"));
        let arguments = Term::list([format.clone(), values.clone()]);
        done.print(&format!("[{level}] "));
        match self.call(io_lib, name, &arguments, place)? {
            Some(text) => _ = self.put(&text, done),
            None => done.print(&format!("FORMAT ERROR: {format} - {values}")),
        }
        done.print("\n");
        Ok(())
    }

    fn put(&self, text: &Term, done: &mut Done) -> Term {
        match unicode::characters_to_binary(text, &Term::atom("unicode")) {
            Ok(Term::Bits(bits)) => {
                let bytes: Vec<u8> = bits.iter().collect();
                done.print(&String::from_utf8_lossy(&bytes));
                Atom::OK.into()
            }
            _ => Term::tuple([Atom::ERROR.into(), Term::atom("put_chars")]),
        }
    }

    /// The result of a function that only computes; none if it does not return. `place` is where the
    /// program prints.
    fn call(
        &self,
        module: Atom,
        name: Atom,
        arguments: &Term,
        place: Address,
    ) -> Result<Option<Term>, Fault> {
        let start = Start {
            module,
            name,
            arguments: arguments.elements().cloned().collect(),
            leader: PidTerm::leader(),
            clock_us: 0,
        };
        let mut process = Process::new(PidTerm::leader(), &start);
        let mut effects = Vec::new();
        let mut machine = self.0.machine.borrow_mut();
        match machine.run(&self.0.library, &mut process, &mut effects) {
            Stop::Exit(End::Returned { value }) => Ok(Some(value)),
            Stop::Exit(_) => Ok(None),
            Stop::Endless { .. } => Err(Fault::Unsupported {
                what: endless::printing(&self.0.library, place),
            }),
            stop => Err(self.fault(stop)),
        }
    }
}

/// The options of the group leader's device.
fn options() -> Term {
    let pair = |name, value| Term::tuple([Term::atom(name), value]);
    Term::list([
        pair("binary", Atom::FALSE.into()),
        pair("encoding", Term::atom("unicode")),
    ])
}
