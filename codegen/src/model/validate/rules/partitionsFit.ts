import { quote } from "../../diagnostics/index.js";
import { canDivide, FAILURE, FAILURE_MESSAGE } from "../../topology/index.js";
import type { Rule } from "../rule.js";

/** `partitionBy` stands on a `single-threaded` service and names one integer, bool, string or enum field. */
export const partitionsFit: Rule = {
  name: "partitionsFit",
  codes: ["PS310", "PS311", "PS312"],
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
};
