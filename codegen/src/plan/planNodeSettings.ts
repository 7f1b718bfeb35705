import { sqlStatement, textPieces, type NodeManifest, type SettingSchema } from "../model/manifests/index.js";
import type {
  ExpressionPlan,
  GeneratorPlan,
  NodeFieldPlan,
  NodeMessagePlan,
  NodeSettingPlan,
} from "./projectPlan.js";

interface Surroundings {
  /** `services/Big/node/settings` */
  place: string;
  request: NodeMessagePlan;
  response: NodeMessagePlan | undefined;
  /** Of the response's only enum field. */
  enumType: string | undefined;
}

/** Settings as templates take them: names of fields become fields, expressions know their place. */
export class NodeSettingPlanner {
  /** A generator that was planned counts events. */
  usesSequence = false;
  /** Something that was planned reads the request. */
  usesRequest = false;

  constructor(private readonly around: Surroundings) {}

  all(manifest: NodeManifest, settings: Record<string, unknown>): Record<string, NodeSettingPlan> {
    return Object.fromEntries(
      Object.entries(manifest.settings.properties).map(([key, schema]) => [
        key,
        this.#one(schema, settings[key], `${this.around.place}/${key}`),
      ]),
    );
  }

  #one(schema: SettingSchema, value: unknown, place: string): NodeSettingPlan {
    if (value === undefined || value === null) return null;
    if (typeof value === "string") return this.#text(schema, value, place);
    if (Array.isArray(value))
      return value.map((item, at) => (schema.items ? this.#one(schema.items, item, `${place}/${at}`) : null));
    if (typeof value !== "object") return value as number | boolean;
    const entries = Object.entries(value);
    const { additionalProperties: inner, propertyNames, properties = {} } = schema;
    if (inner !== undefined)
      return entries.map(([key, item]) => {
        const field = propertyNames === undefined ? null : this.#field(propertyNames.format, key);
        const at = `${place}/${encodeURIComponent(key)}`;
        if (inner.format !== "generator" || field === null)
          return { key, field, value: this.#one(inner, item, at) };
        const value = planGenerator(field, item, at);
        this.usesSequence ||= countsEvents(value);
        this.usesRequest ||= value.way.kind === "expression" && readsRequest(value.way.expression);
        return { key, field, value };
      });
    const given = new Map<string, unknown>(entries);
    return Object.fromEntries(
      Object.entries(properties).map(([key, property]) => [
        key,
        this.#one(property, given.get(key), `${place}/${key}`),
      ]),
    );
  }

  #text({ format }: SettingSchema, value: string, place: string): NodeSettingPlan {
    switch (format) {
      case "cpp-expression": {
        const planned = { expression: value, place };
        this.usesRequest ||= readsRequest(planned);
        return planned;
      }
      case "field-of-request":
      case "field-of-response":
        return this.#field(format, value);
      case "enum-value":
        return { name: value, value: `${this.around.enumType ?? ""}::${value}` };
      case "text":
      case "url":
        // One without any words is the whole event.
        this.usesRequest ||= value === "";
        return (textPieces(value) ?? []).map((piece) =>
          "literal" in piece
            ? { literal: piece.literal, field: null }
            : { literal: "", field: this.#field("field-of-request", piece.field) },
        );
      case "sql": {
        const { sql, parameters } = sqlStatement(value);
        return { sql, parameters: parameters.flatMap((name) => this.#field("field-of-request", name) ?? []) };
      }
      default:
        return value;
    }
  }

  #field(format: string, name: string): NodeFieldPlan | null {
    const isOfRequest = format === "field-of-request";
    this.usesRequest ||= isOfRequest;
    const message = isOfRequest ? this.around.request : this.around.response;
    return message?.fields.find((field) => field.name === name) ?? null;
  }
}

/**
 * How a field's value is made. What the rules refuse is planned, too, as anything: files are listed and
 * edited while the drawing is wrong.
 */
export function planGenerator(field: NodeFieldPlan, generator: unknown, place: string): GeneratorPlan {
  const ways = typeof generator === "object" && generator !== null ? Object.entries(generator) : [];
  const [way, value] = ways[0] ?? ["", undefined];
  const list: unknown[] = Array.isArray(value) ? value : [];
  if (way === "uniform") {
    const [least = 0, greatest = 0] = list as number[];
    return { field, way: { kind: "uniform", least, greatest } };
  }
  if (way === "choice") return { field, way: { kind: "choice", values: list as string[] } };
  if (way === "sequence") return { field, way: { kind: "sequence", start: value as number } };
  const text = typeof value === "string" ? value : "";
  const expression: ExpressionPlan = { expression: text, place: `${place}/expression` };
  return { field, way: { kind: "expression", expression } };
}

const readsRequest = ({ expression }: ExpressionPlan): boolean => /\brequest\b/.test(expression);

/** Whether a value is made from the number of the event. */
export const countsEvents = ({ way }: GeneratorPlan): boolean =>
  way.kind === "sequence" || (way.kind === "expression" && /\bsequence\b/.test(way.expression.expression));
