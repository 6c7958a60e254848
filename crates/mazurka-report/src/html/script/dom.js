// Creates elements of the page.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. Attributes that are null, undefined or false are left out; functions become event listeners. */
function element(tag, attributes, ...children) {
  return complete(document.createElement(tag), attributes, children);
}

/** An SVG element. */
function shape(tag, attributes, ...children) {
  return complete(document.createElementNS(SVG, tag), attributes, children);
}

/** Sets the attributes of an element and appends its children. */
function complete(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

/** `1 event`, `2 events`. */
function count(number, noun) {
  return `${number} ${noun}${Number(number) === 1 ? "" : "s"}`;
}

/** A button that copies a text to the clipboard. */
function copyButton(text, label) {
  const button = element("button", { type: "button", class: "small", click: copy }, label);
  async function copy() {
    const done = await copyText(text());
    button.textContent = done ? "Copied" : "Select it and copy";
    setTimeout(() => { button.textContent = label; }, 1500);
  }
  return button;
}

/** Copies a text; returns false if the browser does not allow it. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
