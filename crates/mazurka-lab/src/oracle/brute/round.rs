//! Idle rounds of a process that polls: a timeout, without any action, after which the process waits
//! at the same receive in the same state.
//!
//! A history contains no idle rounds. So the configuration after such a round is the same as before
//! it, and there is no transition for it.

use super::World;
use super::configuration::Configuration;
use super::history::Seen;
use super::process::{Process, Running};
use mazurka_engine::{Answer, Demand, DemandOf, Fault, Frontend, Input, LivenessOperation, PidId};

impl<F: Frontend> World<'_, F> {
    /// Sets `polls`: whether the timeout of the receive at which a process has just arrived is an idle
    /// round. A timeout that fires only when nothing else can happen is not tried the first time.
    pub(super) fn find_round(
        &mut self,
        configuration: &mut Configuration<F>,
        pid: PidId,
    ) -> Result<(), Fault> {
        let process = configuration.process(pid);
        process.polls = false;
        let running = process.running().clone();
        let Demand::Receive {
            timeout_ms: Some(timeout_ms),
            ..
        } = running.demand
        else {
            return Ok(());
        };
        let has_acted = !running.actions.is_empty() || process.acted_before > 0;
        let is_second = process.history.last() == Some(&Seen::Timeout) && !has_acted;
        if F::COMPARES_STATES && (self.any_time(timeout_ms) || is_second) {
            let process = process.clone();
            let polls = self.is_round(&process, &running)?;
            configuration.process(pid).polls = polls;
        }
        Ok(())
    }

    /// Whether a timeout leads back to the same receive in the same state.
    fn is_round(&mut self, process: &Process<F>, before: &Running<F>) -> Result<bool, Fault> {
        let counts = (before.spawned, before.mode);
        let mut after = self.run(process.pid, counts, 0, |frontend, turn| {
            frontend.answer(&before.state, Input::Timeout, turn)
        })?;
        while after.actions.is_empty()
            && let Some(answer) = process.answer_without_change(&after.demand)
        {
            after = self.run(process.pid, counts, 0, |frontend, turn| {
                frontend.answer(&after.state, Input::Answer(&answer), turn)
            })?;
        }
        Ok(after.actions.is_empty()
            && before.demand == after.demand
            && before.mode == after.mode
            && self.frontend.is_same_state(&before.state, &after.state))
    }
}

impl<F: Frontend> Process<F> {
    /// The answer to an operation that concerns the process alone and changes nothing.
    fn answer_without_change(&self, demand: &DemandOf<F>) -> Option<Answer<F::Value>> {
        let Demand::Liveness(operation) = demand else {
            return None;
        };
        match *operation {
            LivenessOperation::Link(of) => {
                let is_linked = self.links.iter().any(|&(pid, _)| pid == of);
                is_linked.then_some(Answer::Ok)
            }
            LivenessOperation::Demonitor { pid: of, reference } => {
                let tie = self.monitor_tie(of, reference);
                tie.is_none().then_some(Answer::Bool(false))
            }
            LivenessOperation::Flush { pid: of, reference } => {
                let tie = self.monitor_tie(of, reference);
                tie.is_none().then_some(Answer::Ok)
            }
            _ => None,
        }
    }
}
