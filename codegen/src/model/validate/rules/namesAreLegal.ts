import { quote } from "../../diagnostics/index.js";
import { nameFault } from "../names/nameFault.js";
import { nameScopes, placeOf } from "../names/namedThings.js";
import type { Rule } from "../rule.js";

/** Names have their form and length and are no word that C++, the system, the runtime or the build keeps. */
export const namesAreLegal: Rule = {
  name: "namesAreLegal",
  codes: ["PS201", "PS202", "PS203", "PS204", "PS205"],
  check({ topology, report }) {
    for (const scope of nameScopes(topology))
      for (const thing of scope) {
        const fault = nameFault(thing.kind, thing.name);
        if (fault === undefined) continue;
        const help = `Use another name, for example ${quote(fault.suggestion)}.`;
        report(fault.code, placeOf(thing), fault.message, { help });
      }
  },
};
