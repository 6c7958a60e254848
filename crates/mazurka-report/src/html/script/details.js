// The details of the chosen event.

const MAILBOX_SHOWN = 50;

/** The panel beside or below the diagrams. */
class Details {
  constructor(run) {
    this.run = run;
    this.element = element("aside", { class: "details", "aria-live": "polite", "aria-label": "The chosen event" });
    this.clear();
  }

  clear() {
    this.element.classList.add("empty");
    this.element.replaceChildren(element("p", { class: "faint" },
      "Choose an event to see its causal past and future, the events concurrent with it, its value, its mailbox and its source line. ",
      element("kbd", {}, "?"), " explains the keys."));
  }

  /** Shows an event of a diagram. `passing` is the diagram of the passing execution, if there is one. */
  show(diagram, id, passing) {
    const { execution } = diagram;
    this.element.classList.remove("empty");
    this.element.replaceChildren(...[
      element("h4", {}, execution.place(id), element("button", {
        type: "button", class: "small close", "aria-label": "Close", click: () => diagram.choose(null),
      }, "×")),
      this.#legend(diagram),
      part(this.#value(execution, id)),
      part(this.#source(execution, id)),
      part(this.#output(execution, id)),
      part(this.#races(diagram, id, passing)),
      part(this.#mailbox(diagram, id)),
    ].filter(Boolean));
  }

  #legend(diagram) {
    const number = (shade) => diagram.shades.filter((other) => other === shade).length;
    const key = (shade, text) => element("span", { class: `key ${shade}`, "data-count": number(shade) },
      `${SHADE_SIGNS[shade]} ${number(shade)} ${text}`);
    return element("p", { class: "legend" },
      key("past", "before"), key("future", "after"), key("concurrent", "concurrent"));
  }

  #value(execution, id) {
    const [before, value, after] = execution.words(id);
    const { constraint, kind } = execution.events[id];
    const parts = [element("p", {}, element("b", {}, before), after)];
    if (value) parts.push(element("pre", { class: "value" }, value));
    if (constraint && kind === "receive") {
      parts.push(element("p", {}, element("span", { class: "faint" }, "accepts "), element("code", {}, constraint)));
    }
    return parts;
  }

  #source(execution, id) {
    const { place } = execution.events[id];
    if (!place) return [];
    const line = this.run.sources[place];
    return [element("p", { class: "source" }, element("b", {}, "Source "), element("code", {}, place)),
      line ? element("pre", { class: "line" }, line.trim()) : null];
  }

  #output(execution, id) {
    const { output } = execution.events[id];
    return output ? [element("p", {}, element("b", {}, "Printed before it")), element("pre", {}, output)] : [];
  }

  #races(diagram, id, passing) {
    const event = diagram.execution.events[id];
    if (event.versions) return this.#readRaces(diagram.execution, event);
    if (!event.race) return [];
    const item = (send) => element("li", {}, messageText(diagram.execution, send), " ",
      element("button", {
        type: "button", class: "small variant", "data-send": send,
        click: () => this.#showVariant(diagram, id, send, passing),
      }, "Show the variant"));
    const heading = event.kind === "timeout" ? "It timed out; it could have taken" : "It could have taken instead";
    return [element("p", {}, element("b", {}, heading)), element("ul", { class: "race" }, event.race.map(item))];
  }

  #readRaces(execution, event) {
    const item = (version) => element("li", {}, versionText(execution, event.to, version));
    return [element("p", {}, element("b", {}, "It could have read instead")),
      element("ul", {}, event.versions.map(item))];
  }

  #showVariant(diagram, receive, send, passing) {
    const { execution } = diagram;
    const log = variantLog(this.run, execution, receive, send);
    const isPassing = passing && receive === diagram.marks.decided
      && passing.marks.decided !== null && passing.marks.decided !== undefined
      && passing.execution.events[passing.marks.decided].tag === execution.events[send].tag;
    const dropped = execution.future(receive).reduce((sum, one) => sum + one, 0);
    diagram.showVariant({ receive, send }, [
      element("p", {}, element("b", {}, "The variant: "),
        `${execution.place(receive)} takes `, messageText(execution, send), ". ",
        dropped > 0 ? `The ${count(dropped, "event")} struck out depend on the message it took, and may differ. ` : "",
        isPassing ? element("a", { href: `#${passing.name}`, click: (event) => goTo(event, passing) },
          "The passing execution starts like this.") : null),
      element("p", {}, "Save this log as ", element("code", {}, "variant.json"), " and run ",
        element("code", { class: "command" }, variantCommand(this.run)), " ",
        copyButton(() => log, "Copy the log"), " ",
        element("button", { type: "button", class: "small", click: () => diagram.showVariant(null) }, "Close")),
      element("details", {}, element("summary", {}, "The log"), element("pre", { class: "log" }, log)),
    ]);
  }

  #mailbox(diagram, id) {
    const { execution } = diagram;
    const event = execution.events[id];
    const mailbox = execution.mailbox(id);
    const { name } = execution.lanes[event.lane];
    const taken = execution.sendOf(id);
    const skips = new Set(event.skips || []);
    const status = (send) => {
      if (send === taken) return " — taken";
      return skips.has(send) ? " — not accepted" : "";
    };
    const item = (send) => element("li", { class: send === taken ? "taken" : "", "data-send": send },
      messageText(execution, send), element("span", { class: "faint" }, status(send)), " ",
      element("button", { type: "button", class: "small", title: "Go to its send", "aria-label": "Go to its send", click: () => diagram.choose(send) }, "→"));
    const rest = mailbox.length - MAILBOX_SHOWN;
    return [
      element("p", {}, element("b", {}, `The mailbox of ${name} right before`),
        mailbox.length === 0 ? " is empty." : ", in the order of the diagram"),
      mailbox.length === 0 ? null : element("ol", { class: "mailbox" }, mailbox.slice(0, MAILBOX_SHOWN).map(item)),
      rest > 0 ? element("p", { class: "faint" }, `and ${rest} more`) : null,
    ];
  }
}

/** A group of elements; null without any. */
function part(children) {
  return children.length > 0 ? element("div", { class: "part" }, children) : null;
}

/** A version of a shared object, with the request that published it. */
function versionText(execution, lane, version) {
  if (version === 0) return "its initial state";
  const text = element("span", {}, `its version ${version}`);
  const request = execution.requestOf(lane, version);
  if (request !== null) text.append(", after ", messageText(execution, request));
  return text;
}

function messageText(execution, send) {
  const { value, lane } = execution.events[send];
  return element("span", {}, element("code", {}, shortened(value || "a message", 120)),
    ` from ${execution.lanes[lane].name}`);
}

/** Goes to the decisive event of a diagram. */
function goTo(event, diagram) {
  event.preventDefault();
  diagram.element.scrollIntoView({ block: "nearest" });
  diagram.box.focus();
  diagram.choose(diagram.marks.decided);
}
