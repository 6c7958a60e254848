// The causal order of an execution, from the direct causes of its events.

/** An execution, with the causal order of its events. */
class Execution {
  constructor(data) {
    this.lanes = data.lanes;
    this.events = data.events;
    this.delivery = data.delivery;
    this.lastOutput = data.last_output;
    this.before = data.events.map((event) => [...(event.causes || [])]);
    this.after = data.events.map(() => []);
    this.consumer = new Map();
    this.spawnOf = new Map();
    this.ofLane = data.lanes.map(() => []);
    data.events.forEach((event, id) => this.#connect(event, id));
  }

  #connect(event, id) {
    const lane = this.ofLane[event.lane];
    if (lane.length > 0) this.before[id].push(lane[lane.length - 1]);
    lane.push(id);
    for (const cause of this.before[id]) this.after[cause].push(id);
    if (event.kind === "spawn") this.spawnOf.set(event.to, id);
    const send = this.sendOf(id);
    if (send !== null && event.kind !== "deliver") this.consumer.set(send, id);
  }

  /** The send of the message that an event consumed; null if it consumed none. */
  sendOf(id) {
    const isSend = (cause) => this.events[cause].kind === "send"
      && this.events[cause].tag === this.events[id].tag;
    const found = (this.events[id].causes || []).find(isSend);
    return found === undefined ? null : found;
  }

  /** For each event, 1 if it happened before this one. */
  past(id) {
    return this.#reached(id, this.before);
  }

  /** For each event, 1 if this one happened before it. */
  future(id) {
    return this.#reached(id, this.after);
  }

  #reached(start, edges) {
    const reached = new Uint8Array(this.events.length);
    const queue = [start];
    while (queue.length > 0) {
      for (const next of edges[queue.pop()]) {
        if (!reached[next]) {
          reached[next] = 1;
          queue.push(next);
        }
      }
    }
    return reached;
  }

  /** How each event relates to the chosen one: `chosen`, `past`, `future` or `concurrent`. */
  shades(chosen) {
    const past = this.past(chosen);
    const future = this.future(chosen);
    const shade = (_, id) => {
      if (id === chosen) return "chosen";
      if (past[id]) return "past";
      return future[id] ? "future" : "concurrent";
    };
    return this.events.map(shade);
  }

  /** The mailbox of an event's process right before the event: the sends of its messages. */
  mailbox(id) {
    const { lane } = this.events[id];
    const waits = (send) => {
      const consumer = this.consumer.get(send);
      return consumer === undefined || consumer >= id;
    };
    const mailbox = [];
    for (let send = 0; send < id; send++) {
      const event = this.events[send];
      if (event.kind === "send" && event.to === lane && waits(send)) mailbox.push(send);
    }
    return mailbox;
  }

  /** The description of an event in three parts: the text before its value, the value, the text after it. */
  words(id) {
    const event = this.events[id];
    const name = (lane) => (lane === undefined ? "an unknown process" : this.lanes[lane].name);
    const send = this.sendOf(id);
    const sent = send === null ? event : this.events[send];
    const value = sent.value || "a message";
    const from = send === null ? "" : ` from ${name(sent.lane)}`;
    switch (event.kind) {
      case "spawn": return ["spawn", name(event.to), ""];
      case "send": return ["send", value, ` to ${name(event.to)}`];
      case "receive": return ["receive", value, from];
      case "killed": return ["killed by", value, from];
      case "deliver": return ["deliver", event.tag || "", ""];
      case "timeout": return timeoutWords(event);
      case "read": return ["read", name(event.to), ` ${this.versionRead(event)}`];
      case "choose":
        if (event.value !== undefined) return ["outside:", event.value || "nothing", ""];
        return ["choose", `${event.number}`, ` of ${event.of}`];
      case "publish": return ["change", "", ""];
      case "exit": return exitWords(event);
      default: return [event.kind, "", ""];
    }
  }

  /** Which version of a shared object an event read, named by the request that published it. */
  versionRead({ to, number }) {
    if (number === 0) return "before any change";
    const request = this.requestOf(to, number);
    if (request === null) return `after change ${number}`;
    const { value, lane } = this.events[request];
    return `after ${shortened(value || "a message", 40)} from ${this.lanes[lane].name}`;
  }

  /** The send of the request that published a version of a shared object; null if it is not known. */
  requestOf(lane, version) {
    const ids = this.ofLane[lane] || [];
    const publishes = ids.filter((id) => this.events[id].kind === "publish");
    const index = ids.indexOf(publishes[version - 1]);
    const served = ids.slice(0, Math.max(0, index)).reverse().find((id) => this.sendOf(id) !== null);
    return served === undefined ? null : this.sendOf(served);
  }

  /** `Step 8: store`, or `store event 3` for an event without a number in the text report. */
  place(id) {
    const { lane, step, at } = this.events[id];
    const { name } = this.lanes[lane];
    return step === undefined ? `${name} event ${at + 1}` : `Step ${step}: ${name}`;
  }
}

function timeoutWords(event) {
  if (!event.constraint) return ["timeout", "", ""];
  // A receive that accepts nothing is a sleep.
  if (event.constraint === "nothing") return ["wake up", "", ""];
  return ["timeout of receive", event.constraint, ""];
}

function exitWords(event) {
  const reason = event.value || "";
  return reason.startsWith("exit ") ? ["", reason, ""] : ["exit", reason, ""];
}
