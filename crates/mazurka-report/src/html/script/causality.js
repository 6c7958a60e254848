// The causal order of an execution, from the direct causes of its events.

/** An execution with what follows from its events. */
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

  /** The send of what an event consumed. */
  sendOf(id) {
    const isSend = (cause) => this.events[cause].kind === "send"
      && this.events[cause].tag === this.events[id].tag;
    const found = (this.events[id].causes || []).find(isSend);
    return found === undefined ? null : found;
  }

  /** Which events happened before this one. */
  past(id) {
    return this.#reached(id, this.before);
  }

  /** Which events happened after this one. */
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

  /** For each event whether it is `chosen`, its `past`, its `future` or `concurrent`. */
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

  /** The sends of the messages that wait for the process of an event right before it. */
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

  /** What an event is, in words: before, value and after. */
  words(id) {
    const event = this.events[id];
    const name = (lane) => (lane === undefined ? "nobody" : this.lanes[lane].name);
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
      case "read": return ["read", name(event.to), ` ${this.change(event)}`];
      case "choose": return ["choose", `${event.number}`, ` of ${event.of}`];
      case "publish": return ["change", "", ""];
      case "exit": return exitWords(event);
      default: return [event.kind, "", ""];
    }
  }

  /** Which state of a shared object was read, by the request that made it. */
  change({ to, number }) {
    if (number === 0) return "before any change";
    const ids = this.ofLane[to] || [];
    const changes = ids.filter((id) => this.events[id].kind === "publish");
    const made = ids.indexOf(changes[number - 1]);
    const request = ids.slice(0, Math.max(0, made)).reverse().find((id) => this.sendOf(id) !== null);
    if (request === undefined) return `after change ${number}`;
    const { value, lane } = this.events[this.sendOf(request)];
    return `after ${shortened(value || "a message", 40)} from ${this.lanes[lane].name}`;
  }

  /** The same as one text. */
  text(id) {
    const [before, value, after] = this.words(id);
    return `${before} ${value}${after}`.trim();
  }

  /** `Step 8: store`, or `store event 3` of what has no number. */
  place(id) {
    const { lane, step, at } = this.events[id];
    const { name } = this.lanes[lane];
    return step === undefined ? `${name} event ${at + 1}` : `Step ${step}: ${name}`;
  }
}

function timeoutWords(event) {
  if (!event.constraint) return ["timeout", "", ""];
  // What takes nothing is a sleep.
  if (event.constraint === "nothing") return ["wake up", "", ""];
  return ["timeout of receive", event.constraint, ""];
}

function exitWords(event) {
  const reason = event.value || "";
  return reason.startsWith("exit ") ? ["", reason, ""] : ["exit", reason, ""];
}
