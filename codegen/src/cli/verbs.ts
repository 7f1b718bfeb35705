import type { Command } from "./verb/command.js";

interface Verb {
  summary: string;
  load(): Promise<{ command: Command }>;
}

/** Every verb, in the order of the help. Each is loaded only when asked for: start-up time counts. */
export const VERBS: Readonly<Record<string, Verb>> = {
  init: { summary: "make a project from an example", load: () => import("./commands/init.js") },
  validate: { summary: "show all problems of a drawing", load: () => import("./commands/validate.js") },
  generate: { summary: "write the C++ project", load: () => import("./commands/generate.js") },
  build: { summary: "generate, configure and compile", load: () => import("./commands/build.js") },
  bench: { summary: "measure what a call of each service costs", load: () => import("./commands/bench.js") },
  run: { summary: "build if needed, start and supervise", load: () => import("./commands/run.js") },
  stop: { summary: "stop what runs of a project", load: () => import("./commands/stop.js") },
  attach: {
    summary: "see and change what something else started",
    load: () => import("./commands/attach.js"),
  },
  detach: { summary: "leave what was attached to itself", load: () => import("./commands/detach.js") },
  monitor: { summary: "live figures of what runs", load: () => import("./commands/monitor.js") },
  set: { summary: "change pools, pins, rates of what runs", load: () => import("./commands/set.js") },
  call: { summary: "ask a service of what runs once", load: () => import("./commands/call.js") },
  resolve: { summary: "where a service's name leads", load: () => import("./commands/resolve.js") },
  registry: {
    summary: "where binaries are, as FORB's registry; read one",
    load: () => import("./commands/registry.js"),
  },
  load: { summary: "load a flow or an address until it breaks", load: () => import("./commands/load.js") },
  tune: { summary: "find the size of a pool on the running flow", load: () => import("./commands/tune.js") },
  profile: { summary: "where the CPU time of what runs goes", load: () => import("./commands/profile.js") },
  preset: {
    summary: "keep, apply and compare layouts of threads",
    load: () => import("./commands/preset.js"),
  },
  keys: {
    summary: "certificates with which binaries of several hosts call each other",
    load: () => import("./commands/keys.js"),
  },
  import: {
    summary: "draw the messages and services of a .proto or .idl",
    load: () => import("./commands/import.js"),
  },
  nodes: { summary: "list the nodes that need no C++", load: () => import("./commands/nodes.js") },
  schema: { summary: "print the JSON Schema of topology.json", load: () => import("./commands/schema.js") },
  serve: { summary: "start the designer's server", load: () => import("./commands/serve.js") },
  open: { summary: "a fresh address of the running designer", load: () => import("./commands/open.js") },
  doctor: { summary: "what this machine has and lacks", load: () => import("./commands/doctor.js") },
};
