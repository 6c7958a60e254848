//! The instruction set: names and arities by number.

/// The newest release whose instructions are all known.
pub const NEWEST_RELEASE: u32 = 29;

/// The largest opcode of [`NEWEST_RELEASE`].
pub const OPCODE_MAX: u32 = TABLE.len() as u32;

/// The number of an instruction. OTP never reuses a number for another instruction, so one table
/// covers all releases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opcode(u8);

impl Opcode {
    /// `label`: a jump target.
    pub const LABEL: Opcode = Opcode(1);
    /// `func_info`: the head of a function.
    pub const FUNC_INFO: Opcode = Opcode(2);
    /// `int_code_end`: the end of a module's code.
    pub const INT_CODE_END: Opcode = Opcode(3);
    /// `line`: the source line of the next instruction.
    pub const LINE: Opcode = Opcode(153);

    /// The opcode with this number, if a release up to [`NEWEST_RELEASE`] has it.
    pub fn new(number: u32) -> Option<Opcode> {
        match u8::try_from(number) {
            Ok(small) if (1..=OPCODE_MAX).contains(&number) => Some(Opcode(small)),
            _ => None,
        }
    }

    /// Its number.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Its name in the compiler's listings.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Its number of operands.
    pub fn arity(self) -> usize {
        usize::from(self.row().1)
    }

    fn row(self) -> (&'static str, u8) {
        // Every `Opcode` comes from `new` or is one of the constants, so the row exists.
        TABLE[usize::from(self.0) - 1]
    }
}

impl std::fmt::Debug for Opcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Names and arities, starting with opcode 1.
#[rustfmt::skip]
const TABLE: &[(&str, u8)] = &[
    ("label", 1), ("func_info", 3), ("int_code_end", 0), ("call", 2),
    ("call_last", 3), ("call_only", 2), ("call_ext", 2), ("call_ext_last", 3),
    ("bif0", 2), ("bif1", 4), ("bif2", 5), ("allocate", 2),
    ("allocate_heap", 3), ("allocate_zero", 2), ("allocate_heap_zero", 3), ("test_heap", 2),
    ("init", 1), ("deallocate", 1), ("return", 0), ("send", 0),
    ("remove_message", 0), ("timeout", 0), ("loop_rec", 2), ("loop_rec_end", 1),
    ("wait", 1), ("wait_timeout", 2), ("m_plus", 4), ("m_minus", 4),
    ("m_times", 4), ("m_div", 4), ("int_div", 4), ("int_rem", 4),
    ("int_band", 4), ("int_bor", 4), ("int_bxor", 4), ("int_bsl", 4),
    ("int_bsr", 4), ("int_bnot", 3), ("is_lt", 3), ("is_ge", 3),
    ("is_eq", 3), ("is_ne", 3), ("is_eq_exact", 3), ("is_ne_exact", 3),
    ("is_integer", 2), ("is_float", 2), ("is_number", 2), ("is_atom", 2),
    ("is_pid", 2), ("is_reference", 2), ("is_port", 2), ("is_nil", 2),
    ("is_binary", 2), ("is_constant", 2), ("is_list", 2), ("is_nonempty_list", 2),
    ("is_tuple", 2), ("test_arity", 3), ("select_val", 3), ("select_tuple_arity", 3),
    ("jump", 1), ("'catch'", 2), ("catch_end", 1), ("move", 2),
    ("get_list", 3), ("get_tuple_element", 3), ("set_tuple_element", 3), ("put_string", 3),
    ("put_list", 3), ("put_tuple", 2), ("put", 1), ("badmatch", 1),
    ("if_end", 0), ("case_end", 1), ("call_fun", 1), ("make_fun", 3),
    ("is_function", 2), ("call_ext_only", 2), ("bs_start_match", 2), ("bs_get_integer", 5),
    ("bs_get_float", 5), ("bs_get_binary", 5), ("bs_skip_bits", 4), ("bs_test_tail", 2),
    ("bs_save", 1), ("bs_restore", 1), ("bs_init", 2), ("bs_final", 2),
    ("bs_put_integer", 5), ("bs_put_binary", 5), ("bs_put_float", 5), ("bs_put_string", 2),
    ("bs_need_buf", 1), ("fclearerror", 0), ("fcheckerror", 1), ("fmove", 2),
    ("fconv", 2), ("fadd", 4), ("fsub", 4), ("fmul", 4),
    ("fdiv", 4), ("fnegate", 3), ("make_fun2", 1), ("'try'", 2),
    ("try_end", 1), ("try_case", 1), ("try_case_end", 1), ("raise", 2),
    ("bs_init2", 6), ("bs_bits_to_bytes", 3), ("bs_add", 5), ("apply", 1),
    ("apply_last", 2), ("is_boolean", 2), ("is_function2", 3), ("bs_start_match2", 5),
    ("bs_get_integer2", 7), ("bs_get_float2", 7), ("bs_get_binary2", 7), ("bs_skip_bits2", 5),
    ("bs_test_tail2", 3), ("bs_save2", 2), ("bs_restore2", 2), ("gc_bif1", 5),
    ("gc_bif2", 6), ("bs_final2", 2), ("bs_bits_to_bytes2", 2), ("put_literal", 2),
    ("is_bitstr", 2), ("bs_context_to_binary", 1), ("bs_test_unit", 3), ("bs_match_string", 4),
    ("bs_init_writable", 0), ("bs_append", 8), ("bs_private_append", 6), ("trim", 2),
    ("bs_init_bits", 6), ("bs_get_utf8", 5), ("bs_skip_utf8", 4), ("bs_get_utf16", 5),
    ("bs_skip_utf16", 4), ("bs_get_utf32", 5), ("bs_skip_utf32", 4), ("bs_utf8_size", 3),
    ("bs_put_utf8", 3), ("bs_utf16_size", 3), ("bs_put_utf16", 3), ("bs_put_utf32", 3),
    ("on_load", 0), ("recv_mark", 1), ("recv_set", 1), ("gc_bif3", 7),
    ("line", 1), ("put_map_assoc", 5), ("put_map_exact", 5), ("is_map", 2),
    ("has_map_fields", 3), ("get_map_elements", 3), ("is_tagged_tuple", 4), ("build_stacktrace", 0),
    ("raw_raise", 0), ("get_hd", 2), ("get_tl", 2), ("put_tuple2", 2),
    ("bs_get_tail", 3), ("bs_start_match3", 4), ("bs_get_position", 3), ("bs_set_position", 2),
    ("swap", 2), ("bs_start_match4", 4), ("make_fun3", 3), ("init_yregs", 1),
    ("recv_marker_bind", 2), ("recv_marker_clear", 1), ("recv_marker_reserve", 1), ("recv_marker_use", 1),
    ("bs_create_bin", 6), ("call_fun2", 3), ("nif_start", 0), ("badrecord", 1),
    ("update_record", 5), ("bs_match", 3), ("executable_line", 2), ("debug_line", 4),
    ("bif3", 6), ("is_any_native_record", 2), ("is_native_record", 4), ("get_record_elements", 3),
    ("put_record", 6), ("is_record_accessible", 3), ("get_record_field", 5),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names() {
        let check = |number, name, arity| {
            let opcode = Opcode::new(number).expect("a known number");
            assert_eq!((opcode.name(), opcode.arity()), (name, arity));
        };
        check(1, "label", 1);
        check(153, "line", 1);
        check(180, "badrecord", 1);
        check(182, "bs_match", 3);
        check(191, "get_record_field", 5);
        assert_eq!(OPCODE_MAX, 191);
        assert!(Opcode::new(0).is_none());
        assert!(Opcode::new(192).is_none());
        assert!(Opcode::new(257).is_none());
    }
}
