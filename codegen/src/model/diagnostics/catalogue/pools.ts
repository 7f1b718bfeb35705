import type { CatalogueEntry } from "./entry.js";

/** 5xx: pools, placements and joins. */
export const POOLS = {
  PS501: {
    severity: "error",
    title: "Thread count out of range",
    explanation: "A pool has 1 to 1024 threads.",
    help: "Use a number in that range.",
  },
  PS502: {
    severity: "error",
    title: "Queue length out of range",
    explanation: "A queue holds 1 to 1048576 events.",
    help: "Use a length in that range.",
  },
  PS503: {
    severity: "error",
    title: "Priority out of range",
    explanation: "A priority is a nice level: -20 (first) to 19 (last).",
    help: "Use a level in that range.",
  },
  PS504: {
    severity: "error",
    title: "CPU out of range",
    explanation: "CPU ids are 0 to 1023; whether the machine has the CPU is checked when the binary starts.",
    help: "Use an id in that range.",
  },
  PS505: {
    severity: "error",
    title: "CPU named twice",
    explanation: "The pin of a thread is a set of CPUs.",
    help: "Remove one of the two.",
  },
  PS506: {
    severity: "error",
    title: "Placement of an unknown service",
    explanation: "A placement names a service of this topology.",
    help: "Correct the name, or remove the placement.",
  },
  PS507: {
    severity: "error",
    title: "Placement of a service served elsewhere",
    explanation:
      "The binary does not serve the service (none of its bundles has it), so the placement would do nothing (a warning while no binary serves it).",
    help: "Add a bundle with the service to the binary, or remove the placement.",
  },
  PS508: {
    severity: "error",
    title: "Placement on an unknown pool",
    explanation: "A placement names a pool of its binary, or `default`.",
    help: "Correct the name, or add the pool.",
  },
  PS509: {
    severity: "error",
    title: "thread without pool",
    explanation: "`thread` counts the threads of a pool, so it needs `pool` beside it.",
    help: "Add `pool`.",
  },
  PS510: {
    severity: "error",
    title: "No such thread",
    explanation: "`thread` counts from 0 and stays below the number of threads of the pool.",
    help: "Use a thread the pool has, or add threads to it.",
  },
  PS511: {
    severity: "error",
    title: "Unknown implementation",
    explanation: "A placement picks among the implementations of its service.",
    help: "Correct the name, or add the implementation.",
  },
  PS512: {
    severity: "error",
    title: "Weight out of range",
    explanation: "Weights are whole numbers from 0 to 2147483647.",
    help: "Use a weight in that range.",
  },
  PS513: {
    severity: "error",
    title: "Weights add up to nothing",
    explanation: "With every weight 0 no implementation would ever run.",
    help: "Give at least one implementation a weight above 0.",
  },
  PS514: {
    severity: "error",
    title: "Join on an unknown pool",
    explanation: "A join names a pool of every binary that serves its flow, or `default`.",
    help: "Correct the name, or add the pool to the binary.",
  },
  PS515: {
    severity: "error",
    title: "Blocking stage on one thread",
    explanation:
      "A `sync-remote` stage blocks its thread while it waits; on a one-thread pool everything behind it would stand still.",
    help: "Give the pool more threads, put the stage on another pool, or make the service `async-remote`.",
  },
  PS516: {
    severity: "warning",
    title: "Blocking service on one thread",
    explanation:
      "A `sync-remote` service blocks its thread while it waits, so its calls run one after the other there.",
    help: "Give the pool more threads, place the service on another pool, or make it `async-remote`.",
  },
  PS517: {
    severity: "error",
    title: "Watchdog limit out of range",
    explanation: "`watchdogMs` is 0 (no handler is reported) to 3600000 milliseconds.",
    help: "Use a limit in that range, or leave it out for 5000.",
  },
  PS518: {
    severity: "warning",
    title: "Preset of something that is not there",
    explanation:
      "A preset names a pool, flow or stage that its binary does not have; it is left out when applied.",
    help: "Save the preset again, or remove it.",
  },
} as const satisfies Record<string, CatalogueEntry>;
