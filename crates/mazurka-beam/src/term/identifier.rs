//! Pids, ports and references. All belong to this node: there is only one.

use std::fmt;

/// A process identifier. The number sorts below the serial, as in the real virtual machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pid(u64);

impl Pid {
    /// The pid that prints as `<0.number.serial>`.
    pub fn new(number: u32, serial: u32) -> Pid {
        Pid(u64::from(serial) << 32 | u64::from(number))
    }

    /// The middle part of its printed form.
    pub fn number(self) -> u32 {
        self.0 as u32
    }

    /// The last part of its printed form.
    pub fn serial(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

impl fmt::Debug for Pid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<0.{}.{}>", self.number(), self.serial())
    }
}

/// A port identifier.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Port(pub u64);

impl fmt::Debug for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#Port<0.{}>", self.0)
    }
}

/// A reference: three words, the most significant first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reference(pub [u32; 3]);

impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [high, middle, low] = self.0;
        write!(f, "#Ref<0.{high}.{middle}.{low}>")
    }
}
