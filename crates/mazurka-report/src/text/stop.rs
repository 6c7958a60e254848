//! The state of each process at some point of an execution, as text.

use super::{Messages, Names, Sequence, abbreviate, shorten, style, styled, width};
use crate::drive::DriveOutcome;
use crate::stop::{Doing, Stand, StopAt, StopError, Stopped};
use std::io::{self, Write};

impl DriveOutcome {
    /// Writes the execution up to some point, and the state of each process there, with colours.
    ///
    /// # Errors
    /// `out` cannot be written to. If there is no such point, nothing is written.
    pub fn write_text_up_to(
        &self,
        out: &mut impl Write,
        stop: &StopAt,
    ) -> Result<io::Result<()>, StopError> {
        let stopped = self.stopped(stop)?;
        Ok(self.write_stopped(out, &stopped))
    }

    fn write_stopped(&self, out: &mut impl Write, stopped: &Stopped) -> io::Result<()> {
        let trace = &self.trace;
        writeln!(
            out,
            "{} under {} delivery:\n",
            self.subject.id, trace.delivery
        )?;
        if let Ok(steps) = self.steps() {
            let sequence = Sequence::named(trace, self.names(), width()).numbered();
            sequence.write_steps(out, &steps[..stopped.steps.min(steps.len())])?;
        }
        let (steps, of, at) = (stopped.steps, stopped.of, &stopped.at);
        let heading = styled(style::BOLD, format!("Stopped after step {steps} of {of}"));
        writeln!(out, "\n{heading} ({at}):\n")?;
        let names = self.names();
        let longest = stopped
            .processes
            .iter()
            .map(|stand| names.of(&stand.pid).chars().count());
        let longest = longest.max().unwrap_or(0);
        let mut some_can = false;
        for stand in &stopped.processes {
            self.write_stand(out, &names, stand, longest)?;
            some_can |= stand.mailbox.iter().any(|(_, can)| *can);
        }
        if some_can {
            writeln!(out, "\n  * may be taken next")?;
        }
        self.write_departures(out)
    }

    fn write_stand(
        &self,
        out: &mut impl Write,
        names: &Names,
        stand: &Stand,
        width_of_names: usize,
    ) -> io::Result<()> {
        let available = width().saturating_sub(width_of_names + 6);
        let doing = match &stand.doing {
            Doing::Waits(what) => shorten(what, available),
            Doing::Next(at) => {
                let next = self.trace.event(at).map(|event| {
                    let sequence = Sequence::named(&self.trace, names.clone(), usize::MAX);
                    sequence.described(event, available.saturating_sub(6))
                });
                format!("next: {}", next.unwrap_or_default())
            }
            Doing::Ended(reason) => shorten(&format!("has ended: {reason}"), available),
        };
        let place = stand.place.as_ref().filter(|place| !doing.contains(*place));
        let place = place.map_or_else(String::new, |place| {
            styled(style::FAINT, format!("  {place}"))
        });
        let name = names.of(&stand.pid);
        writeln!(out, "    {name:<width_of_names$}  {doing}{place}")?;
        let messages = Messages::new(&self.trace);
        for (tag, can) in &stand.mailbox {
            let sender = messages.sender(tag);
            if self.trace.is_bookkeeping(sender) {
                continue;
            }
            let mark = if *can { '*' } else { ' ' };
            let value = abbreviate(messages.value(tag), available.saturating_sub(20).max(20));
            let sender = names.of(&sender.into());
            writeln!(
                out,
                "    {:<width_of_names$}    {mark} {value} from {sender}",
                ""
            )?;
        }
        Ok(())
    }
}
