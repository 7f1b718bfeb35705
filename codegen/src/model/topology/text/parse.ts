import { pathOf, pointerOf, problem, type Problem } from "../../diagnostics/index.js";
import { readJson, isJsonObject, type JsonObject, type JsonValue } from "../../json/index.js";
import { LIMITS } from "../schema/limits.js";
import { MIGRATIONS, type Migration } from "../migrations/index.js";
import { FORMAT_VERSION, topologySchema, type Topology } from "../schema/schema.js";
import { shapeProblems } from "../schema/shape.js";

export interface ParseResult {
  /** Present exactly when there is no error: every default filled in. */
  topology?: Topology;
  problems: Problem[];
  /** The format version of the text when it was an older one; keep the original beside what you save. */
  migratedFrom?: number;
  /**
   * What is left when the only errors are keys that the format does not have: good enough to check the
   * rest of the document in the same run, never to be edited or saved (it would drop what was written).
   */
  salvaged?: Topology;
}

/**
 * Reads `topology.json` (text or bytes): syntax, format version, migration, shape and limits, every
 * problem at once. The rules that relate parts of a document are `validateTopology`'s. Never throws; O(n).
 *
 * @param migrations the steps to the present version, oldest first
 */
export function parseTopology(
  input: string | Uint8Array,
  migrations: readonly Migration[] = MIGRATIONS,
): ParseResult {
  const { value, problems } = readJson(input);
  if (value === undefined) return { problems };
  if (!isJsonObject(value)) return { problems: [problem("PS122", "", "The document is not an object")] };

  const version = Object.hasOwn(value, "penstock") ? value["penstock"] : undefined;
  if (version === undefined) return checked(value);
  const oldest = migrations[0]?.from ?? FORMAT_VERSION;
  if (typeof version !== "number" || !Number.isSafeInteger(version) || version < oldest)
    return { problems: [problem("PS112", "/penstock", '"penstock" is not a format version')] };
  if (version > FORMAT_VERSION) {
    const message = `Made by a newer version: its format is ${version}, this Penstock knows up to ${FORMAT_VERSION}`;
    return { problems: [problem("PS110", "/penstock", message)] };
  }
  if (version === FORMAT_VERSION) return checked(value);

  let document = value;
  for (const step of migrations.filter(({ from }) => from >= version)) {
    const result = step.migrate(document);
    if (!result.ok) {
      const message = `Format ${version} cannot be migrated: ${pointerOf(...result.path) || "the document"} ${result.reason}`;
      return { problems: [problem("PS111", pointerOf(...result.path), message)], migratedFrom: version };
    }
    document = result.document;
  }
  return { ...checked(document), migratedFrom: version };
}

function checked(document: JsonObject): ParseResult {
  const tooBig = sizeProblems(document);
  if (tooBig.length > 0) return { problems: tooBig };
  const result = parseShape(document);
  if (result === undefined) return { problems: [problem("PS133", "", "More mistakes than can be listed")] };
  if (result.success) return { topology: result.data, problems: [] };
  const problems = shapeProblems(document, result.error.issues);
  const salvaged = problems.every(({ code }) => code === "PS120") ? salvage(document, problems) : undefined;
  return salvaged === undefined ? { problems } : { problems, salvaged };
}

/** zod hands its issues on as arguments, and some 100,000 of them are more than a call can take. */
function parseShape(document: JsonObject): ReturnType<typeof topologySchema.safeParse> | undefined {
  try {
    return topologySchema.safeParse(document);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Counts before the shape is checked, so that nothing large is built first. */
function sizeProblems(document: JsonObject): Problem[] {
  const services = listOf(document["services"]);
  const stages = listOf(document["flows"]).flatMap((flow) =>
    listOf(isJsonObject(flow) ? flow["stages"] : undefined),
  );
  const nodes = services.length + stages.length;
  let edges = 0;
  for (const service of services)
    edges += listOf(isJsonObject(service) ? service["calls"] : undefined).length;
  for (const stage of stages)
    edges += Math.max(1, listOf(isJsonObject(stage) ? stage["after"] : undefined).length);
  const problems: Problem[] = [];
  if (nodes > LIMITS.nodes) problems.push(problem("PS130", "", `${nodes} nodes, more than ${LIMITS.nodes}`));
  if (edges > LIMITS.edges) problems.push(problem("PS131", "", `${edges} edges, more than ${LIMITS.edges}`));
  return problems;
}

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

/** The document without the keys that `problems` point at, when it is well-formed without them. */
function salvage(document: JsonObject, problems: readonly Problem[]): Topology | undefined {
  const copy: unknown = JSON.parse(JSON.stringify(document));
  for (const { pointer } of problems) {
    const path = pathOf(pointer);
    const key = path.pop() ?? "";
    let holder = copy;
    for (const step of path) holder = (holder as Record<string, unknown>)[step];
    delete (holder as Record<string, unknown>)[key];
  }
  const result = topologySchema.safeParse(copy);
  return result.success ? result.data : undefined;
}
