import {
  binarySchema,
  bundleSchema,
  enumSchema,
  enumValueSchema,
  fieldSchema,
  flowSchema,
  httpSchema,
  keyFilesSchema,
  livenessSchema,
  messageSchema,
  nodeSchema,
  placementSchema,
  poolSchema,
  presetRuleSchema,
  presetSchema,
  reservedSchema,
  ruleSideSchema,
  serviceSchema,
  stageSchema,
  topologySchema,
} from "./schema.js";
import { STANDARD_SOURCES } from "../../sources/index.js";
import { threadRangeSchema, threadsAlikeSchema } from "./threads.js";

const keysOf = (schema: { shape: object }): readonly string[] => Object.keys(schema.shape);

/** Keys of the object at each path of a document, list indexes and map keys written as `*`. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  "": keysOf(topologySchema),
  "messages.*": keysOf(messageSchema),
  "messages.*.fields.*": keysOf(fieldSchema),
  "messages.*.reserved": keysOf(reservedSchema),
  "enums.*": keysOf(enumSchema),
  "enums.*.reserved": keysOf(reservedSchema),
  "enums.*.values.*": keysOf(enumValueSchema),
  "services.*": keysOf(serviceSchema),
  "services.*.node": keysOf(nodeSchema),
  "flows.*": keysOf(flowSchema),
  "flows.*.source": [
    ...new Set(
      [...STANDARD_SOURCES.values()].flatMap(({ settings }) => ["kind", ...Object.keys(settings.properties)]),
    ),
  ],
  "flows.*.stages.*": keysOf(stageSchema),
  "flows.*.stages.*.join": ["pool", "threads", "queue", "overflow"],
  "bundles.*": keysOf(bundleSchema),
  "binaries.*": keysOf(binarySchema),
  "binaries.*.http": keysOf(httpSchema),
  "binaries.*.http.tls": keysOf(keyFilesSchema),
  "binaries.*.liveness": keysOf(livenessSchema),
  "binaries.*.pools.*": keysOf(poolSchema),
  "binaries.*.pools.*.threads": keysOf(threadRangeSchema),
  "binaries.*.pools.*.threads.*": keysOf(threadsAlikeSchema),
  "binaries.*.placement.*": keysOf(placementSchema),
  "binaries.*.presets.*": keysOf(presetSchema),
  "binaries.*.presets.*.pools.*": ["name", "threads"],
  "binaries.*.presets.*.pools.*.threads.*": keysOf(threadsAlikeSchema),
  "binaries.*.presets.*.joins.*": ["flow", "stage", "join"],
  "binaries.*.presets.*.joins.*.join": ["pool", "threads", "queue", "overflow"],
  "binaries.*.rules.*": keysOf(presetRuleSchema),
  "binaries.*.rules.*.below": keysOf(ruleSideSchema),
  "binaries.*.rules.*.above": keysOf(ruleSideSchema),
};

const WORDS: Readonly<Record<string, string>> = {
  "": "The topology",
  "messages.*": "A message",
  "messages.*.fields.*": "A field",
  "messages.*.reserved": "What is reserved",
  "enums.*": "An enum",
  "enums.*.reserved": "What is reserved",
  "enums.*.values.*": "An enum value",
  "services.*": "A service",
  "services.*.node": "A node",
  "flows.*": "A flow",
  "flows.*.source": "A source",
  "flows.*.stages.*": "A stage",
  "flows.*.stages.*.join": "A join",
  "bundles.*": "A bundle",
  "binaries.*": "A binary",
  "binaries.*.http": "The http of a binary",
  "binaries.*.http.tls": "The tls of http",
  "binaries.*.pools.*": "A pool",
  "binaries.*.pools.*.threads": "A range of threads",
  "binaries.*.pools.*.threads.*": "A thread",
  "binaries.*.placement.*": "A placement",
  "binaries.*.presets.*": "A preset",
  "binaries.*.presets.*.pools.*": "A pool of a preset",
  "binaries.*.presets.*.pools.*.threads.*": "A thread",
  "binaries.*.presets.*.joins.*": "A slot of a preset",
  "binaries.*.presets.*.joins.*.join": "A join",
  "binaries.*.rules.*": "A rule",
  "binaries.*.rules.*.below": "A side of a rule",
  "binaries.*.rules.*.above": "A side of a rule",
};

function patternOf(path: readonly PropertyKey[]): string {
  return path
    .map((segment, at) =>
      typeof segment === "number" || path[at - 1] === "placement" ? "*" : String(segment),
    )
    .join(".");
}

/** Keys that the format has for the object at `path`; none when it has no such object. */
export const knownKeys = (path: readonly PropertyKey[]): readonly string[] => KEYS[patternOf(path)] ?? [];

/** What the object at `path` is, as the start of a sentence. */
export const subjectAt = (path: readonly PropertyKey[]): string => WORDS[patternOf(path)] ?? "This object";
