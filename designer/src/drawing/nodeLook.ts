import type { NodeInfo } from "@penstock/codegen/contract";
import type { Service } from "@penstock/codegen/topology";
import type { SettingSchema } from "@penstock/codegen/manifests";
import type { StandardLook } from "./toCanvasNodes.js";
import { categoryColor } from "../kernel/ui/icons/categories.js";

/** How services that are nodes look; a type that nobody knows has the look of something unknown. */
export const looksOf = (nodes: readonly NodeInfo[]): ((service: Service) => StandardLook | undefined) => {
  const byType = new Map(nodes.map((node) => [node.type, node]));
  return ({ node }) => {
    if (node === undefined) return undefined;
    const info = byType.get(node.type);
    const summary = info === undefined ? node.type : summaryOf(info, node.settings);
    return { icon: info?.icon ?? "", color: categoryColor(info?.category), summary };
  };
};

const TELLING: readonly (SettingSchema["format"] | undefined)[] = [
  "cpp-expression",
  "sql",
  "text",
  "rpc-method",
  "url",
  "path",
];

/** The one line that tells most: the condition of a filter, the statement of a query, the first field of a map. */
function summaryOf({ settings, title }: NodeInfo, given: Readonly<Record<string, unknown>>): string {
  for (const format of TELLING)
    for (const [key, schema] of Object.entries(settings.properties)) {
      const value = given[key];
      if (schema.format === format && typeof value === "string" && value !== "") return oneLine(value);
    }
  for (const [key, schema] of Object.entries(settings.properties)) {
    const value = given[key];
    if (schema.additionalProperties && typeof value === "object" && value !== null) {
      const [[field, how] = []] = Object.entries(value);
      if (field !== undefined) return oneLine(typeof how === "string" ? `${field} = ${how}` : field);
    }
    if (typeof value === "number") return `${schema.title?.toLowerCase() ?? key} ${value}`;
  }
  return title;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
