import type { CatalogueEntry } from "./entry.js";
import { NODES } from "./nodes.js";

/** 3xx: services, calls and implementations. */
export const SERVICES = {
  PS301: {
    severity: "error",
    title: "Unknown message",
    explanation:
      "The request and response of a service are messages of this topology (or the built-in `Failure`).",
    help: "Use a message that exists, or add it.",
  },
  PS302: {
    severity: "error",
    title: "Not a message",
    explanation:
      "The request and response of a service, and the event of a flow, are messages; an enum or a scalar cannot travel alone.",
    help: "Put the value into a message and use that.",
  },
  PS303: {
    severity: "error",
    title: "Call to an unknown service",
    explanation: "A call names a service of this topology.",
    help: "Correct the name, or add the service.",
  },
  PS304: {
    severity: "error",
    title: "Call drawn twice",
    explanation:
      "A service names each service it calls once; a handler may use the call as often as it likes.",
    help: "Remove one of the two.",
  },
  PS305: {
    severity: "error",
    title: "Cycle that can deadlock",
    explanation:
      "Calls may form a cycle only where no service on it is `sync-remote` (it blocks its thread while it waits) or `single-threaded` (it would wait for itself).",
    help: "Remove a call of the cycle, or make the service named `async-remote` or `simple`.",
  },
  PS306: {
    severity: "error",
    title: "Deadline out of range",
    explanation: "A deadline is 1 to 2147483647 milliseconds.",
    help: "Use a deadline in that range, or leave it out for none.",
  },
  PS307: {
    severity: "error",
    title: "Implementation hides another name",
    explanation:
      "The class of an implementation lives inside its service, where its name would hide a message, enum, service or flow of the same name.",
    help: "Rename the implementation.",
  },
  PS310: {
    severity: "error",
    title: "partitionBy on another kind",
    explanation:
      "Only a `single-threaded` service can run one at a time per value; the others already run in parallel.",
    help: "Make the service `single-threaded`, or remove `partitionBy`.",
  },
  PS311: {
    severity: "error",
    title: "partitionBy of an unknown field",
    explanation: "`partitionBy` names a field of the request.",
    help: "Correct the name.",
  },
  PS312: {
    severity: "error",
    title: "partitionBy of an unsuitable field",
    explanation: "The field of `partitionBy` holds one integer, bool, string or enum value.",
    help: "Choose another field.",
  },
  ...NODES,
} as const satisfies Record<string, CatalogueEntry>;
