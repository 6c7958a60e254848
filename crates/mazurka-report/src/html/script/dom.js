// Making elements.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. Attributes that are null or false are left out; functions listen. */
function element(tag, attributes, ...children) {
  return fitted(document.createElement(tag), attributes, children);
}

/** An SVG element. */
function shape(tag, attributes, ...children) {
  return fitted(document.createElementNS(SVG, tag), attributes, children);
}

function fitted(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(name, value === true ? "" : value);
    }
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) made.append(child);
  }
  return made;
}

/** `1 event`, `2 events`. */
function count(number, noun) {
  return `${number} ${noun}${Number(number) === 1 ? "" : "s"}`;
}

/** A button that puts text on the clipboard. */
function copyButton(text, label) {
  const button = element("button", { type: "button", class: "small", click: copy }, label);
  async function copy() {
    const done = await copied(text());
    button.textContent = done ? "Copied" : "Select it and copy";
    setTimeout(() => { button.textContent = label; }, 1500);
  }
  return button;
}

async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without a clipboard, or without leave to use it, the text is there to select.
    return false;
  }
}
