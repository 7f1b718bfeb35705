import { z } from "zod";
import { SERVICE_CALL_LIMITS, type TriedCalls } from "../../protocol/index.js";
import { keepTriedCall, readTriedCalls } from "../../workspace/index.js";
import { binaryParam, defineRoute, idParam } from "../route.js";

const { requestBytes, deadlineMs } = SERVICE_CALL_LIMITS;

export const callServiceOnce = defineRoute({
  method: "post",
  path: "/api/projects/:project/binaries/:binary/call",
  body: z.strictObject({
    service: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/),
    request: z.string().max(requestBytes),
    deadlineMs: z.int().min(1).max(deadlineMs).optional(),
  }),
  async handle(request, { runners, audit, workspace }) {
    const project = idParam(request, "project");
    const runner = await runners.of(project);
    const binary = binaryParam(request);
    const { service, request: asked, deadlineMs: within } = request.body;
    const note = (result: string): void =>
      audit.record({ what: `call ${service}`, project: runner.name, binary, result });
    try {
      const end = await runner.call(binary, {
        service,
        request: asked,
        ...(within === undefined ? {} : { deadlineMs: within }),
      });
      note("error" in end ? end.error.code : "ok");
      // Without a place to keep it (a full disk) it is not offered again, that is all.
      await keepTriedCall(workspace.stateFolder, project, service, {
        at: Date.now(),
        request: asked,
        end,
      }).catch(() => undefined);
      return end;
    } catch (error) {
      note("refused");
      throw error;
    }
  },
});

/** What was tried of this project's services, to be offered again. */
export const listTriedCalls = defineRoute({
  method: "get",
  path: "/api/projects/:project/calls",
  async handle(request, { workspace }): Promise<TriedCalls> {
    const project = idParam(request, "project");
    await workspace.folderOf(project);
    return readTriedCalls(workspace.stateFolder, project);
  },
});
