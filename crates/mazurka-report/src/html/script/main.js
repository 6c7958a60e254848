// The page. The fragment of its address selects the check and the error shown.

const PAGE = JSON.parse(document.getElementById("data").textContent);

/** The check and the error of a fragment such as `#run=1&error=2`; 0 for those that do not exist. */
function selection() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const number = (name, limit) => {
    const found = Number(parameters.get(name));
    return Number.isInteger(found) && found >= 0 && found < limit ? found : 0;
  };
  const run = number("run", PAGE.runs.length);
  return { run, error: number("error", PAGE.runs[run] ? PAGE.runs[run].errors.length : 0) };
}

function render() {
  const { run: runIndex, error } = selection();
  const run = PAGE.runs[runIndex];
  const page = document.getElementById("page");
  if (!run) {
    page.replaceChildren(element("p", {}, "Nothing was checked."));
    return;
  }
  const position = document.querySelector(".list")?.scrollTop;
  page.replaceChildren(...[
    verdictSection(run),
    runsSection(PAGE.runs, runIndex),
    run.errors.length > 0 ? element("section", { class: "card", id: "errors" },
      element("h2", {}, count(run.errors.length, "error")),
      errorsList(run, runIndex, error), errorSection(run, error, run.errors.length)) : null,
    warningsSection(run),
    coverageSection(run),
    summarySection(run),
    element("footer", { class: "faint" }, `Mazurka ${PAGE.version}. `, element("button", {
      type: "button", class: "small", click: showHelp,
    }, "Keys (?)")),
  ].filter(Boolean));
  const list = document.querySelector(".list");
  if (list && position) list.scrollTop = position;
  shownDiagrams.forEach((diagram) => diagram.draw());
}

const KEYS = [
  ["↑ ↓", "the previous or the next event of the same process"],
  ["← →", "the event that caused it, or that it caused, in another process"],
  ["k j", "the event above or below"],
  ["Home End", "the first or the last event"],
  ["h", "hide the lane of the chosen event"],
  ["H", "show all lanes"],
  ["[ ]", "move the lane of the chosen event to the left or right"],
  ["Esc", "close the variant, then clear the choice"],
  ["?", "this help"],
];

function showHelp() {
  const help = document.getElementById("help");
  if (help.open) {
    help.close();
    return;
  }
  help.replaceChildren(element("h2", {}, "Keys in a diagram"),
    element("dl", {}, KEYS.flatMap(([keys, text]) => [
      element("dt", {}, keys.split(" ").map((key) => [element("kbd", {}, key), " "])), element("dd", {}, text)])),
    element("p", {}, "Drag a lane by its name to move it; × hides it."),
    element("form", { method: "dialog" }, element("button", { class: "small" }, "Close")));
  help.showModal();
}

addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLElement && event.target.closest("input, textarea");
  if (event.key === "?" && !isTyping) showHelp();
});
addEventListener("hashchange", () => {
  if (!location.hash.includes("run=")) return; // a link inside the page
  render();
  document.getElementById("error")?.scrollIntoView({ block: "nearest" });
});
addEventListener("beforeprint", () => shownDiagrams.forEach((diagram) => diagram.print(true)));
addEventListener("afterprint", () => shownDiagrams.forEach((diagram) => diagram.print(false)));

render();
performance.mark("drawn");
