import { keepTriedCall, readTriedCalls } from "../../workspace/index.js";
import type { RouteHandler } from "./route.js";

export const callService: RouteHandler<"callService"> = async (request, { runners, audit, workspace }) => {
  const project = request.params.project;
  const runner = await runners.of(project);
  const binary = request.params.binary;
  const { service, request: asked } = request.body;
  const note = (result: string): void =>
    audit.record({ what: `call ${service}`, project: runner.name, binary, result });
  try {
    const end = await runner.call(binary, request.body);
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
};

/** What was tried of this project's services, to be offered again. */
export const triedCalls: RouteHandler<"triedCalls"> = async (request, { workspace }) => {
  const project = request.params.project;
  await workspace.folderOf(project);
  return readTriedCalls(workspace.stateFolder, project);
};
