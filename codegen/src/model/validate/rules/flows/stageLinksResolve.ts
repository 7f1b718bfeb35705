import { quote } from "../../../diagnostics/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
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
} satisfies Codes;

/** `after` names earlier stages of the same flow, one at least and each once. */
export const stageLinksResolve = rule({
  name: "stageLinksResolve",
  codes: CODES,
  check({ topology, report, didYouMean }) {
    for (const [at, flow] of topology.flows.entries()) {
      const position = new Map<string, number>();
      flow.stages.forEach(({ id }, inner) => {
        if (!position.has(id)) position.set(id, inner);
      });
      for (const [inner, { id, after }] of flow.stages.entries()) {
        if (after === undefined) continue;
        const place = ["flows", at, "stages", inner, "after"];
        const owner = `The stage ${quote(id)} of ${quote(flow.name)}`;
        if (after.length === 0) report("PS412", place, `${owner} has an empty list "after"`);
        const seen = new Set<string>();
        for (const [link, other] of after.entries()) {
          const before = position.get(other);
          if (before === undefined)
            report(
              "PS410",
              [...place, link],
              `${owner} comes after ${quote(other)}, which does not exist`,
              didYouMean(other, position.keys()),
            );
          else if (before >= inner)
            report(
              "PS411",
              [...place, link],
              `${owner} comes after ${before === inner ? "itself" : `${quote(other)}, which stands behind it`}`,
            );
          else if (seen.has(other))
            report("PS413", [...place, link], `${owner} comes after ${quote(other)} twice`);
          seen.add(other);
        }
      }
    }
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS410",
    title: "after no stage",
    spoil: ({ log }) => void (log.after = ["pik"]),
    pointer: "/flows/0/stages/1/after/0",
    help: 'Did you mean "pick"?',
  },
  {
    code: "PS411",
    title: "after a later stage",
    spoil: ({ log }) => void (log.after = ["oops"]),
    pointer: "/flows/0/stages/1/after/0",
  },
  {
    code: "PS411",
    title: "after itself",
    spoil: ({ log }) => void (log.after = ["log"]),
    pointer: "/flows/0/stages/1/after/0",
  },
  {
    code: "PS412",
    title: "after nothing",
    spoil: ({ log }) => void (log.after = []),
    pointer: "/flows/0/stages/1/after",
  },
  {
    code: "PS413",
    title: "after a stage twice",
    spoil: ({ log }) => void (log.after = ["pick", "pick"]),
    pointer: "/flows/0/stages/1/after/1",
  },
];
