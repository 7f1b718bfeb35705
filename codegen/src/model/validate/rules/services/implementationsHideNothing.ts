import { quote } from "../../../diagnostics/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS307: {
    severity: "error",
    title: "Implementation hides another name",
    explanation:
      "The class of an implementation lives inside its service, where its name would hide a message, enum, service or flow of the same name.",
    help: "Rename the implementation.",
  },
} satisfies Codes;

/**
 * The class of an implementation is a member of its service's class, so inside of it the name would
 * stand for the implementation and no longer for a message, enum, service or flow.
 */
export const implementationsHideNothing = rule({
  name: "implementationsHideNothing",
  codes: CODES,
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
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS307",
    title: "an implementation named as its service",
    spoil: ({ logAd }) => void (logAd.implementations = ["LogAd"]),
    pointer: "/services/2/implementations/0",
    help: '"LogAdImpl"',
  },
  {
    code: "PS307",
    title: "an implementation named as a message",
    spoil: ({ logAd }) => void (logAd.implementations = ["Ad"]),
    pointer: "/services/2/implementations/0",
  },
];
