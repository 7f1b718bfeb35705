import { asRunning } from "../../kernel/live/liveStore.js";
import { ask, ApiFailure } from "../../kernel/server/api.js";
import { openProjectId } from "../../kernel/run/runActions.js";
import { profileStore, type ProfileTarget } from "./profileStore.js";

/** Asks how long to record. */
export const openProfile = (target: ProfileTarget): void =>
  profileStore.setState({ target, phase: { kind: "asking" } });

/** Closes it; a recording that goes on is ended. */
export function closeProfile(): void {
  const { phase } = profileStore.getState();
  profileStore.setState({ target: null, phase: { kind: "asking" } });
  // Nobody waits for its answer any more.
  if (phase.kind === "recording")
    void ask("cancelProfile", { project: phase.project }).catch(() => undefined);
}

/** Records, and shows what came of it where it was asked. */
export async function record(seconds: number): Promise<void> {
  const { target } = profileStore.getState();
  if (!target) return;
  const asked = asRunning(target.binary, target.service === undefined ? {} : { service: target.service });
  const { binary } = asked ?? target;
  const stillAsked = () => profileStore.getState().target === target;
  const project = openProjectId();
  profileStore.setState({ phase: { kind: "recording", project, seconds } });
  try {
    const profile = await ask("profile", { project }, { body: { binary, seconds } });
    if (stillAsked()) profileStore.setState({ phase: { kind: "shown", profile, ...asked?.params } });
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const words = [error.message, error.help].filter(Boolean).join(". ");
    if (stillAsked()) profileStore.setState({ phase: { kind: "refused", words } });
  }
}
