import { z } from "zod";
import { LOAD_RANGES, type LoadRequest } from "../../protocol/index.js";
import { HttpRefusal } from "../httpRefusal.js";
import { defineRoute, idParam } from "../route.js";

const ranged = ({ min, max }: { min: number; max: number }) => z.number().min(min).max(max);
const seconds = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max);

const settings = z.strictObject({
  start: ranged(LOAD_RANGES.start),
  step: ranged(LOAD_RANGES.step),
  periodS: seconds(LOAD_RANGES.periodS),
  most: ranged(LOAD_RANGES.most).nullable(),
  forS: seconds(LOAD_RANGES.forS).nullable(),
  recoveryS: seconds(LOAD_RANGES.recoveryS),
  tolerance: ranged(LOAD_RANGES.tolerance),
});
const target = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("flow"),
    binary: z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, "no name of a binary"),
    flow: z.string().regex(/^[A-Z][A-Za-z0-9]{0,63}$/, "no name of a flow"),
  }),
  z.strictObject({
    kind: z.literal("url"),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]),
    url: z.string().max(2048),
  }),
]);

/** The server sends requests to this machine only; the command line loads any address. */
function requireLoopback(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  const near = url !== null && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (near && (url.protocol === "http:" || url.protocol === "https:") && url.username === "") return;
  throw new HttpRefusal(
    422,
    "address",
    "the designer loads addresses of this machine only",
    "Use one such as http://127.0.0.1:8080/mo; `penstock load` loads any address.",
  );
}

export const startLoad = defineRoute({
  method: "post",
  path: "/api/projects/:project/load",
  limit: 256 * 1024,
  body: z.strictObject({
    target,
    settings,
    body: z
      .string()
      .max(64 * 1024)
      .optional(),
  }),
  async handle(request, { runners, workspace, audit }) {
    const project = idParam(request, "project");
    const asked = request.body as LoadRequest;
    if (asked.target.kind === "url") requireLoopback(asked.target.url);
    await workspace.requireTrust(project);
    const runner = await runners.of(project);
    runner.startLoad(asked);
    audit.record({ what: "load", project: runner.name, result: "started" });
    return { started: true };
  },
});

export const cancelLoad = defineRoute({
  method: "delete",
  path: "/api/projects/:project/load",
  async handle(request, { runners, audit }) {
    const runner = await runners.of(idParam(request, "project"));
    const cancelled = await runner.cancelLoad();
    audit.record({ what: "stop load", project: runner.name, result: cancelled ? "ok" : "none was running" });
    return { cancelled };
  },
});
