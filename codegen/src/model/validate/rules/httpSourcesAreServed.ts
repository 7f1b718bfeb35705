import { quote } from "../../diagnostics/index.js";
import { sourceText } from "../../topology/index.js";
import type { Rule } from "../rule.js";

/** A binary that serves a flow from HTTP has an `http` address, and no path twice. */
export const httpSourcesAreServed: Rule = {
  name: "httpSourcesAreServed",
  codes: ["PS418", "PS419"],
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
};
