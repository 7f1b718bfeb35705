import { ask } from "../server/api.js";
import { toast } from "../ui/index.js";
import { openProjectId, sayFailure } from "./runActions.js";

/** Makes a process known that something else started. Rejects with an ApiFailure that says why not. */
export async function attach(address: string, token: string): Promise<void> {
  const { name, problems } = await ask("attach", { project: openProjectId() }, { body: { address, token } });
  const [warning] = problems;
  if (warning) toast(`Attached ${name}`, { tone: "warn", body: `${warning.message}. ${warning.help}` });
  else
    toast(`Attached ${name}`, { tone: "ok", body: "Its figures are on the drawing; Stop leaves it alone." });
}

/** Takes a process out again that is attached; it goes on. */
export async function detach(name: string): Promise<void> {
  try {
    await ask("detach", { project: openProjectId() }, { body: { name } });
    toast(`Detached ${name}`, { tone: "ok", body: "It goes on where it runs." });
  } catch (error) {
    sayFailure("Not detached", error);
  }
}
