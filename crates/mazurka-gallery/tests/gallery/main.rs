//! Every program of the gallery, explored.

mod cases;
mod counts;
mod directed;
mod explore;
mod mistakes;
mod params;
mod subjects;
