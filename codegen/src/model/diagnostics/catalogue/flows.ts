import type { CatalogueEntry } from "./entry.js";

/** 4xx: flows, stages and sources. */
export const FLOWS = {
  PS401: {
    severity: "error",
    title: "Unknown event",
    explanation: "The event of a flow is a message of this topology.",
    help: "Use a message that exists, or add it.",
  },
  PS402: {
    severity: "error",
    title: "Flow without stages",
    explanation: "A flow has at least one stage.",
    help: "Add a stage.",
  },
  PS403: {
    severity: "error",
    title: "Stage of an unknown service",
    explanation: "A stage is held by a service of this topology.",
    help: "Correct the name, or add the service.",
  },
  PS404: {
    severity: "error",
    title: "Stage takes another message",
    explanation:
      "The service of a stage takes what the stage before it gives: the event from the source, the response of a `map`, what a `side-effect` passes on.",
    help: "Use a service that takes that message, or put a `map` between that makes one of the other.",
  },
  PS405: {
    severity: "error",
    title: "Nothing left to take",
    explanation: "A `map` whose service has no response ends its branch: only a `catch` may follow.",
    help: "Make the stage before a `side-effect`, or give its service a response.",
  },
  PS406: {
    severity: "error",
    title: "catch does not take Failure",
    explanation:
      "The service of a `catch` takes the built-in message `Failure` (code, message, flow, stage).",
    help: "Set the request of the service to `Failure`.",
  },
  PS407: {
    severity: "error",
    title: "catch gives another message",
    explanation:
      "The response of a `catch` is the value with which the flow goes on, so it is the message that passes there.",
    help: "Let the service give that message, or nothing (then a failed event ends).",
  },
  PS408: {
    severity: "error",
    title: "catch with nothing before it",
    explanation: "A `catch` takes the failures of the stages before it, and there is none.",
    help: "Move it behind the stages whose failures it takes.",
  },
  PS409: {
    severity: "warning",
    title: "Response of a side effect is ignored",
    explanation: "A `side-effect` sees the event and passes it on; what its service gives back goes nowhere.",
    help: "Make it a `map`, or use a service without response.",
  },
  PS410: {
    severity: "error",
    title: "after names no stage",
    explanation: "`after` names earlier stages of the same flow.",
    help: "Correct the name.",
  },
  PS411: {
    severity: "error",
    title: "after names a later stage",
    explanation:
      "Stages run in list order, so that no stage can wait for itself: `after` names earlier ones.",
    help: "Move the stage behind those it follows.",
  },
  PS412: {
    severity: "error",
    title: "after is empty",
    explanation:
      "`after` names at least one stage; a stage without `after` follows the one before it in the list.",
    help: "Name a stage, or remove `after`.",
  },
  PS413: {
    severity: "error",
    title: "after names a stage twice",
    explanation: "An event would run twice through the stage.",
    help: "Remove one of the two.",
  },
  PS414: {
    severity: "error",
    title: "when without a deciding value",
    explanation:
      "`when` looks at the only enum field (not repeated) of what the stage before gives; there is no such stage, no such field, or more than one.",
    help: "Give that message exactly one enum field, or remove `when`.",
  },
  PS415: {
    severity: "error",
    title: "when names an unknown value",
    explanation: "`when` is a value, or a list of values, of the enum that decides.",
    help: "Use a value of that enum.",
  },
  PS416: {
    severity: "warning",
    title: "Value without a branch",
    explanation: "Events for which no branch has a `when` end there.",
    help: "Add a branch for the value, or a stage without `when`.",
  },
  PS417: {
    severity: "error",
    title: "Path of the wrong form",
    explanation:
      "The path of an HTTP source starts with `/` and has unreserved characters (letters, digits, `-`, `.`, `_`, `~`) between single slashes.",
    help: "Use a path such as `/mo`.",
  },
  PS418: {
    severity: "error",
    title: "Path served twice",
    explanation: "One binary can serve a path for one flow only.",
    help: "Give one of the flows another path, or serve it from another binary.",
  },
  PS419: {
    severity: "error",
    title: "HTTP source in a binary without http",
    explanation: "The binary that serves the flow has no `http` address on which to take the requests.",
    help: "Give the binary an `http` address.",
  },
  PS420: {
    severity: "error",
    title: "Rate out of range",
    explanation: "`perSecond` is 0 (paused) to 1000000000; fractions are allowed.",
    help: "Use a rate in that range.",
  },
  PS421: {
    severity: "error",
    title: "No file of the project",
    explanation:
      "A `file` source names the file of JSON lines it reads, in the folder that the binary is started in (`penstock run`: the project's) or below it: no `/` at the beginning, no `.` or `..` on the way.",
    help: "Set `path` to such a file; one that lies elsewhere can be linked there, or be named in the configuration of the binary that is deployed.",
  },
  PS422: {
    severity: "error",
    title: "Time limit of requests out of range",
    explanation: "`timeoutMs` of an HTTP source is 1 to 3600000 milliseconds; left out it is 30000.",
    help: "Use a time in that range.",
  },
  PS423: {
    severity: "error",
    title: "Size limit of requests out of range",
    explanation: "`maxBytes` of an HTTP source is 1 to 16777216; left out it is 102400.",
    help: "Use a size in that range.",
  },
  PS424: {
    severity: "warning",
    title: "Flow into which nobody pushes",
    explanation:
      "Events of a `service` source are pushed by handlers of the same bundle, and no bundle of the flow has a service whose handler could.",
    help: "Put a service that pushes into the flow's bundle.",
  },
  PS425: {
    severity: "error",
    title: "Value for an unknown field of an event",
    explanation: "`event` of a rate source says how fields of the flow's event are made.",
    help: "Correct the name, or add the field to the message.",
  },
  PS426: {
    severity: "error",
    title: "Value that does not fit its field",
    explanation:
      'A field is made in one way: `{"uniform": [a, b]}` for numbers, `{"choice": [...]}`, `{"sequence": start}` for whole numbers, or `{"expression": "C++"}`.',
    help: "Use a way that fits the type of the field.",
  },
  PS427: {
    severity: "error",
    title: "Failures from outside",
    explanation:
      "`Failure` is the runtime's own message: handlers push it, and the user's C++ makes it, but it is neither read from requests or files nor made by settings.",
    help: "Use a message of your own as the event.",
  },
  PS428: {
    severity: "error",
    title: "Unknown kind of source",
    explanation:
      "`kind` of a source names a standard one, or one of the project's own in its folder `sources/`. `penstock nodes` lists them.",
    help: "Use a kind that `penstock nodes` lists.",
  },
  PS429: {
    severity: "error",
    title: "Event that does not fit its source",
    explanation: "The manifest of a source says which fields its event must have.",
    help: "Add the field to the message, or choose another event.",
  },
} as const satisfies Record<string, CatalogueEntry>;
