//! Information about the machine, and functions that have no effect here.

use std::fmt::Write;

use mazurka_engine::Bounded;

use crate::machine::effect::Effect;
use crate::machine::native::{Context, Local, Next, Row};
use crate::raise::Raise;
use crate::term::{Atom, Term};

pub(super) const TABLE: &[Row<Local>] = &[
    ("erlang", "display", 1, display),
    ("erlang", "display_string", 1, display_string),
    ("erlang", "display_string", 2, display_string_on),
    ("erlang", "display_nl", 0, display_nl),
    ("erlang", "yield", 0, yes),
    ("erlang", "garbage_collect", 0, yes),
    ("erts_internal", "garbage_collect", 1, yes),
    ("erlang", "bump_reductions", 1, bump_reductions),
    ("os", "getenv", 1, getenv),
    ("os", "env", 0, env),
    ("init", "get_argument", 1, no_argument),
    ("init", "get_arguments", 0, env),
    ("init", "get_plain_arguments", 0, env),
    ("init", "get_status", 0, get_status),
    ("erlang", "is_alive", 0, no),
    ("net_kernel", "monitor_nodes", 1, done),
    ("net_kernel", "monitor_nodes", 2, done),
];

/// The environment is empty, so that results do not depend on the computer.
fn getenv(_: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    match arguments[0] {
        Term::Nil | Term::Cons(_) => Ok(Atom::FALSE.into()),
        _ => Err(Raise::badarg()),
    }
}

fn env(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Term::Nil)
}

/// There are no arguments on the command line.
fn no_argument(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Atom::ERROR.into())
}

fn get_status(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    let started = Term::atom("started");
    Ok(Term::tuple([started.clone(), started]))
}

fn no(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Atom::FALSE.into())
}

/// Nodes never come or go.
fn done(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Atom::OK.into())
}

fn yes(_: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    Ok(Atom::TRUE.into())
}

fn bump_reductions(_: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    match arguments[0] {
        Term::Int(1..) => Ok(Atom::TRUE.into()),
        _ => Err(Raise::badarg()),
    }
}

fn display(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let mut text = Bounded::new(Bounded::OUTPUT_MAX);
    // Writing fails when the length limit is reached.
    _ = write!(text, "{}", arguments[0]);
    let text = text.finish() + "\n";
    context.effects.push(Effect::Output(text));
    Ok(Atom::TRUE.into())
}

fn display_string(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    let character = |term: &Term| match term {
        Term::Int(code) => char::from_u32(u32::try_from(*code).ok()?),
        _ => None,
    };
    let mut elements = arguments[0].elements();
    let text: Option<String> = elements.by_ref().map(character).collect();
    match (text, elements.rest()) {
        (Some(text), Term::Nil) => {
            context.effects.push(Effect::Output(text));
            Ok(Atom::TRUE.into())
        }
        _ => Err(Raise::badarg()),
    }
}

/// Since OTP 27. Both devices are the same here.
fn display_string_on(context: &mut Context<'_>, arguments: &[Term]) -> Result<Term, Raise> {
    match &arguments[0] {
        Term::Atom(device) if matches!(device.name(), "stdout" | "stderr") => {
            display_string(context, &arguments[1..])
        }
        _ => Err(Raise::badarg()),
    }
}

fn display_nl(context: &mut Context<'_>, _: &[Term]) -> Result<Term, Raise> {
    context.effects.push(Effect::Output("\n".into()));
    Ok(Atom::TRUE.into())
}

/// The reported number of schedulers. Some libraries start that many processes.
const SCHEDULERS: i64 = 2;

/// The runtime system has its own version numbers: OTP 25 has version 13.
const RUNTIME_BEHIND_OTP: u32 = 12;

/// Items of `system_info/1` that are not modelled, of all releases.
const NOT_MODELLED: [&str; 59] = [
    "all_schedulers_state",
    "alloc_util_allocators",
    "allocated_areas",
    "allocator",
    "async_dist",
    "atom_count",
    "beam_jump_table",
    "break_ignored",
    "c_compiler_used",
    "check_io",
    "compile_info",
    "constant_pool_support",
    "cpu_quota",
    "cpu_topology",
    "decentralized_counter_groups_map",
    "delayed_node_table_gc",
    "dist",
    "dist_buf_busy_limit",
    "dynamic_trace_probes",
    "eager_check_io",
    "emu_args",
    "end_time",
    "ethread_info",
    "ethread_used_tse",
    "ets_always_compress",
    "ets_count",
    "ets_realloc_moves",
    "garbage_collection",
    "halt_flush_timeout",
    "heap_sizes",
    "hipe_architecture",
    "info",
    "io_thread",
    "literal_test",
    "loaded",
    "lock_checking",
    "lock_counting",
    "max_heap_size",
    "multi_scheduling_blockers",
    "normal_multi_scheduling_blockers",
    "os_monotonic_time_source",
    "os_system_time_source",
    "outstanding_system_requests_limit",
    "port_tasks",
    "process_count",
    "procs",
    "reader_groups_map",
    "run_queues",
    "scheduler_bind_type",
    "scheduler_bindings",
    "schedulers_active",
    "schedulers_total",
    "sequential_tracer",
    "snifs",
    "system_logger",
    "taints",
    "thread_progress",
    "total_scheduling_statistics",
    "update_cpu_info",
];

pub(super) fn system_info(context: &mut Context<'_>, arguments: &[Term]) -> Result<Next, Raise> {
    let refused = || {
        let what = format!("system_info({})", arguments[0]);
        Ok(Next::Unsupported(what))
    };
    let item = match &arguments[0] {
        Term::Atom(item) => item.name(),
        Term::Tuple(pair) => match &***pair {
            [Term::Atom(item), Term::Atom(kind)]
                if item.name() == "wordsize" && matches!(kind.name(), "internal" | "external") =>
            {
                "wordsize"
            }
            [Term::Atom(item), _]
                if matches!(
                    item.name(),
                    "allocator" | "allocator_sizes" | "cpu_topology"
                ) =>
            {
                return refused();
            }
            _ => return Err(Raise::badarg()),
        },
        _ => return Err(Raise::badarg()),
    };
    let release = context.library.release();
    Ok(Next::Value(match item {
        "otp_release" => string(&release.to_string()),
        "version" => string(&format!("{}.0", release.saturating_sub(RUNTIME_BEHIND_OTP))),
        "machine" => string("BEAM"),
        "system_version" => string(&format!("Erlang/OTP {release} [mazurka]\n")),
        "system_architecture" => string("x86_64-pc-linux-gnu"),
        "driver_version" => string("3.3"),
        "nif_version" => string("2.16"),
        "os_type" => Term::tuple([Term::atom("unix"), Term::atom("linux")]),
        "os_version" => Term::tuple([6, 0, 0].map(Term::Int)),
        "wordsize" => Term::Int(8),
        "endian" => Term::atom("little"),
        "schedulers"
        | "schedulers_online"
        | "logical_processors"
        | "logical_processors_available"
        | "logical_processors_online"
        | "dirty_cpu_schedulers"
        | "dirty_cpu_schedulers_online" => Term::Int(SCHEDULERS),
        "dirty_io_schedulers" => Term::Int(10),
        "scheduler_id" | "thread_pool_size" => Term::Int(1),
        "process_limit" => Term::Int(262_144),
        "port_limit" => Term::Int(65_536),
        "atom_limit" => Term::Int(1_048_576),
        "ets_limit" => Term::Int(8_192),
        "port_count" | "creation" | "trace_control_word" | "start_time" => Term::Int(0),
        "context_reductions" => Term::Int(4_000),
        "compat_rel" => Term::Int(release.into()),
        "emu_flavor" => Term::atom("emu"),
        "emu_type" | "build_type" => Term::atom("opt"),
        "heap_type" => Term::atom("private"),
        "message_queue_data" => Term::atom("on_heap"),
        "multi_scheduling" => Term::atom("enabled"),
        "time_warp_mode" => Term::atom("no_time_warp"),
        "time_offset" => Term::atom("final"),
        "tolerant_timeofday" => Term::atom("enabled"),
        "dynamic_trace" => Term::atom("none"),
        "modified_timing_level" => Atom::UNDEFINED.into(),
        "smp_support" | "threads" | "time_correction" | "kernel_poll" => Atom::TRUE.into(),
        "debug_compiled" | "port_parallelism" => Atom::FALSE.into(),
        "dist_ctrl" => Term::Nil,
        "fullsweep_after" => pair("fullsweep_after", 65_535),
        "min_heap_size" => pair("min_heap_size", 233),
        "min_bin_vheap_size" => pair("min_bin_vheap_size", 46_422),
        item if NOT_MODELLED.contains(&item) => return refused(),
        _ => return Err(Raise::badarg()),
    }))
}

fn pair(name: &str, value: i64) -> Term {
    Term::tuple([Term::atom(name), Term::Int(value)])
}

fn string(text: &str) -> Term {
    let characters = text.chars().map(|c| Term::Int(i64::from(u32::from(c))));
    Term::list(characters.collect::<Vec<_>>())
}
