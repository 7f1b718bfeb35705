import type { ImportPlan } from "@penstock/codegen/contract";
import type { Problem } from "@penstock/codegen/diagnostics";

type Report = ImportPlan["report"];

/** What an import adds, in the order in which the command line says it. */
export const ADDED = [
  { list: "messages", one: "message", many: "messages" },
  { list: "enums", one: "enum", many: "enums" },
  { list: "services", one: "service", many: "services" },
  { list: "bundles", one: "bundle", many: "bundles" },
] as const;

/** `61 messages, 7 enums, 4 services, 4 bundles` */
export const countsOf = (report: Report): string =>
  ADDED.filter(({ list }) => report[list].length > 0)
    .map(({ list, one, many }) => `${report[list].length} ${report[list].length === 1 ? one : many}`)
    .join(", ");

/** `v1/trace.proto:12`, else the place in the drawing. */
export const placeOf = ({ file, line, pointer }: Pick<Problem, "file" | "line" | "pointer">): string =>
  file === undefined ? pointer : line === undefined ? file : `${file}:${line}`;
