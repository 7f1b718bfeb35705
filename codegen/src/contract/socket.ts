import { z } from "zod";
import { logLineSchema, problemSchema } from "./api.js";
import { benchStatusSchema } from "./bench.js";
import { liveSchemaSchema } from "./live.js";
import { loadSecondSchema, loadStatusSchema } from "./load.js";
import { projectId } from "./names.js";
import { liveSampleSchema } from "./sampleSchema.js";

/**
 * `WS /api/socket` (subprotocols `penstock` and `token.<token>`; only `penstock` is answered).
 * The browser opens one, names the project it shows, and is told everything about it: states
 * at once, then changes. Samples are latest-wins: a slow browser skips some and is told so.
 */
export const clientMessageSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("open"), project: projectId }),
  z.strictObject({ type: z.literal("close") }),
  /** Which node references are in view; "all" at the start. Slower samples when hidden. */
  z.strictObject({
    type: z.literal("view"),
    nodes: z.union([z.literal("all"), z.array(z.string().max(300)).max(10_000)]),
    hidden: z.boolean().exactOptional(),
  }),
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;

export const binaryStateSchema = z.enum([
  "stopped",
  "starting",
  "running",
  "unresponsive",
  "stopping",
  "restarting",
  "crashed",
  "failed",
  /** Attached, and does not answer at its address just now. */
  "lost",
]);
export type BinaryState = z.infer<typeof binaryStateSchema>;

const processStatus = {
  state: binaryStateSchema,
  /** One line for people: "crashed (SIGKILL)", "failed: 3 crashes in 30 s". */
  detail: z.string(),
  pid: z.number().nullable(),
  control: z.string().nullable(),
  /** Where its `http` sources take events, `127.0.0.1:41234`; null while it takes none. */
  http: z.string().nullable(),
  /** They are taken over TLS there, as it was started: what is drawn now may say otherwise. */
  tls: z.literal(true).exactOptional(),
  startedAtMs: z.number().nullable(),
  restarts: z.number(),
};
export const processStatusSchema = z.strictObject({
  name: z.string(),
  ...processStatus,
  /** Something else started it: neither Run nor Stop is about it. */
  attached: z.literal(true).exactOptional(),
});
export type ProcessStatus = z.infer<typeof processStatusSchema>;

/** Of several processes the state is that of the one that most needs to be looked at, the rest is the first one's. */
export const binaryStatusSchema = z.strictObject({
  binary: z.string(),
  ...processStatus,
  /** Topology hash of the running process; compared with the drawn one. */
  topologyHash: z.string().nullable(),
  /** Where several are meant to run, or some are attached. */
  processes: z.array(processStatusSchema).exactOptional(),
});
export type BinaryStatus = z.infer<typeof binaryStatusSchema>;

export const buildPhaseSchema = z.enum([
  "idle",
  "generating",
  /** For the runtime library, which set-up builds just now; `done` and `total` are its steps. */
  "waiting",
  "configuring",
  "compiling",
  "succeeded",
  "failed",
  "cancelled",
]);
export type BuildPhase = z.infer<typeof buildPhaseSchema>;
export const buildStatusSchema = z.strictObject({
  phase: buildPhaseSchema,
  /** Ninja's own count: steps done of total; 0 of 0 while not known. */
  done: z.number(),
  total: z.number(),
  /** What is being compiled, relative to the project. */
  current: z.string(),
  startedAtMs: z.number().nullable(),
  milliseconds: z.number(),
  problems: z.array(problemSchema),
});
export type BuildStatus = z.infer<typeof buildStatusSchema>;

const about = { project: z.string() };
const drawn = { ...about, revision: z.string(), topologyHash: z.string() };
const ofBinary = { ...about, binary: z.string() };

/** What the server tells a browser, one row a message. */
export const serverMessageSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("opened"), ...drawn }),
  z.strictObject({ type: z.literal("saved"), ...drawn }),
  z.strictObject({ type: z.literal("build"), ...about, status: buildStatusSchema }),
  z.strictObject({ type: z.literal("bench"), ...about, status: benchStatusSchema }),
  z.strictObject({ type: z.literal("load"), ...about, status: loadStatusSchema }),
  z.strictObject({
    type: z.literal("load-second"),
    ...about,
    second: loadSecondSchema,
    heldPerSecond: z.number().nullable(),
  }),
  z.strictObject({ type: z.literal("build-output"), ...about, lines: z.array(z.string()) }),
  z.strictObject({ type: z.literal("binaries"), ...about, binaries: z.array(binaryStatusSchema) }),
  z.strictObject({ type: z.literal("logs"), ...about, lines: z.array(logLineSchema), dropped: z.number() }),
  z.strictObject({ type: z.literal("live-schema"), ...about, schema: liveSchemaSchema }),
  /** After the schema, to a tab that has just opened the project: the past of the charts, oldest first. */
  z.strictObject({
    type: z.literal("live-history"),
    ...ofBinary,
    samples: z.array(z.strictObject({ ageMs: z.number(), sample: liveSampleSchema })),
  }),
  z.strictObject({
    type: z.literal("live-sample"),
    ...ofBinary,
    sample: liveSampleSchema,
    skipped: z.number(),
  }),
  z.strictObject({ type: z.literal("live-lost"), ...ofBinary, lastMs: z.number() }),
  z.strictObject({ type: z.literal("error"), message: z.string() }),
]);
export type ServerMessage = z.infer<typeof serverMessageSchema>;
