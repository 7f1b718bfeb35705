import { z } from "zod";
import { cmakeSchema, portFieldSchema, settingsSchema, text } from "../settings/index.js";
import { SERVICE_KINDS, STAGE_ROLES } from "../topology/index.js";

/**
 * What a kind of standard node is: its ports, its settings as JSON Schema (from which its form is
 * made) and what it needs to be built. `node.json` of a package in `templates/nodes/<type>/`, or in
 * `nodes/<type>/` of a project.
 */

const requestPortSchema = z.strictObject({
  /** `callee`: what the service that it calls takes. */
  is: z.enum(["any", "callee"]),
  fields: z.array(portFieldSchema).optional(),
});
const responsePortSchema = z.strictObject({
  is: z.enum(["any", "none", "request", "callee"]),
  fields: z.array(portFieldSchema).optional(),
  /** `one-enum`: a field by whose value branches are taken; `list-of-request`: one repeated field of requests. */
  needs: z.enum(["one-enum", "list-of-request"]).optional(),
});

const kind = z.enum(SERVICE_KINDS);

export const nodeManifestSchema = z.strictObject({
  type: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, "use lower-case letters, digits and -, beginning with a letter")
    .max(64),
  title: text,
  /** One line. */
  doc: text,
  icon: text,
  category: z.enum(["flow", "time", "data", "calls", "io"]),
  /** The kind that its services have, for all settings or by the value of one. */
  kind: z.union([kind, z.strictObject({ setting: z.string(), of: z.record(z.string(), kind) })]),
  /** Roles of the stages it may hold; the first one is what a designer draws. */
  roles: z.array(z.enum(STAGE_ROLES)).min(1),
  ports: z.strictObject({
    request: requestPortSchema,
    response: responsePortSchema,
    /** How many services it calls. */
    calls: z.int().min(0).max(1),
  }),
  /** It may end an event without failure, so nobody can call it and wait for an answer. */
  flowOnly: z.boolean().optional(),
  /**
   * What it gives is made of many events, and goes on without the deadline of the one that it comes with; the state says so
   * with `::penstock::outlives_deadline`.
   */
  outlivesDeadline: z.boolean().optional(),
  /** The handler takes the request for good and may move from it. */
  takesRequest: z.boolean().optional(),
  settings: settingsSchema,
  /** CMake packages that the generated code needs, with the target to link. */
  cmake: cmakeSchema.optional(),
  /** The generated code writes or reads messages as JSON. */
  json: z.boolean().optional(),
});
export type NodeManifest = z.infer<typeof nodeManifestSchema>;

/** The manifests that a project may use, by type. */
export type NodePalette = ReadonlyMap<string, NodeManifest>;
