// Buttons, labels and symbols of diagrams.

function moveButton(sign, label, move) {
  return element("button", { type: "button", class: "small", "aria-label": label, title: label, click: move }, sign);
}

function pill(text) {
  return element("span", { class: "pill" }, text);
}

/** The head of an arrow, 6 pixels before its end, so that the symbol of the event stays visible. */
function headOf(x1, y1, x2, y2) {
  const isLoop = x1 === x2;
  const angle = isLoop ? Math.PI : Math.atan2(y2 - y1, x2 - x1);
  const [x, y] = [x2 - Math.cos(angle) * 6, y2 - Math.sin(angle) * 6];
  const point = (turn, length) => `${x - Math.cos(angle + turn) * length},${y - Math.sin(angle + turn) * length}`;
  return shape("polygon", { points: `${x},${y} ${point(0.42, 9)} ${point(-0.42, 9)}` });
}

/** The symbol of an event. */
function glyph(event, x, y, classes) {
  const name = ["glyph", event.kind, event.race || event.versions ? "race" : "", ...classes];
  const at = { class: name.filter(Boolean).join(" ") };
  if (event.race || event.versions) {
    return shape("path", { ...at, d: `M${x},${y - 7}L${x + 7},${y}L${x},${y + 7}L${x - 7},${y}Z` });
  }
  switch (event.kind) {
    case "spawn": return shape("path", { ...at, d: `M${x - 5},${y - 4}H${x + 5}L${x},${y + 5}Z` });
    case "exit": return shape("rect", { ...at, x: x - 7, y: y - 2, width: 14, height: 4, rx: 1 });
    case "timeout": return shape("path", { ...at, d: `M${x - 5},${y - 6}H${x + 5}L${x - 5},${y + 6}H${x + 5}Z` });
    case "read": case "publish": case "choose":
      return shape("rect", { ...at, x: x - 4, y: y - 4, width: 8, height: 8, rx: 1 });
    case "killed": return shape("path", { ...at, d: `M${x - 5},${y - 5}L${x + 5},${y + 5}M${x + 5},${y - 5}L${x - 5},${y + 5}` });
    default: return shape("circle", { ...at, cx: x, cy: y, r: 5 });
  }
}

/** The symbol of a failure. */
function cross(x, y) {
  return shape("g", { class: "glyph fails" },
    shape("circle", { cx: x, cy: y, r: 9 }),
    shape("path", { d: `M${x - 4},${y - 4}L${x + 4},${y + 4}M${x + 4},${y - 4}L${x - 4},${y + 4}` }));
}

/** `src/bank.erl:12` without its folders. */
function fileName(place) {
  return place.slice(place.lastIndexOf("/") + 1);
}

/** A text on one line, cut to a length. */
function shortened(text, length) {
  const line = text.replace(/\s+/g, " ");
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
