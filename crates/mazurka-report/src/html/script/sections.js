// The sections of the page around the diagrams.

/** A card with names and values. */
function rowsTable(title, rows) {
  return element("section", { class: "card" }, element("h3", {}, title),
    element("dl", {}, rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])));
}

function verdictSection(run) {
  return element("header", { class: `verdict ${run.tone}` },
    element("p", { class: "program" }, run.name),
    element("h1", {}, run.headline),
    run.left_out ? element("p", {}, run.left_out) : null,
    element("p", { class: "faint figures" }, keyFigures(run).join(" · ")));
}

/** The most important counts, for the top of the page; the card `Counts` has all. */
function keyFigures(run) {
  const rows = new Map([...run.counts, ...run.options]);
  const figure = (name, noun) => (rows.has(name) ? count(rows.get(name), noun) : null);
  return [figure("executions", "execution"), figure("schedules", "schedule"), 
    rows.has("seconds") ? `${rows.get("seconds")} s` : null, rows.has("delivery") ? `${rows.get("delivery").split(" ")[0]} delivery` : null].filter(Boolean);
}

/** The list of tests, if there are several. */
function runsSection(runs, chosen) {
  if (runs.length < 2) return null;
  const row = (run, index) => element("tr", { class: `${run.tone}${index === chosen ? " chosen" : ""}` },
    element("td", {}, element("a", { href: `#run=${index}` }, run.params.entry || run.name)),
    element("td", {}, { good: "passed", bad: "failed", unclear: "stopped early" }[run.tone]),
    element("td", { class: "number" }, `${run.errors.length}`));
  return element("nav", { class: "card", "aria-label": "Tests" }, element("h2", {}, count(runs.length, "test")),
    element("div", { class: "scrolls" }, element("table", {},
      element("thead", {}, element("tr", {}, ["test", "result", "errors"].map((name) => element("th", {}, name)))),
      element("tbody", {}, runs.map(row)))));
}

function summarySection(run) {
  return element("div", { class: "cards" },
    rowsTable("Counts", run.counts), rowsTable("Options", run.options), rowsTable("Environment", run.environment));
}

/** The list of errors, if there are several. */
function errorsList(run, runIndex, chosen) {
  if (run.errors.length < 2) return null;
  const row = (failure, index) => element("tr", {
    class: index === chosen ? "chosen" : "", "aria-current": index === chosen ? "true" : null,
  },
  element("td", { class: "number" }, `${index + 1}`),
  element("td", {}, element("a", { href: `#run=${runIndex}&error=${index}` }, failure.kind)),
  element("td", {}, shortened(failure.title, 200)),
  element("td", {}, failure.found_in));
  return element("div", { class: "scrolls list", tabindex: "0", "aria-label": "All errors" }, element("table", {},
    element("thead", {}, element("tr", {}, ["", "kind", "error", "found in"].map((name) => element("th", {}, name)))),
    element("tbody", {}, run.errors.map(row))));
}

/** One error with its diagrams. */
function errorSection(run, index, number) {
  const failure = run.errors[index];
  return element("article", { class: "error", id: "error" },
    element("h3", {}, number > 1 ? `Error ${index + 1}: ` : "", element("span", { class: "kind" }, failure.kind),
      ` in ${failure.found_in}`, failure.expected ? " (expected)" : ""),
    element("p", { class: "message" }, failure.title, failure.place ? element("span", { class: "faint" }, `  ${failure.place}`) : null),
    failure.explanation.trim() ? element("div", { class: "explanation" }, linesOf(failure.explanation)) : null,
    failure.replay ? element("p", {}, element("b", {}, "Replay "), element("code", { class: "command" }, failure.replay), " ",
      copyButton(() => failure.replay, "Copy")) : null,
    failure.not_shown ? element("p", { class: "faint" }, failure.not_shown) : null,
    ...diagramsOf(run, failure));
}

/** The lines of a text. The continuation of a long line has the indent of its line. */
function linesOf(text) {
  return unindented(text).split("\n").map((line) => {
    const indent = line.length - line.trimStart().length;
    return element("div", { class: "line", style: `--indent: ${indent}` }, line.trim());
  });
}

/** A text without the indent that all its lines have in common. */
function unindented(text) {
  const lines = text.replace(/\s+$/, "").split("\n");
  const indents = lines.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length);
  const indent = indents.length > 0 ? Math.min(...indents) : 0;
  return lines.map((line) => line.slice(indent)).join("\n");
}

/** The failing execution, and the passing one beside it. */
function diagramsOf(run, failure) {
  shownDiagrams = [];
  if (failure.execution === null) return [];
  const details = new Details(run);
  const { parting } = failure;
  let passing = null;
  const chosen = (diagram, id) => {
    for (const other of shownDiagrams) {
      if (other !== diagram && other.chosen !== null && id !== null) other.choose(null);
    }
    if (id === null) {
      if (shownDiagrams.every((other) => other.chosen === null)) details.clear();
    } else {
      details.show(diagram, id, passing);
      uncover(document.getElementById(`${diagram.name}-e${id}`), details.element);
    }
  };
  const failing = new Diagram(new Execution(run.executions[failure.execution]),
    parting ? "The failing execution" : "The execution", failingMarks(failure), chosen);
  shownDiagrams.push(failing);
  if (parting) {
    passing = new Diagram(new Execution(run.executions[parting.execution]),
      "The nearest passing execution", passingMarks(parting), chosen);
    shownDiagrams.push(passing);
  }
  const panes = element("div", { class: "panes" }, shownDiagrams.map((diagram) => diagram.element));
  return [element("div", { class: `workbench${parting ? " pair" : ""}` }, panes, details.element), glyphLegend()];
}

/** The diagrams of the error shown. */
let shownDiagrams = [];

/** Scrolls the page if the panel at the lower edge of the window covers a row. */
function uncover(row, panel) {
  if (!row || getComputedStyle(panel).position !== "sticky") return;
  const covered = row.getBoundingClientRect().bottom + 8 - panel.getBoundingClientRect().top;
  if (covered > 0) scrollBy(0, covered);
}

function failingMarks(failure) {
  const of = new Map();
  const { parting, past } = failure;
  const dividers = [];
  if (failure.decided !== null) of.set(failure.decided, { class: "decisive", text: "decisive" });
  if (failure.fails !== null) of.set(failure.fails, { class: "fails", text: "fails here" });
  if (parting) dividers.push({ before: parting.common, class: "parts", text: "the two executions differ from here on" });
  if (past !== null) dividers.push({ before: past, class: "", text: "the events below do not contribute to the error" });
  const ends = failure.ends.map(([lane, text], index) => ({
    lane, text, isMain: index === 0 && ["deadlock", "stuck", "depth-bound"].includes(failure.kind),
  }));
  return {
    of, dividers, ends, decided: failure.decided, fails: failure.fails, class: "failing",
    common: parting ? parting.common : undefined,
  };
}

function passingMarks(parting) {
  const of = new Map();
  if (parting.instead !== null) of.set(parting.instead, { class: "decisive", text: "differs here" });
  return {
    of, decided: parting.instead, fails: null, ends: [], common: parting.common, class: "passing",
    closing: parting.all_is_well ? "no error" : "not this error, but another one",
    dividers: [{ before: parting.common, class: "parts", text: "the two executions differ from here on" }],
  };
}

/** The legend of the symbols in the diagrams. */
function glyphLegend() {
  const entry = (event, text) => element("span", {},
    shape("svg", { width: 18, height: 18, "aria-hidden": "true" }, glyph(event, 9, 9, [])), text);
  return element("p", { class: "glyphs", "aria-label": "Symbols" },
    entry({ kind: "send" }, "send"), entry({ kind: "receive" }, "receive"),
    entry({ kind: "receive", race: [1] }, "receive with a race"), entry({ kind: "timeout" }, "timeout"),
    entry({ kind: "spawn" }, "spawn"), entry({ kind: "killed" }, "killed"),
    entry({ kind: "read" }, "shared object, choice"), entry({ kind: "exit" }, "exit"));
}

function warningsSection(run) {
  if (run.warnings.length === 0) return null;
  const item = (warning) => element("li", {}, element("b", {}, warning.kind),
    ` in process ${warning.process}: ${warning.message} (in ${warning.found_in})`);
  return element("section", { class: "card" }, element("h2", {}, "Warnings"), element("ul", {}, run.warnings.map(item)));
}

/** For each clause of a receive, in how many local histories it took a message. */
function coverageSection(run) {
  const never = run.clauses.filter((clause) => clause.taken === 0).length;
  const row = (clause) => element("tr", { class: clause.taken === 0 ? "never" : "" },
    element("td", {}, element("code", {}, clause.place)), element("td", {}, element("code", {}, clause.function)),
    element("td", { class: "number" }, clause.taken === 0 ? "never" : `${clause.taken}`));
  const table = () => [
    element("p", {}, never === 0 ? "Every clause of every receive that was reached took a message in some execution."
      : `${count(never, "clause")} of ${run.clauses.length} never took a message in any execution.`),
    element("div", { class: "scrolls" }, element("table", {},
      element("thead", {}, element("tr", {}, ["clause", "function", "local histories"].map((name) => element("th", {}, name)))),
      element("tbody", {}, run.clauses.map(row))))];
  return element("section", { class: "card", id: "coverage" }, element("h2", {}, "Receive clauses"),
    run.clauses.length === 0 ? element("p", { class: "faint" }, "Not available for this kind of program.") : table());
}
