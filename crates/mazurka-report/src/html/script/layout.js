// The rows and lanes of a diagram, and their positions.

// All sizes are in pixels.

/** The height of a row, and of a row with a second line. */
const ROW = 26;
const ROW_TALL = 44;
const HEAD = 40;
const LANE_MIN = 22;
const LANE_WANTED = 64;
const LANE_MAX = 96;
/** The margin on both sides of the lanes. */
const MARGIN = 6;
/** The width of the text beside the lanes: on one line, on two lines, and the minimum. */
const TEXT_WIDE = 620;
const TEXT = 380;
const TEXT_MIN = 170;
/** At least 8 successive events of one kind and one process are folded into one row. */
const FOLD_MIN = 8;

/** The rows of a diagram: events, folded events, dividers, and the processes that wait at the end. */
function rowsOf(execution, view, marks) {
  const rows = [];
  const shown = (id) => isShown(execution.events[id], view);
  for (let id = 0; id < execution.events.length; id++) {
    for (const divider of marks.dividers) {
      if (divider.before === id) rows.push({ divider: divider.text, class: divider.class });
    }
    if (!shown(id)) continue;
    const end = foldEnd(execution, id, shown, marks);
    if (end - id >= FOLD_MIN && !view.isUnfolded && !view.unfolded.has(id)) {
      rows.push({ fold: true, events: range(id, end) });
      id = end - 1;
    } else {
      rows.push({ events: [id] });
    }
  }
  if (marks.closing) rows.push({ divider: marks.closing, class: "passes" });
  for (const end of marks.ends) {
    if (!view.hidden.has(end.lane)) rows.push({ end, events: [] });
  }
  return rows;
}

function isShown(event, view) {
  return !view.hidden.has(event.lane) && (view.showQuiet || !event.quiet);
}

/** The end of the run of similar events, from `start`, that may be folded. */
function foldEnd(execution, start, shown, marks) {
  const first = execution.events[start];
  const isSimilar = (id) => {
    const event = execution.events[id];
    return event.lane === first.lane && event.kind === first.kind && shown(id)
      && !event.race && !event.versions && !event.output && !marks.of.has(id)
      && !marks.dividers.some((divider) => divider.before === id && id > start);
  };
  let end = start;
  while (end < execution.events.length && isSimilar(end)) end++;
  return Math.max(end, start + 1);
}

function range(start, end) {
  return Array.from({ length: end - start }, (_, index) => start + index);
}

/** The lanes that are shown, in their order. */
function lanesOf(execution, view) {
  const isLaneShown = (lane) => !view.hidden.has(lane)
    && (view.showQuiet || !execution.lanes[lane].quiet)
    && (execution.ofLane[lane].length > 0 || !execution.lanes[lane].object);
  return view.order.filter(isLaneShown);
}

/** The positions of rows and lanes in a box of this width. */
function layoutOf(execution, view, marks, width) {
  const rows = rowsOf(execution, view, marks);
  const lanes = lanesOf(execution, view);
  const longest = Math.max(3, ...lanes.map((lane) => Math.min(12, execution.lanes[lane].name.length)));
  const wanted = Math.min(LANE_MAX, Math.max(LANE_WANTED, longest * 7.5 + 8));
  const text = width < TEXT + 160 ? TEXT_MIN : Math.max(TEXT, Math.min(TEXT_WIDE, width * 0.44));
  const available = (width - text - 2 * MARGIN) / Math.max(1, lanes.length);
  const spacing = Math.floor(Math.max(LANE_MIN, Math.min(wanted, available)));
  const x = new Map(lanes.map((lane, index) => [lane, spacing * (index + 0.5) + MARGIN]));
  const rowOf = new Map();
  rows.forEach((row, index) => (row.events || []).forEach((id) => rowOf.set(id, index)));
  const graph = lanes.length * spacing + 2 * MARGIN;
  const isTall = width - graph < TEXT_WIDE;
  const row = isTall ? ROW_TALL : ROW;
  return {
    rows, lanes, spacing, x, rowOf, graph, row, isTall,
    isNarrow: width - graph < TEXT - 20,
    height: rows.length * row + 12,
    width: Math.max(width, graph + TEXT_MIN),
    y: (index) => index * row + (isTall ? 13 : row / 2),
  };
}
