import { ask } from "../server/api.js";
import { toast } from "../ui/index.js";
import { askOfProject, isOpen, openProjectId } from "./runActions.js";

/** Makes a process known that something else started. Rejects with an ApiFailure that says why not. */
export async function attach(address: string, token: string): Promise<void> {
  const project = openProjectId();
  const { name, problems } = await ask("attach", { project }, { body: { address, token } });
  if (!isOpen(project)) return;
  const [warning] = problems;
  if (warning) toast(`Attached ${name}`, { tone: "warn", body: `${warning.message}. ${warning.help}` });
  else
    toast(`Attached ${name}`, { tone: "ok", body: "Its figures are on the drawing; Stop leaves it alone." });
}

/** Takes a process out again that is attached; it goes on. */
export async function detach(name: string): Promise<void> {
  await askOfProject("Not detached", async (project) => {
    await ask("detach", { project }, { body: { name } });
    if (isOpen(project)) toast(`Detached ${name}`, { tone: "ok", body: "It goes on where it runs." });
  });
}
