//! Maps.

use super::run::{Run, Runner, fail};
use crate::code::{NO_LABEL, Register, Source};
use crate::raise::Raise;
use crate::term::{Atom, Term};

impl Runner<'_> {
    pub(super) fn put_map(
        &mut self,
        exact: bool,
        label: u32,
        from: Source,
        to: Register,
        pairs: &[(Source, Source)],
    ) -> Run {
        let Term::Map(map) = self.get(from) else {
            let raise = Raise::error_with(Atom::BADMAP, self.get(from).clone());
            return self.fail_or_jump(label, raise);
        };
        let mut map = map.clone();
        for &(key, value) in pairs {
            let (key, value) = (self.get(key), self.get(value));
            if exact && !map.contains_key(key) {
                let raise = Raise::error_with(Atom::BADKEY, key.clone());
                return self.fail_or_jump(label, raise);
            }
            map = map.insert(key.clone(), value.clone());
        }
        self.put(to, Term::Map(map));
        Ok(())
    }

    fn fail_or_jump(&mut self, label: u32, raise: Raise) -> Run {
        if label == NO_LABEL {
            return Err(fail(raise));
        }
        self.pc = label;
        Ok(())
    }

    /// Writes all values or none. A value may overwrite the register of the map itself.
    pub(super) fn get_map_elements(
        &mut self,
        label: u32,
        from: Source,
        pairs: &[(Source, Register)],
    ) {
        let Term::Map(map) = self.get(from) else {
            self.pc = label;
            return;
        };
        // All keys are known to exist. A correct compiler never writes to a register that holds
        // the key of a later pair, so the values can be written one at a time.
        if !pairs
            .iter()
            .all(|&(key, _)| map.contains_key(self.get(key)))
        {
            self.pc = label;
            return;
        }
        let map = map.clone();
        for &(key, to) in pairs {
            if let Some(value) = map.get(self.get(key)).cloned() {
                self.put(to, value);
            }
        }
    }
}
