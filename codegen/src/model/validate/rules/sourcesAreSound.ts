import { quote } from "../../diagnostics/index.js";
import { FAILURE, SOURCE_LIMITS } from "../../topology/index.js";
import { isInside } from "../isInside.js";
import type { Rule } from "../rule.js";

const SEGMENT = /^[A-Za-z0-9._~-]+$/;

/** The settings of a source are in their range and form. */
export const sourcesAreSound: Rule = {
  name: "sourcesAreSound",
  codes: ["PS417", "PS420", "PS421", "PS422", "PS423", "PS427"],
  check({ topology, report }) {
    for (const [at, { name, event, source }] of topology.flows.entries()) {
      const place = ["flows", at, "source"];
      const isMade = source.kind === "rate" && source.event !== undefined;
      if (event === FAILURE && (isMade || source.kind === "http" || source.kind === "file"))
        report(
          "PS427",
          ["flows", at, "event"],
          `The event of ${quote(name)} is ${quote(FAILURE)}, which ${isMade ? "settings cannot make" : `no ${source.kind} source reads`}`,
        );
      const rate = "perSecond" in source ? source.perSecond : undefined;
      if (rate !== undefined && !(rate >= 0 && rate <= SOURCE_LIMITS.perSecond))
        report(
          "PS420",
          [...place, "perSecond"],
          `The rate of ${quote(name)} is ${rate} a second, not 0 to ${SOURCE_LIMITS.perSecond}`,
        );
      if (source.kind === "http" && !isWithin(source.timeoutMs, SOURCE_LIMITS.timeoutMs))
        report(
          "PS422",
          [...place, "timeoutMs"],
          `Requests to ${quote(name)} wait for ${source.timeoutMs} ms, not 1 to ${SOURCE_LIMITS.timeoutMs}`,
        );
      if (source.kind === "http" && !isWithin(source.maxBytes, SOURCE_LIMITS.maxBytes))
        report(
          "PS423",
          [...place, "maxBytes"],
          `Requests to ${quote(name)} have ${source.maxBytes} bytes at most, not 1 to ${SOURCE_LIMITS.maxBytes}`,
        );
      if (source.kind === "http" && !isPath(source.path))
        report(
          "PS417",
          [...place, "path"],
          `${quote(source.path)} is no path for the source of ${quote(name)}`,
        );
      if (source.kind === "file" && !isInside(source.path))
        report(
          "PS421",
          [...place, "path"],
          source.path === ""
            ? `The source of ${quote(name)} names no file`
            : `${quote(source.path)} is no file below the folder of the project`,
        );
    }
  },
};

const isWithin = (value: number | undefined, most: number): boolean =>
  value === undefined || (value >= 1 && value <= most);

/** `.` and `..` never arrive at a server: clients take them out of a path before they ask. */
function isPath(path: string): boolean {
  if (path === "/") return true;
  const [start, ...segments] = path.split("/");
  return (
    start === "" &&
    segments.length > 0 &&
    segments.every((segment) => SEGMENT.test(segment) && segment !== "." && segment !== "..")
  );
}
