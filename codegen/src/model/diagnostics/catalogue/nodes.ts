import type { CatalogueEntry } from "./entry.js";

/** 320-339: standard nodes, services whose handler is generated. */
export const NODES = {
  PS320: {
    severity: "error",
    title: "Unknown type of node",
    explanation:
      "`node` of a service names a standard node, or one of the project's own in its folder `nodes/`. `penstock nodes` lists them.",
    help: "Use a type that `penstock nodes` lists.",
  },
  PS321: {
    severity: "error",
    title: "Unknown setting of a node or source",
    explanation: "The manifest has no such setting; ignoring it would drop what was meant.",
    help: "Remove it, or use a setting that `penstock nodes` lists.",
  },
  PS322: {
    severity: "error",
    title: "Setting of a node or source is missing",
    explanation: "It cannot work without this setting, and there is no value that would suit everybody.",
    help: "Add the setting.",
  },
  PS323: {
    severity: "error",
    title: "Setting of a node or source of the wrong type or range",
    explanation: "The manifest says which values a setting takes.",
    help: "Use a value that the manifest allows.",
  },
  PS324: {
    severity: "error",
    title: "Setting of a node names no such field or value",
    explanation:
      "The setting names a field of the request or response, or a value of its enum, that is not there or cannot be used there.",
    help: "Choose a field or value that is there.",
  },
  PS325: {
    severity: "error",
    title: "Not one C++ expression",
    explanation:
      "The expression is put into generated code. Its brackets and quotes are closed, it has no comment, no raw string, no line for the preprocessor, and no `;` outside of a lambda's body.",
    help: "Write one C++ expression.",
  },
  PS326: {
    severity: "error",
    title: "Request or response does not fit the node",
    explanation: "A node's manifest says what must hold for the messages at its ports.",
    help: "Choose messages that fit, or another node.",
  },
  PS327: {
    severity: "error",
    title: "Kind does not fit the node",
    explanation: "What a node does with its thread is known, so its service has a certain kind.",
    help: "Give the service the kind named.",
  },
  PS328: {
    severity: "error",
    title: "Role does not fit the node",
    explanation:
      "A node that gives nothing back holds a `side-effect`, one with a response a `map`; its manifest lists the roles.",
    help: "Give the stage a role that the node may hold.",
  },
  PS329: {
    severity: "error",
    title: "Calls or implementations do not fit the node",
    explanation:
      "The handler of a node is generated, so there is one of it, and it calls exactly as many services as its manifest says.",
    help: "Draw the calls that the node needs, and remove its implementations.",
  },
  PS330: {
    severity: "error",
    title: "Call to a node that may end an event",
    explanation:
      "A filter, a window or a batch may give nothing back; a caller would wait for an answer that never comes.",
    help: "Put the node into a flow as a stage.",
  },
} as const satisfies Record<string, CatalogueEntry>;
