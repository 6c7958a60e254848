//! Shortest paths from one node of a graph to all others (Chandy and Misra 1982, without
//! the acknowledgements by which they find out that all is done; a subject of Tasharofi et
//! al. 2012).

use crate::program::{Parameter, Program};
use crate::{Next, Pattern, Term, Turn, assert_that, done, pattern, receive, start, tuple};

pub(super) const PROGRAM: Program = Program {
    name: "shortpath",
    about: "the nodes of a graph find their distances from one of them (TransDPOR's shortpath)",
    wrong: None,
    parameters: &[Parameter {
        name: "graph",
        default: 4,
        min: 4,
        max: 5,
        about: "which of two graphs: the one with 4 nodes, or the one with 5",
    }],
    entry: |values| start!(main, values.get("graph")),
    traces: |_, _| None,
};

struct Graph {
    source: usize,
    /// Where the edges of each node go. All have the same length.
    edges: &'static [&'static [usize]],
    /// The true distances.
    distances: &'static [i64],
}

const FOUR: Graph = Graph {
    source: 0,
    edges: &[&[1, 2, 3], &[3], &[3], &[1, 2]],
    distances: &[0, 1, 1, 1],
};

const FIVE: Graph = Graph {
    source: 4,
    edges: &[&[1, 2, 4], &[0, 3, 4], &[0], &[1], &[0, 1]],
    distances: &[1, 1, 2, 2, 0],
};

fn graph(nodes: i64) -> &'static Graph {
    match nodes {
        4 => &FOUR,
        _ => &FIVE,
    }
}

fn main(args: &Term, turn: &mut Turn<'_>) -> Next {
    let n = args.int(0)?;
    let nodes: Vec<_> = (0..n).map(|i| turn.spawn(start!(node, n, i))).collect();
    let source = nodes[graph(n).source];
    // Messages bring the processes along, so that nobody has to be told of them before.
    let nodes = Term::Tuple(nodes.into_iter().map(Term::Pid).collect());
    turn.send(source, tuple!["distance", 0, nodes]);
    done()
}

fn node(args: &Term, turn: &mut Turn<'_>) -> Next {
    turn.daemon();
    let (graph, i) = (graph(args.int(0)?), args.int(1)?);
    let at = usize::try_from(i).unwrap_or_default();
    improve(graph.edges[at], graph.distances[at], i64::MAX)
}

/// Tells the neighbours whenever there is a shorter way.
fn improve(neighbours: &'static [usize], shortest: i64, known: i64) -> Next {
    let distance = pattern!["distance", Pattern::Integer, Pattern::Any];
    receive(distance, move |message, turn| {
        let (distance, nodes) = (message.int(1)?, message.at(2)?);
        assert_that(distance >= shortest, "every distance is that of some path")?;
        if distance >= known {
            return improve(neighbours, shortest, known);
        }
        for &neighbour in neighbours {
            let further = tuple!["distance", distance + 1, nodes.clone()];
            turn.send(nodes.pid(neighbour)?, further);
        }
        improve(neighbours, shortest, distance)
    })
}
