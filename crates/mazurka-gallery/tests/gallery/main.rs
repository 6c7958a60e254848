//! Explores every program of the gallery.

mod cases;
mod counts;
mod directed;
mod explore;
mod mistakes;
mod params;
mod subjects;
