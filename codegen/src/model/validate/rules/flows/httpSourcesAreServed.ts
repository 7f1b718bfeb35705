import { quote } from "../../../diagnostics/index.js";
import { sourceText } from "../../../topology/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
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
} satisfies Codes;

/** A binary that serves a flow from HTTP has an `http` address, and no path twice. */
export const httpSourcesAreServed = rule({
  name: "httpSourcesAreServed",
  codes: CODES,
  check({ topology, index, report }) {
    const taken = new Map<string, string>();
    const told = new Set<string>();
    for (const [at, { name, source }] of topology.flows.entries()) {
      if (source.kind !== "http") continue;
      const place = ["flows", at, "source"];
      const path = sourceText(source, "path");
      for (const binary of index.binariesOfFlow.get(name) ?? []) {
        if (index.binaries.get(binary)?.item.http === undefined)
          report("PS419", place, `The binary ${quote(binary)} serves ${quote(name)} but has no http address`);
        const key = `${binary} ${path}`;
        const other = taken.get(key);
        if (other === undefined) taken.set(key, name);
        else if (other !== name && !told.has(key)) {
          told.add(key);
          report(
            "PS418",
            [...place, "path"],
            `${quote(path)} is served by ${quote(other)} in the binary ${quote(binary)} already`,
          );
        }
      }
    }
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS418",
    title: "a path twice",
    spoil: ({ flow, document, binary, bundle, pick }) => {
      flow.source = { kind: "http", path: "/ad" };
      document.flows!.push({ ...flow, name: "Second", stages: [pick] });
      bundle.flows!.push("Second");
      binary.http = "127.0.0.1:0";
    },
    pointer: "/flows/1/source/path",
  },
  {
    code: "PS419",
    title: "an http source without http",
    spoil: ({ flow }) => void (flow.source = { kind: "http", path: "/ad" }),
    pointer: "/flows/0/source",
  },
];
