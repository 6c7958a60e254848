// The space-time diagram of one execution: a lane for each process, a row for each event. Only
// the visible rows, and some above and below them, are in the document.

/** The number of rows drawn above and below the visible ones. */
const OVERSCAN = 12;
const SHADE_SIGNS = { past: "◂", future: "▸", concurrent: "∥", chosen: "●" };
const SHADE_WORDS = {
  past: "happened before", future: "happened after", concurrent: "concurrent", chosen: "chosen",
};
/** The number of diagrams created, which makes their names unique. */
let diagrams = 0;

class Diagram {
  /** `marks` are the events and rows to emphasise; `listener(diagram, id)` is called when the choice changes. */
  constructor(execution, title, marks, listener) {
    this.execution = execution;
    this.marks = marks;
    this.listener = listener;
    this.name = `d${diagrams++}`;
    this.chosen = null;
    this.shades = null;
    this.variant = null;
    this.printing = false;
    this.view = {
      order: range(0, execution.lanes.length),
      hidden: new Set(), unfolded: new Set(), isUnfolded: false, showQuiet: false,
    };
    this.#build(title);
  }

  #build(title) {
    this.head = element("div", { class: "head" });
    this.picture = shape("svg", { "aria-hidden": "true" });
    this.list = element("div", { class: "rows", role: "presentation" });
    this.canvas = element("div", { class: "canvas", role: "presentation" }, this.picture, this.list);
    this.box = element("div", {
      class: "box", tabindex: "0", role: "listbox", id: this.name,
      "aria-label": `${title}: events from top to bottom. Arrow keys move, ? explains.`,
      scroll: () => this.#drawVisible(), keydown: (event) => this.#key(event),
      click: (event) => this.#click(event), dblclick: (event) => this.#doubleClick(event),
    }, this.head, this.canvas);
    this.lanePanel = element("details", { class: "lanes" });
    this.banner = element("div", { class: "banner", hidden: true });
    this.element = element("section", { class: `diagram ${this.marks.class || ""}` },
      element("h4", {}, title), this.lanePanel, this.banner, this.box);
    new ResizeObserver(() => this.draw()).observe(this.box);
  }

  /** Lays everything out again. */
  draw() {
    const width = this.box.clientWidth;
    if (width === 0) return;
    this.layout = layoutOf(this.execution, this.view, this.marks, width);
    this.canvas.classList.toggle("tall", this.layout.isTall);
    this.canvas.classList.toggle("narrow", this.layout.isNarrow);
    this.canvas.style.width = `${this.layout.width}px`;
    this.canvas.style.height = `${this.layout.height}px`;
    this.picture.setAttribute("width", this.layout.width);
    this.picture.setAttribute("height", this.layout.height);
    this.#drawHead();
    this.#drawLanePanel();
    this.drawn = null;
    this.#drawVisible();
    if (!this.placed) {
      this.placed = true;
      this.#showFirst();
    }
  }

  /** Scrolls to the decisive event, the failing one, or the processes that wait at the end. */
  #showFirst() {
    const { decided, fails } = this.marks;
    const first = [decided, fails].find((id) => id !== null && id !== undefined);
    const row = first === undefined ? this.layout.rows.length - 1 : this.layout.rowOf.get(first);
    const hasTarget = first !== undefined || this.marks.ends.length > 0;
    if (hasTarget && row !== undefined) this.#showRow(row, true);
  }

  // Lanes

  #drawHead() {
    const { layout, execution } = this;
    this.head.style.width = `${layout.width}px`;
    const cell = (lane) => {
      const { name, alone, pid, object } = execution.lanes[lane];
      return element("div", {
        class: `lane${object ? " object" : ""}`, draggable: "true", "data-lane": lane,
        title: alone ? `${alone} ${pid}` : name,
        style: `left:${layout.x.get(lane) - layout.spacing / 2}px;width:${layout.spacing}px`,
        dragstart: (event) => event.dataTransfer.setData("text/plain", `${lane}`),
        dragover: (event) => event.preventDefault(),
        drop: (event) => this.#dropLane(event, lane),
      }, element("span", { class: "name" }, alone || name),
      alone ? element("span", { class: "role" }, pid) : null,
      element("button", {
        type: "button", class: "hide", tabindex: "-1", "aria-label": `Hide ${name}`, title: `Hide ${name}`,
        click: () => this.hideLane(lane),
      }, "×"));
    };
    this.head.replaceChildren(...layout.lanes.map(cell));
  }

  #dropLane(event, before) {
    event.preventDefault();
    const lane = Number(event.dataTransfer.getData("text/plain"));
    const { order } = this.view;
    if (lane === before || !order.includes(lane)) return;
    order.splice(order.indexOf(lane), 1);
    order.splice(order.indexOf(before), 0, lane);
    this.draw();
  }

  /** Checkboxes and buttons that hide and move lanes without dragging. */
  #drawLanePanel() {
    const { lanes, events } = this.execution;
    const { view } = this;
    const listed = view.order.filter((lane) => view.showQuiet || !lanes[lane].quiet);
    const hidden = listed.filter((lane) => view.hidden.has(lane)).length;
    const item = (lane) => element("li", { "data-lane": lane },
      element("label", {}, element("input", {
        type: "checkbox", checked: !view.hidden.has(lane), change: () => this.toggleLane(lane),
      }), " ", element("b", {}, lanes[lane].alone || lanes[lane].name), lanes[lane].alone ? ` ${lanes[lane].pid}` : ""),
      element("span", {},
        moveButton("◀", `Move ${lanes[lane].name} left`, () => this.moveLane(lane, -1)),
        moveButton("▶", `Move ${lanes[lane].name} right`, () => this.moveLane(lane, 1))));
    const quiet = events.filter((event) => event.quiet).length;
    this.lanePanel.replaceChildren(
      element("summary", {}, `Lanes: ${listed.length - hidden} of ${listed.length} shown`),
      element("ul", {}, listed.map(item)),
      element("p", {}, element("button", {
        type: "button", class: "small", click: () => this.showAllLanes(),
      }, "Show all"), quiet > 0 ? element("label", {}, " ", element("input", {
        type: "checkbox", checked: view.showQuiet, change: () => this.#toggleQuiet(),
      }), ` bookkeeping of the run-time system (${count(quiet, "event")})`) : null));
  }

  toggleLane(lane) {
    const { hidden } = this.view;
    if (!hidden.delete(lane)) hidden.add(lane);
    this.draw();
  }

  hideLane(lane) {
    this.view.hidden.add(lane);
    this.draw();
  }

  showAllLanes() {
    this.view.hidden.clear();
    this.draw();
  }

  #toggleQuiet() {
    this.view.showQuiet = !this.view.showQuiet;
    this.draw();
  }

  /** Swaps a lane with the shown lane before it (`by` = -1) or after it (1). */
  moveLane(lane, by) {
    const shown = lanesOf(this.execution, this.view);
    const other = shown[shown.indexOf(lane) + by];
    const { order } = this.view;
    if (other === undefined || !shown.includes(lane)) return;
    const [a, b] = [order.indexOf(lane), order.indexOf(other)];
    [order[a], order[b]] = [order[b], order[a]];
    this.draw();
  }

  // Choosing

  /** Chooses an event (null: none) and shades the others by their relation to it. */
  choose(id) {
    if (this.variant && id !== this.variant.receive) this.showVariant(null);
    this.chosen = id;
    this.shades = id === null ? null : this.execution.shades(id);
    if (id !== null) this.#unfold(id);
    this.#redraw();
    if (id !== null) this.#showRow(this.layout.rowOf.get(id), false);
    this.listener(this, id);
  }

  #redraw() {
    this.drawn = null;
    this.#drawVisible();
  }

  #unfold(id) {
    const row = this.layout.rows[this.layout.rowOf.get(id)];
    if (row && row.fold) {
      this.view.unfolded.add(row.events[0]);
      this.draw();
    }
    if (this.view.hidden.delete(this.execution.events[id].lane)) this.draw();
    if (!this.layout.rowOf.has(id)) {
      this.view.showQuiet = true;
      this.draw();
    }
  }

  /** Strikes out the events that a race variant drops; null shows no variant. */
  showVariant(variant, banner) {
    this.variant = variant;
    this.dropped = variant && this.execution.future(variant.receive);
    this.banner.hidden = variant === null;
    this.banner.replaceChildren(...(banner || []));
    this.#redraw();
  }

  #click(event) {
    const row = event.target.closest(".row");
    if (!row || !this.box.contains(row)) return;
    if (row.dataset.fold) this.choose(Number(row.dataset.fold));
    else if (row.dataset.event) this.choose(Number(row.dataset.event));
  }

  #doubleClick(event) {
    const lane = event.target.closest(".lane");
    if (lane) this.hideLane(Number(lane.dataset.lane));
  }

  #key(event) {
    if (event.target !== this.box || event.ctrlKey || event.metaKey || event.altKey) return;
    const go = {
      ArrowUp: () => this.#alongLane(-1), ArrowDown: () => this.#alongLane(1),
      ArrowLeft: () => this.#alongMessage(-1), ArrowRight: () => this.#alongMessage(1),
      k: () => this.#alongRows(-1), j: () => this.#alongRows(1),
      Home: () => this.#toRow(0), End: () => this.#toRow(this.layout.rows.length - 1),
      h: () => this.#hideChosen(), H: () => this.showAllLanes(),
      "[": () => this.#moveChosen(-1), "]": () => this.#moveChosen(1),
      Escape: () => this.#clear(),
    }[event.key];
    if (!go) return;
    event.preventDefault();
    event.stopPropagation();
    go();
  }

  #clear() {
    if (this.variant) this.showVariant(null);
    else this.choose(null);
  }

  #hideChosen() {
    if (this.chosen === null) return;
    const { lane } = this.execution.events[this.chosen];
    this.choose(null);
    this.hideLane(lane);
  }

  #moveChosen(by) {
    if (this.chosen !== null) this.moveLane(this.execution.events[this.chosen].lane, by);
  }

  #alongLane(by) {
    if (this.chosen === null) return this.#start();
    const ofLane = this.execution.ofLane[this.execution.events[this.chosen].lane]
      .filter((id) => this.view.showQuiet || !this.execution.events[id].quiet);
    const next = ofLane[ofLane.indexOf(this.chosen) + by];
    if (next !== undefined) this.choose(next);
  }

  /** Goes to an event of another process that the chosen one caused (`by` = 1) or was caused by (-1). */
  #alongMessage(by) {
    if (this.chosen === null) return this.#start();
    const { events, after } = this.execution;
    const { lane } = events[this.chosen];
    const isElsewhere = (id) => events[id].lane !== lane && isShown(events[id], this.view);
    const near = by > 0 ? after[this.chosen] : events[this.chosen].causes || [];
    // From the first event of a process, prefer the message that it consumed to the spawn.
    const isMessage = (id) => isElsewhere(id) && events[id].kind !== "spawn";
    const next = near.find(isMessage) ?? near.find(isElsewhere);
    if (next !== undefined) this.choose(next);
  }

  #alongRows(by) {
    if (this.chosen === null) return this.#start();
    const { rows, rowOf } = this.layout;
    for (let row = rowOf.get(this.chosen) + by; rows[row]; row += by) {
      if (rows[row].events && rows[row].events.length > 0) return this.choose(rows[row].events[0]);
    }
  }

  #toRow(row) {
    const { rows } = this.layout;
    const by = row === 0 ? 1 : -1;
    while (rows[row] && !(rows[row].events && rows[row].events.length > 0)) row += by;
    if (rows[row]) this.choose(rows[row].events[0]);
  }

  /** The first event chosen by keys: the decisive one, the failing one, or the first visible one. */
  #start() {
    const { decided, fails } = this.marks;
    const first = [decided, fails].find((id) => id !== null && id !== undefined);
    if (first !== undefined) this.choose(first);
    else this.#toRow(Math.floor(this.box.scrollTop / this.layout.row));
  }

  #showRow(row, isCentred) {
    if (row === undefined) return;
    const visibleHeight = this.box.clientHeight - HEAD;
    const { row: height } = this.layout;
    const top = row * height;
    const { scrollTop } = this.box;
    if (isCentred) this.box.scrollTop = top - visibleHeight / 2;
    else if (top < scrollTop + height) this.box.scrollTop = top - height;
    else if (top + 2 * height > scrollTop + visibleHeight) this.box.scrollTop = top + 2 * height - visibleHeight;
    this.#drawVisible();
  }

  // Drawing

  /** Draws all rows, unfolded, for printing; with false, only the visible ones again. */
  print(isPrinting) {
    this.printing = isPrinting;
    this.view.isUnfolded = isPrinting;
    this.draw();
  }

  #drawVisible() {
    if (!this.layout) return;
    const { rows, row: height } = this.layout;
    const { scrollTop, clientHeight } = this.box;
    let first = Math.max(0, Math.floor(scrollTop / height) - OVERSCAN);
    let last = Math.min(rows.length, Math.ceil((scrollTop + clientHeight) / height) + OVERSCAN);
    if (this.printing) [first, last] = [0, rows.length];
    const { drawn } = this;
    if (drawn && first >= drawn.first && last <= drawn.last) return;
    // Draw some more rows, so that scrolling by a few pixels does not draw again.
    if (!this.printing) {
      first = Math.max(0, first - OVERSCAN);
      last = Math.min(rows.length, last + OVERSCAN);
    }
    this.drawn = { first, last };
    this.list.replaceChildren(...range(first, last).map((row) => this.#row(row)));
    this.picture.replaceChildren(
      ...this.#lifelines(first, last), ...this.#arrows(first, last), ...this.#glyphs(first, last));
    const active = this.chosen === null ? null : `${this.name}-e${this.chosen}`;
    if (active) this.box.setAttribute("aria-activedescendant", active);
    else this.box.removeAttribute("aria-activedescendant");
  }

  #row(index) {
    const row = this.layout.rows[index];
    const style = `top:${index * this.layout.row}px;padding-left:${this.layout.graph}px`;
    if (row.divider) {
      return element("div", { class: `divider ${row.class}`, style }, element("span", {}, row.divider));
    }
    if (row.end) {
      const { name } = this.execution.lanes[row.end.lane];
      return element("div", { class: "row fails", style, "data-end": "" },
        element("span", { class: "sign" }), element("b", { class: "who", title: name }, name),
        element("span", { class: "what", title: row.end.text }, row.end.text), pill(row.end.isMain ? "this error" : "another error"));
    }
    return row.fold ? this.#foldRow(row, style) : this.#eventRow(row.events[0], style);
  }

  #foldRow(row, style) {
    const { execution } = this;
    const [first, last] = [row.events[0], row.events[row.events.length - 1]];
    const { kind, lane } = execution.events[first];
    const shades = this.shades ? new Set(row.events.map((id) => this.shades[id])) : new Set();
    const shade = shades.size === 1 ? [...shades][0] : "";
    const text = `${row.events.length} × ${kind}: ${execution.words(first)[1]} … ${execution.words(last)[1]}`;
    return element("div", {
      class: `row fold ${shade}`, style, role: "option", "data-fold": first, "aria-selected": "false",
      id: `${this.name}-e${first}`, "aria-label": `${execution.lanes[lane].name}: ${text}; click to unfold`,
    }, element("span", { class: "sign" }, "+"),
    element("b", { class: "who", title: execution.lanes[lane].name }, execution.lanes[lane].name),
    element("span", { class: "what", title: text }, text));
  }

  #eventRow(id, style) {
    const { execution, marks } = this;
    const event = execution.events[id];
    const mark = marks.of.get(id);
    const shade = this.shades ? this.shades[id] : "";
    const isDropped = this.variant && (this.dropped[id] || id === this.variant.receive);
    const classes = ["row", shade, mark ? mark.class : "",
      marks.common !== undefined && id < marks.common ? "same" : "",
      isDropped ? (id === this.variant.receive ? "varied" : "dropped") : ""];
    const [before, value, after] = execution.words(id);
    const { name } = execution.lanes[event.lane];
    const others = (event.race || event.versions || []).length;
    return element("div", {
      class: classes.filter(Boolean).join(" "), style, role: "option", "data-event": id,
      id: `${this.name}-e${id}`, "aria-selected": `${id === this.chosen}`,
      "aria-label": [`${name}: ${before} ${shortened(value, 80)}${after}`, mark && mark.text,
        others > 0 && `race with ${others}`, shade && SHADE_WORDS[shade]].filter(Boolean).join(", "),
    },
    element("span", { class: "sign", "aria-hidden": "true" }, SHADE_SIGNS[shade] || ""),
    element("span", { class: "step" }, event.step === undefined ? "" : `${event.step}`),
    element("b", { class: "who", title: name }, name),
    element("span", { class: "what", title: `${before} ${shortened(value, 160)}${after}` }, `${before} `,
      value ? element("span", { class: "value" }, shortened(value, 160)) : null, after),
    mark ? pill(mark.text) : null,
    others > 0 ? element("span", { class: "racing", title: `race with ${others}` }, `◆ ${others}`) : null,
    event.place ? element("span", { class: "where", title: event.place }, fileName(event.place)) : null);
  }

  #lifelines(first, last) {
    const { layout, execution } = this;
    const line = (lane) => {
      const { object } = execution.lanes[lane];
      const start = layout.rowOf.get(execution.spawnOf.get(lane)) ?? 0;
      const lastId = execution.ofLane[lane].at(-1);
      const hasEnded = lastId !== undefined && execution.events[lastId].kind === "exit";
      const end = hasEnded ? layout.rowOf.get(lastId) ?? layout.rows.length : layout.rows.length;
      if (start > last || end < first) return null;
      const x = layout.x.get(lane);
      return shape("line", {
        class: `lifeline${object ? " object" : ""}`, x1: x, x2: x,
        y1: execution.spawnOf.has(lane) ? layout.y(Math.max(start, first - 1)) : 0,
        y2: layout.y(Math.min(end, last)),
      });
    };
    return layout.lanes.map(line).filter(Boolean);
  }

  #arrows(first, last) {
    const arrows = [];
    const isNear = (a, b) => Math.min(a, b) <= last && Math.max(a, b) >= first;
    this.execution.events.forEach((event, id) => {
      const row = this.layout.rowOf.get(id);
      if (row === undefined) return;
      if (event.kind === "spawn" && isNear(row, row)) arrows.push(this.#spawnArrow(id));
      for (const cause of event.causes || []) {
        // The arrow of the spawn shows this already.
        if (this.execution.events[cause].kind === "spawn") continue;
        const from = this.layout.rowOf.get(cause);
        if (from !== undefined && isNear(from, row)) arrows.push(this.#arrow(cause, id));
      }
      if (event.kind === "send" && !this.execution.consumer.has(id) && isNear(row, row + 1)) {
        arrows.push(this.#lost(id));
      }
    });
    if (this.variant) arrows.push(this.#arrow(this.variant.send, this.variant.receive, "variant"));
    return arrows.filter(Boolean);
  }

  #arrow(from, to, special) {
    const { events } = this.execution;
    const { layout } = this;
    const [x1, x2] = [layout.x.get(events[from].lane), layout.x.get(events[to].lane)];
    const [y1, y2] = [layout.rowOf.get(from), layout.rowOf.get(to)].map((row) => row !== undefined && layout.y(row));
    if (x1 === undefined || x2 === undefined || y1 === false || y2 === false) return null;
    const kind = special || { publish: "read" }[events[from].kind]
      || (events[to].kind === "killed" ? "signal" : "message");
    const isDecisive = !special && to === this.marks.decided;
    const isDropped = !special && this.variant && (this.dropped[to] || to === this.variant.receive);
    const shade = this.shades && !special ? this.#arrowShade(from, to) : "";
    const classes = ["arrow", kind, shade, isDecisive ? "decisive" : "", isDropped ? "dropped" : ""];
    const bend = x1 === x2 ? `C${x1 + 26},${y1} ${x2 + 26},${y2} ${x2},${y2}` : `L${x2},${y2}`;
    return shape("g", { class: classes.filter(Boolean).join(" ") },
      shape("path", { d: `M${x1},${y1}${bend}` }), headOf(x1, y1, x2, y2));
  }

  /** A horizontal arrow to the lane of the process that is spawned. */
  #spawnArrow(id) {
    const { layout, execution } = this;
    const event = execution.events[id];
    const [x1, x2] = [layout.x.get(event.lane), layout.x.get(event.to)];
    const y = layout.y(layout.rowOf.get(id));
    if (x1 === undefined || x2 === undefined) return null;
    const first = execution.ofLane[event.to][0];
    const shade = this.shades ? this.#arrowShade(id, first === undefined ? id : first) : "";
    return shape("g", { class: `arrow spawn ${shade}` },
      shape("path", { d: `M${x1},${y}H${x2}` }), headOf(x1, y, x2 + (x2 > x1 ? 5 : -5), y));
  }

  #arrowShade(from, to) {
    const [a, b] = [this.shades[from], this.shades[to]];
    const isIn = (shade) => (a === shade || a === "chosen") && (b === shade || b === "chosen");
    if (isIn("past")) return "past";
    return isIn("future") ? "future" : "concurrent";
  }

  /** The arrow of a message that was never received. It ends before its receiver. */
  #lost(id) {
    const { layout, execution } = this;
    const event = execution.events[id];
    const [x1, target] = [layout.x.get(event.lane), layout.x.get(event.to)];
    const y1 = layout.y(layout.rowOf.get(id));
    if (target === undefined || x1 === undefined) return null;
    const x2 = x1 === target ? x1 + 14 : x1 + (target - x1) * 0.7;
    const y2 = y1 + ROW * 0.6;
    return shape("g", { class: "arrow message lost" },
      shape("path", { d: `M${x1},${y1}L${x2},${y2}` }), shape("circle", { cx: x2, cy: y2, r: 3 }));
  }

  #glyphs(first, last) {
    const { layout, execution, marks } = this;
    const glyphs = [];
    for (let index = first; index < last; index++) {
      const row = layout.rows[index];
      const y = layout.y(index);
      if (row.end) glyphs.push(cross(layout.x.get(row.end.lane), y));
      const id = row.events && row.events[0];
      if (id === undefined) continue;
      const event = execution.events[id];
      const x = layout.x.get(event.lane);
      if (x === undefined) continue;
      const mark = marks.of.get(id);
      if (mark && mark.class === "fails") glyphs.push(cross(x, y));
      else glyphs.push(glyph(event, x, y, [this.shades ? this.shades[id] : "", mark ? mark.class : ""]));
    }
    return glyphs;
  }
}
