import { quote } from "../../diagnostics/index.js";
import { protoValueName } from "../../topology/index.js";
import type { Rule } from "../rule.js";

const LOWEST = -(2 ** 31);
const HIGHEST = 2 ** 31 - 1;

/**
 * Enums follow proto3: not empty, the first number 0, all of them int32 and different; and the names
 * that their values get in the `.proto`, where all enums share one scope, do not meet.
 */
export const enumsFollowProto3: Rule = {
  name: "enumsFollowProto3",
  codes: ["PS217", "PS218", "PS219", "PS220", "PS207"],
  check({ topology, report }) {
    const inProto = new Map<string, { enumAt: number; shown: string }>();
    for (const [at, { name: enumName, values }] of topology.enums.entries()) {
      if (values.length === 0) report("PS217", ["enums", at], `The enum ${quote(enumName)} has no value`);
      const numbers = new Map<number, string>();
      for (const [inner, { name, number }] of values.entries()) {
        const place = ["enums", at, "values", inner];
        const owner = `${quote(name)} of ${quote(enumName)}`;
        if (inner === 0 && number !== 0)
          report(
            "PS218",
            [...place, "number"],
            `The first value of ${quote(enumName)} has the number ${number}, not 0`,
          );
        if (number < LOWEST || number > HIGHEST)
          report(
            "PS219",
            [...place, "number"],
            `${owner} has the number ${number}, not ${LOWEST} to ${HIGHEST}`,
          );
        const same = numbers.get(number);
        if (same === undefined) numbers.set(number, name);
        else
          report("PS220", [...place, "number"], `${owner} has the number ${number}, as ${quote(same)} has`);

        const proto = protoValueName(enumName, name);
        const met = inProto.get(proto);
        if (met === undefined) inProto.set(proto, { enumAt: at, shown: owner });
        else if (met.enumAt !== at)
          report(
            "PS207",
            [...place, "name"],
            `${owner} and ${met.shown} become one name in the .proto (${quote(proto)})`,
          );
      }
    }
  },
};
