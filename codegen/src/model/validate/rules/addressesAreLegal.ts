import { quote } from "../../diagnostics/index.js";
import { isLoopback, parseHostPort, parseListen, type AddressResult } from "../address.js";
import type { Place, Rule } from "../rule.js";

/** Addresses have their form; none stands twice in a binary, nor (a warning) in two; `control` stays on this machine. */
export const addressesAreLegal: Rule = {
  name: "addressesAreLegal",
  codes: ["PS601", "PS602", "PS603", "PS604", "PS605", "PS606"],
  check({ topology, report }) {
    const everywhere = new Map<string, { at: number; name: string }>();
    for (const [at, binary] of topology.binaries.entries()) {
      const here = new Set<string>();
      const use = (place: Place, address: string, result: AddressResult): void => {
        if (!result.ok) report(result.code, ["binaries", at, ...place], result.message);
        else if (result.key !== undefined) {
          const other = everywhere.get(result.key);
          if (here.has(result.key))
            report(
              "PS604",
              ["binaries", at, ...place],
              `${quote(binary.name)} uses the address ${quote(address)} twice`,
            );
          else if (other !== undefined && other.at !== at)
            report(
              "PS605",
              ["binaries", at, ...place],
              `${quote(binary.name)} and ${quote(other.name)} both use the address ${quote(address)}`,
            );
          here.add(result.key);
          if (other === undefined) everywhere.set(result.key, { at, name: binary.name });
        }
      };
      for (const [inner, address] of binary.listen.entries())
        use(["listen", inner], address, parseListen(address));
      if (binary.http !== undefined) use(["http"], binary.http, parseHostPort(binary.http));
      const control = parseHostPort(binary.control);
      use(["control"], binary.control, control);
      if (control.ok && !isLoopback(binary.control))
        report(
          "PS606",
          ["binaries", at, "control"],
          `${quote(binary.name)} would take commands at ${quote(binary.control)}`,
        );
    }
  },
};
