import { quote } from "../../../diagnostics/index.js";
import { canDivide, FAILURE, FAILURE_MESSAGE } from "../../../topology/index.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS310: {
    severity: "error",
    title: "partitionBy on another kind",
    explanation:
      "Only a `single-threaded` service can run one at a time per value; the others already run in parallel.",
    help: "Make the service `single-threaded`, or remove `partitionBy`.",
  },
  PS311: {
    severity: "error",
    title: "partitionBy of an unknown field",
    explanation: "`partitionBy` names a field of the request.",
    help: "Correct the name.",
  },
  PS312: {
    severity: "error",
    title: "partitionBy of an unsuitable field",
    explanation: "The field of `partitionBy` holds one integer, bool, string or enum value.",
    help: "Choose another field.",
  },
} satisfies Codes;

/** `partitionBy` stands on a `single-threaded` service and names one integer, bool, string or enum field. */
export const partitionsFit = rule({
  name: "partitionsFit",
  codes: CODES,
  check({ topology, index, report, didYouMean }) {
    for (const [at, { name, kind, request, partitionBy }] of topology.services.entries()) {
      if (partitionBy === undefined) continue;
      const place = ["services", at, "partitionBy"];
      if (kind !== "single-threaded")
        report(
          "PS310",
          place,
          `${quote(name)} is ${kind}; only a single-threaded service can have partitionBy`,
        );
      const message = request === FAILURE ? FAILURE_MESSAGE : index.messages.get(request)?.item;
      if (message === undefined) continue;
      const field = message.fields.find((candidate) => candidate.name === partitionBy);
      if (field === undefined) {
        const details = didYouMean(
          partitionBy,
          message.fields.map((candidate) => candidate.name),
        );
        report("PS311", place, `${quote(request)} has no field ${quote(partitionBy)}`, details);
      } else if (field.repeated === true || field.length !== undefined)
        report("PS312", place, `The field ${quote(partitionBy)} of ${quote(request)} holds several values`);
      else if (!canDivide(field, (type) => index.enums.has(type)))
        report(
          "PS312",
          place,
          `The field ${quote(partitionBy)} of ${quote(request)} is of type ${quote(field.type)}`,
        );
    }
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS310",
    title: "partitions of a simple service",
    spoil: ({ countError }) => void (countError.partitionBy = "code"),
    pointer: "/services/3/partitionBy",
  },
  {
    code: "PS311",
    title: "partitions by no field",
    spoil: ({ logAd }) => void (logAd.partitionBy = "txt"),
    pointer: "/services/2/partitionBy",
    help: 'Did you mean "text"?',
  },
  {
    code: "PS312",
    title: "partitions by a list",
    spoil: ({ logAd, log, document }) => {
      logAd.request = "AdRequest";
      logAd.partitionBy = "weights";
      log.after = ["pick"];
      document.flows![0]!.stages = [log];
      delete log.after;
    },
    pointer: "/services/2/partitionBy",
  },
];
