//! Shortest paths from one node of a graph to all others (Chandy and Misra 1982, without the
//! acknowledgements that detect termination; a subject of Tasharofi et al. 2012).

use crate::built::Built;
use crate::program::{Parameter, Program};
use mazurka::{Pid, daemon, interchangeable, receive, send, spawn};

pub(super) const PROGRAM: Program = Program {
    name: "shortpath",
    about: "the nodes of a graph find their distances from one of them (TransDPOR's shortpath)",
    delivery: mazurka::Delivery::Unordered,
    wrong: None,
    parameters: &[Parameter {
        name: "graph",
        default: 4,
        min: 4,
        max: 5,
        about: "the graph: 4 for the one with 4 nodes, 5 for the one with 5",
    }],
    build: |values| {
        interchangeable::<Way>();
        match values.get("graph") {
            4 => Built::rust(|| main(&FOUR)),
            _ => Built::rust(|| main(&FIVE)),
        }
    },
    traces: |_, _| None,
};

struct Graph {
    source: usize,
    /// The targets of each node's edges. All edges have the same length.
    edges: &'static [&'static [usize]],
    /// The true distances.
    distances: &'static [i64],
}

static FOUR: Graph = Graph {
    source: 0,
    edges: &[&[1, 2, 3], &[3], &[3], &[1, 2]],
    distances: &[0, 1, 1, 1],
};

static FIVE: Graph = Graph {
    source: 4,
    edges: &[&[1, 2, 4], &[0, 3, 4], &[0], &[1], &[0, 1]],
    distances: &[1, 1, 2, 2, 0],
};

/// There is a path with this length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Way {
    distance: i64,
    /// The processes of all nodes. Messages contain them, so the nodes need not be initialised.
    nodes: Vec<Pid>,
}

async fn main(graph: &'static Graph) {
    let start = |i| spawn(move || node(graph.edges[i], graph.distances[i]));
    let nodes: Vec<Pid> = (0..graph.edges.len()).map(start).collect();
    let distance = 0;
    send(nodes[graph.source], Way { distance, nodes });
}

async fn node(neighbours: &'static [usize], shortest: i64) {
    daemon();
    let mut known = i64::MAX;
    loop {
        let Way { distance, nodes } = receive().await;
        // Every distance is the length of a path.
        assert!(distance >= shortest);
        if distance >= known {
            continue;
        }
        known = distance;
        // Notifies the neighbours of each shorter path.
        for &neighbour in neighbours {
            let (distance, nodes) = (distance + 1, nodes.clone());
            send(nodes[neighbour], Way { distance, nodes });
        }
    }
}
