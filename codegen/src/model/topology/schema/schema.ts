import { z } from "zod";
import { DEFAULT_HOLD_S, DEFAULT_QUEUE } from "./limits.js";
import { sourceSchema } from "./source.js";
import { poolThreadsSchema, threadsSchema } from "./threads.js";

/**
 * The topology document, format version 1: the one definition from which the TypeScript types,
 * the JSON Schema, the server's request checks and the designer's forms come. It states shapes
 * and defaults only; the rules that relate parts of a document live in `validate/rules`.
 */

/** Version of the format that this code writes. */
export const FORMAT_VERSION = 1;

export const SCALAR_TYPES = [
  "bool",
  "int32",
  "int64",
  "uint32",
  "uint64",
  "float",
  "double",
  "string",
  "bytes",
  "buffer",
] as const;
/** How whole numbers lie on the wire where not as they are: protobuf's `sint32`, and its `fixed32` or `sfixed32`. */
export const ENCODINGS = ["zigzag", "fixed"] as const;
/** What a map can have as its key, as protobuf names it. */
export const KEY_TYPES = [
  "bool",
  "int32",
  "int64",
  "uint32",
  "uint64",
  "sint32",
  "sint64",
  "fixed32",
  "fixed64",
  "sfixed32",
  "sfixed64",
  "string",
] as const;
export const SERVICE_KINDS = ["simple", "single-threaded", "sync-remote", "async-remote"] as const;
export const STAGE_ROLES = ["map", "side-effect", "catch"] as const;
export const IDLE_POLICIES = ["spin", "park", "adaptive"] as const;
export const OVERFLOW_POLICIES = ["block", "reject", "shed-oldest"] as const;

const doc = z.string().optional();
const name = z.string();

export const fieldSchema = z.strictObject({
  name,
  /** A scalar of SCALAR_TYPES, or the name of an enum or message. */
  type: z.string(),
  tag: z.int(),
  repeated: z.boolean().optional(),
  optional: z.boolean().optional(),
  /** A fixed array of this many elements. */
  length: z.int().optional(),
  encoding: z.enum(ENCODINGS).optional(),
  /** Of a list that protobuf would pack: each element has a key of its own on the wire. */
  packed: z.literal(false).optional(),
  /** Of a list: it is a map by a key of this type. */
  key: z.enum(KEY_TYPES).optional(),
  /** Of an optional: at most one of those with this name has a value. */
  oneof: z.string().optional(),
  /** Its name in JSON where that is not made of `name`. */
  jsonName: z.string().optional(),
  doc,
});
/** Numbers, or first and last of a range, and names that were used once and must not come again. */
export const reservedSchema = z.strictObject({
  numbers: z.array(z.union([z.int(), z.tuple([z.int(), z.int()])])).default([]),
  names: z.array(z.string()).default([]),
});
export const messageSchema = z.strictObject({
  name,
  fields: z.array(fieldSchema).default([]),
  reserved: reservedSchema.optional(),
  doc,
});
export const enumValueSchema = z.strictObject({
  name,
  number: z.int(),
  /** Its name in protobuf and JSON where that is not made of the enum's name and its own. */
  protoName: z.string().optional(),
  doc,
});
export const enumSchema = z.strictObject({
  name,
  values: z.array(enumValueSchema).default([]),
  reserved: reservedSchema.optional(),
  doc,
});

/** A standard node: its handler is generated from the package of that type. */
export const nodeSchema = z.strictObject({
  type: z.string(),
  /** What the package's manifest describes; any JSON. */
  settings: z.record(z.string(), z.unknown()).default({}),
});

export const serviceSchema = z.strictObject({
  name,
  request: z.string(),
  response: z.string().optional(),
  kind: z.enum(SERVICE_KINDS).default("simple"),
  calls: z.array(z.string()).default([]),
  implementations: z.array(z.string()).default([]),
  deadlineMs: z.int().optional(),
  partitionBy: z.string().optional(),
  idempotent: z.boolean().optional(),
  node: nodeSchema.optional(),
  doc,
});

export const joinSchema = z.union([
  z.strictObject({ pool: z.string() }),
  z.strictObject({
    threads: z.union([z.int(), z.literal("cached")]),
    queue: z.int().default(DEFAULT_QUEUE),
    overflow: z.enum(OVERFLOW_POLICIES).default("block"),
  }),
]);

export const stageSchema = z.strictObject({
  id: z.string(),
  service: z.string(),
  role: z.enum(STAGE_ROLES).default("map"),
  join: joinSchema.optional(),
  after: z.array(z.string()).optional(),
  when: z.union([z.string(), z.array(z.string())]).optional(),
  doc,
});

export const flowSchema = z.strictObject({
  name,
  event: z.string(),
  source: sourceSchema,
  stages: z.array(stageSchema).default([]),
  doc,
});

export const bundleSchema = z.strictObject({
  name,
  services: z.array(z.string()).default([]),
  flows: z.array(z.string()).default([]),
  doc,
});

export const poolSchema = z.strictObject({
  name,
  threads: poolThreadsSchema.default([]),
  idle: z.enum(IDLE_POLICIES).default("adaptive"),
  priority: z.int().default(0),
  queue: z.int().default(DEFAULT_QUEUE),
  overflow: z.enum(OVERFLOW_POLICIES).default("block"),
  /** Had to be said once for what every pool does now: read and kept, without effect (PS530). */
  steal: z.boolean().optional(),
  doc,
});

export const placementSchema = z.strictObject({
  pool: z.string().optional(),
  /** Index of the one thread of `pool` that serves it. */
  thread: z.int().optional(),
  /** One name, or whole weights by name; left out: equal shares. */
  implementation: z.union([z.string(), z.record(z.string(), z.int())]).optional(),
});

/** Pools and joins under a name, applied at start or on the running binary. */
export const presetSchema = z.strictObject({
  name,
  /** Sizes and pins; a pool that is not listed stays as it is. */
  pools: z.array(z.strictObject({ name, threads: threadsSchema.default([]) })).default([]),
  /** One a slot; without `join` the stage runs fused, a slot that is not listed stays as it is. */
  joins: z
    .array(z.strictObject({ flow: z.string(), stage: z.string(), join: joinSchema.optional() }))
    .default([]),
  doc,
});

/** A rate, and the preset that is brought into force beyond it. */
export const ruleSideSchema = z.strictObject({ perSecond: z.number(), preset: z.string() });

/** Brings one of two presets into force by itself, as the rate of a flow or service falls and rises. */
export const presetRuleSchema = z.strictObject({
  /** The flow or service whose rate is watched: they share one space of names. */
  of: z.string(),
  below: ruleSideSchema,
  /** Its rate is above that of `below`; between the two nothing changes. */
  above: ruleSideSchema,
  /** So long a rate has to hold. */
  forSeconds: z.int().default(DEFAULT_HOLD_S),
  doc,
});

/** What an HTTP address shows its clients: PEM files in the folder of keys. */
export const keyFilesSchema = z.strictObject({
  /** A certificate, with those of who made it behind it. */
  cert: z.string(),
  key: z.string(),
});

/** Where a binary takes HTTP, where there is more to say than an address of this machine. */
export const httpSchema = z.strictObject({
  address: z.string(),
  /** Who may ask: whoever has a token of its environment, or everybody; left out: everybody on this machine. */
  auth: z.enum(["bearer", "none"]).optional(),
  /** What secures it: the keys of `penstock keys`, files, or nothing; left out: nothing, on this machine. */
  tls: z.union([z.enum(["keys", "off"]), keyFilesSchema]).optional(),
  /** By which names or numbers clients know its host, besides those that are known anyway: for the certificate of `penstock keys`. */
  hosts: z.array(z.string()).optional(),
  /** Why it is right that other machines ask without a token, or in the clear. */
  accepted: z.string().optional(),
  /** What the routes of its exposed services begin with; left out: `DEFAULT_PREFIX`. */
  prefix: z.string().optional(),
  /** Origins of web pages that may ask them, `https://shop.example`; left out: none. */
  origins: z.array(z.string()).optional(),
});

/** When a link to or from another binary is taken for lost; what is left out: `DEFAULT_LIVENESS`. */
export const livenessSchema = z.strictObject({
  pingMs: z.int().optional(),
  lostMs: z.int().optional(),
  hostLostMs: z.int().optional(),
});

export const binarySchema = z.strictObject({
  name,
  bundles: z.array(z.string()).default([]),
  pools: z.array(poolSchema).default([]),
  placement: z.record(z.string(), placementSchema).default({}),
  listen: z.array(z.string()).default([]),
  /** Where the others look for its processes: `file:run/peers.json`, `nats://127.0.0.1:4222`; left out: at the first address of `listen`. */
  discovery: z.string().optional(),
  /** Who may call it besides those drawn; left out: nobody. */
  allow: z.literal("any-project-binary").optional(),
  http: z.union([z.string(), httpSchema]).optional(),
  /** Services that it runs and that anybody may ask at its `http` address. */
  expose: z.array(z.string()).optional(),
  control: z.string().default("127.0.0.1:0"),
  /** Processes of it that one run starts; left out: one. */
  replicas: z.int().optional(),
  /** Left out: what the runtime takes, `DEFAULT_WATCH_MS`. */
  watchdogMs: z.int().optional(),
  liveness: livenessSchema.optional(),
  presets: z.array(presetSchema).optional(),
  rules: z.array(presetRuleSchema).optional(),
  doc,
});

export const topologySchema = z.strictObject({
  penstock: z.literal(FORMAT_VERSION),
  name,
  doc,
  messages: z.array(messageSchema).default([]),
  enums: z.array(enumSchema).default([]),
  services: z.array(serviceSchema).default([]),
  flows: z.array(flowSchema).default([]),
  bundles: z.array(bundleSchema).default([]),
  binaries: z.array(binarySchema).default([]),
});

export type Field = z.infer<typeof fieldSchema>;
export type Reserved = z.infer<typeof reservedSchema>;
export type KeyType = (typeof KEY_TYPES)[number];
export type Encoding = (typeof ENCODINGS)[number];
export type Message = z.infer<typeof messageSchema>;
export type EnumValue = z.infer<typeof enumValueSchema>;
export type EnumType = z.infer<typeof enumSchema>;
export type Service = z.infer<typeof serviceSchema>;
export type ServiceNode = z.infer<typeof nodeSchema>;
export type Join = z.infer<typeof joinSchema>;
export type Stage = z.infer<typeof stageSchema>;
export type Flow = z.infer<typeof flowSchema>;
export type Bundle = z.infer<typeof bundleSchema>;
export type Pool = z.infer<typeof poolSchema>;
export type Placement = z.infer<typeof placementSchema>;
export type HttpDoor = z.infer<typeof httpSchema>;
export type Preset = z.infer<typeof presetSchema>;
export type PresetRule = z.infer<typeof presetRuleSchema>;
export type Liveness = z.infer<typeof livenessSchema>;
export type Binary = z.infer<typeof binarySchema>;
/** A topology with every default filled in. */
export type Topology = z.infer<typeof topologySchema>;
export type ServiceKind = (typeof SERVICE_KINDS)[number];
export type StageRole = (typeof STAGE_ROLES)[number];
export type OverflowPolicy = (typeof OVERFLOW_POLICIES)[number];
