import { SOURCE_LIMITS, type Source } from "../model/topology/index.js";

type Kind = Source["kind"];
type Keys<K extends Kind> = Exclude<keyof Extract<Source, { kind: K }>, "kind">;

/** Every source with all its keys: one that the format has and that is missing here does not compile. */
const SOURCES: { [K in Kind]: { doc: string; keys: Record<Keys<K>, string> } } = {
  http: {
    doc: "Events are posted as JSON to a path of the binary's `http` address, which a binary that serves the flow needs.",
    keys: {
      path: "Starts with `/` and has letters, digits, `-`, `.`, `_` and `~` between single slashes; no two flows of a binary have the same. (required)",
      answer:
        "result: a request waits for the event's end and gets its last value. accepted: it is answered 202 at once. (`result`, `accepted`; default `result`)",
      timeoutMs: `How long a request waits for its answer. (1 to ${SOURCE_LIMITS.timeoutMs} ms; default \`30000\`)`,
      maxBytes: `Longest body of a request. (1 to ${SOURCE_LIMITS.maxBytes} bytes; default \`102400\`)`,
    },
  },
  rate: {
    doc: "Events are made, so many a second: by your `src/flows/<flow>.cpp`, or by settings.",
    keys: {
      perSecond: `Events a second, fractions allowed; 0: paused. (0 to ${SOURCE_LIMITS.perSecond}; required)`,
      event: "How each field is made (_Events without C++_, above); left out: by your C++.",
    },
  },
  file: {
    doc: "Events are the lines of a file, one JSON object each.",
    keys: {
      path: "In the folder that the binary is started in, or below it: no `/` at the beginning, no `.` or `..` on the way. (required)",
      perSecond: `Lines a second at most, fractions allowed; 0: paused; left out: as quickly as the flow takes them. (0 to ${SOURCE_LIMITS.perSecond})`,
      loop: "Start again at the end of the file. (default `false`)",
    },
  },
  service: {
    doc: "Events are pushed by handlers of services in a bundle of the flow: `flows.<Flow>.push(event)`. It has no keys.",
    keys: {},
  },
};

/** Where the events of flows come from: the part of `docs/nodes.md` about what stands before all nodes. */
export const sourcesSection = (): string =>
  [
    "## Sources",
    "Where the events of a flow come from is no node but its `source`, of one of these kinds. The event of an `http` or `file` source, and one made by settings, is any message but `Failure`. What requests are answered with, and how JSON is read, is said in [topology.json](topology.md).",
    ...Object.entries(SOURCES).flatMap(([kind, { doc, keys }]) => {
      const lines = Object.entries(keys).map(([key, text]) => `- \`${key}\`: ${text}`);
      return [`**\`${kind}\`**: ${doc}`, ...(lines.length > 0 ? [lines.join("\n")] : [])];
    }),
  ]
    .join("\n\n")
    .concat("\n");
