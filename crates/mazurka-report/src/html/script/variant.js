// Race variants: the part of an execution that remains if a receive takes another message.

/** The log that drives the program to the variant in which `receive` takes the message of `send`. */
function variantLog(run, execution, receive, send) {
  const dropped = execution.future(receive);
  dropped[receive] = 1;
  // Without a prototype, because a process may have the name `__proto__`.
  const processes = Object.create(null);
  const add = (id, entry) => {
    const { pid } = execution.lanes[execution.events[id].lane];
    (processes[pid] = processes[pid] || []).push(entry);
  };
  execution.events.forEach((event, id) => {
    if (id === receive) add(id, { receive: execution.events[send].tag });
    else if (event.input && !dropped[id]) add(id, event.input);
  });
  const log = {
    mazurka: "log", version: 1, program: run.program, params: run.params,
    delivery: execution.delivery, processes,
  };
  return `${JSON.stringify(log, null, 1)}\n`;
}

/** The command that drives the program along such a log. */
function variantCommand(run) {
  return `mazurka replay ${run.program} variant.json${run.replay_flags}`;
}
