import type { RouteHandler } from "./route.js";

/** The token goes no further than to the binary and into its note. */
export const attach: RouteHandler<"attach"> = async (request, { runners, audit }) => {
  const runner = await runners.of(request.params.project);
  const note = (result: string, binary?: string): void =>
    audit.record({ what: "attach", project: runner.name, ...(binary ? { binary } : {}), result });
  try {
    const attached = await runner.attach(request.body);
    note("ok", attached.name);
    return attached;
  } catch (error) {
    note("refused");
    throw error;
  }
};

export const detach: RouteHandler<"detach"> = async (request, { runners, audit }) => {
  const runner = await runners.of(request.params.project);
  const { name } = request.body;
  await runner.attached.detach(name);
  audit.record({ what: "detach", project: runner.name, binary: name, result: "ok" });
  return { detached: name };
};
