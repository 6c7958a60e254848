//! Dates, and seconds since 1970.

use super::BifResult;
use crate::raise::Raise;
use crate::term::{Atom, Term};

table! {
    "erlang" {
        "posixtime_to_universaltime"/1 => posixtime_to_universaltime,
        "universaltime_to_posixtime"/1 => universaltime_to_posixtime,
        "universaltime_to_localtime"/1 => universaltime_to_localtime,
        "localtime_to_universaltime"/2 => localtime_to_universaltime,
    }
}

const DAY: i64 = 86_400;
/// The days in 400 years.
const ERA: i64 = 146_097;
/// The days from 1 March of the year 0 to 1 January 1970.
const EPOCH: i64 = 719_468;
/// The years of valid dates.
const YEARS: std::ops::RangeInclusive<i64> = 1600..=2_147_483_646;

/// The start of 1902. Earlier local times are refused, because time zone data starts there.
const LOCAL_FIRST: i64 = -2_145_916_800;

// In the computations below, years start in March, so that a leap day is the last day of its year.

pub(crate) fn posixtime_to_universaltime(seconds: &Term) -> BifResult {
    let Term::Int(seconds) = seconds else {
        return Err(Raise::badarg());
    };
    let days = seconds.div_euclid(DAY) + EPOCH;
    let (era, day) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year + month / 10;
    let month = (month + 2) % 12 + 1;
    let time = seconds.rem_euclid(DAY);
    let three = |one, two, three| Term::tuple([Term::Int(one), Term::Int(two), Term::Int(three)]);
    Ok(Term::tuple([
        three(year, month, day),
        three(time / 3600, time / 60 % 60, time % 60),
    ]))
}

fn universaltime_to_posixtime(date: &Term) -> BifResult {
    let seconds = posixtime(date).ok_or_else(Raise::badarg)?;
    Ok(Term::Int(seconds))
}

/// The local time zone is always UTC.
fn universaltime_to_localtime(date: &Term) -> BifResult {
    let seconds = posixtime(date).filter(|&seconds| seconds >= LOCAL_FIRST);
    posixtime_to_universaltime(&Term::Int(seconds.ok_or_else(Raise::badarg)?))
}

/// UTC has no daylight saving time. If `summer` is true, one hour is subtracted, as the C library
/// does.
fn localtime_to_universaltime(date: &Term, summer: &Term) -> BifResult {
    let offset = match summer {
        Term::Atom(Atom::TRUE) => 3600,
        Term::Atom(Atom::FALSE | Atom::UNDEFINED) => 0,
        _ => return Err(Raise::badarg()),
    };
    let seconds = posixtime(date).filter(|&seconds| seconds >= LOCAL_FIRST);
    posixtime_to_universaltime(&Term::Int(seconds.ok_or_else(Raise::badarg)? - offset))
}

/// The seconds since 1970 of `{{Year, Month, Day}, {Hour, Minute, Second}}`.
fn posixtime(date: &Term) -> Option<i64> {
    match date {
        Term::Tuple(pair) if pair.len() == 2 => seconds_at(three(&pair[0])?, three(&pair[1])?),
        _ => None,
    }
}

fn three(term: &Term) -> Option<[i64; 3]> {
    match term {
        Term::Tuple(tuple) => match &***tuple {
            [Term::Int(one), Term::Int(two), Term::Int(three)] => Some([*one, *two, *three]),
            _ => None,
        },
        _ => None,
    }
}

fn seconds_at([year, month, day]: [i64; 3], [hour, minute, second]: [i64; 3]) -> Option<i64> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    let valid = YEARS.contains(&year)
        && (1..=days).contains(&day)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..60).contains(&second);
    if !valid {
        return None;
    }
    let year = year - i64::from(month <= 2);
    let day = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = year * 365 + year / 4 - year / 100 + year / 400 + day - EPOCH;
    Some(days * DAY + hour * 3600 + minute * 60 + second)
}
