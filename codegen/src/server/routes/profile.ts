import type { RouteHandler } from "./route.js";

/** The answer takes as long as the recording; who leaves before, or closes the page, ends it. */
export const profile: RouteHandler<"profile"> = async (request, { runners, audit }) => {
  const runner = await runners.of(request.params.project);
  const { binary } = request.body;
  const note = (result: string): void =>
    audit.record({ what: "profile", project: runner.name, binary, result });
  try {
    const recorded = await runner.profile.start(request.body, request.signal);
    note("ok");
    return recorded;
  } catch (error) {
    note("refused");
    throw error;
  }
};

export const cancelProfile: RouteHandler<"cancelProfile"> = async (request, { runners, audit }) => {
  const runner = await runners.of(request.params.project);
  const cancelled = await runner.profile.cancel();
  audit.record({
    what: "cancel profile",
    project: runner.name,
    result: cancelled ? "ok" : "none was recorded",
  });
  return { cancelled };
};
