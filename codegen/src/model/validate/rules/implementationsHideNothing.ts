import { quote } from "../../diagnostics/index.js";
import type { Rule } from "../rule.js";

/**
 * The class of an implementation is a member of its service's class, so inside of it the name would
 * stand for the implementation and no longer for a message, enum, service or flow.
 */
export const implementationsHideNothing: Rule = {
  name: "implementationsHideNothing",
  codes: ["PS307"],
  check({ topology, index, report }) {
    for (const [at, service] of topology.services.entries())
      for (const [inner, name] of service.implementations.entries()) {
        const hidden =
          name === service.name
            ? "its own service"
            : index.messages.has(name)
              ? "the message of that name"
              : index.enums.has(name)
                ? "the enum of that name"
                : index.services.has(name)
                  ? "the service of that name"
                  : index.flows.has(name)
                    ? "the flow of that name"
                    : undefined;
        if (hidden !== undefined)
          report(
            "PS307",
            ["services", at, "implementations", inner],
            `The implementation ${quote(name)} of ${quote(service.name)} would hide ${hidden}`,
            { help: `Rename the implementation, for example to ${quote(`${name}Impl`)}.` },
          );
      }
  },
};
