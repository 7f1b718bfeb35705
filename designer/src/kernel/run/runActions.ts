import { rearrange } from "@penstock/codegen/arrange";
import type { BuildStatus } from "@penstock/codegen/contract";
import { flushSave, documentStore, setDockTab } from "../document/index.js";
import { setBuildProblems } from "../problems/problemStore.js";
import { OUTCOME, sayRefused } from "./sayRefused.js";
import { startPresetStore } from "./startPreset.js";
import { ask, ApiFailure } from "../server/api.js";
import { isBuilding, isMeasuring, projectStore } from "../server/projectStore.js";
import { toast } from "../ui/index.js";
import { loadFiles, saveOpenFiles } from "../files/fileStore.js";
import { showUnsaved } from "../files/unsaved.js";
import type { PendingChange } from "./pendingLive.js";
import { shownProject, type ShownProject } from "./shownProject.js";

/** Nothing is being built or measured, so a build can begin. */
export const isIdle = (): boolean => {
  const state = projectStore.getState();
  return !isBuilding(state) && !isMeasuring(state);
};

export const openProjectId = (): string => {
  const { project } = projectStore.getState();
  if (project === null) throw new Error("no project is open");
  return project;
};

/**
 * Says what the server refused, in its words; anything else is a bug and is thrown on.
 *
 * @param of whose binary was asked: when another project is shown by then, nothing is said
 */
export function sayFailure(title: string, error: unknown, of?: Pick<ShownProject, "isShown">): void {
  if (!(error instanceof ApiFailure)) throw error;
  if (of?.isShown() === false) return;
  if (error.problems.length > 0) {
    setBuildProblems([...error.problems]);
    setDockTab("problems");
  }
  toast(title, { tone: "bad", body: [error.message, error.help].filter(Boolean).join(". ") });
}

/** Whether the project is shown still: what comes of a question about it is no word on another one. */
export const isOpen = (project: string): boolean => projectStore.getState().project === project;

/**
 * Asks the server something about the open project. What it refuses is said, while that project is shown.
 *
 * @returns false: it was refused
 */
export async function askOfProject(
  refused: string,
  asks: (project: string) => Promise<unknown>,
): Promise<boolean> {
  const project = openProjectId();
  try {
    await asks(project);
    return true;
  } catch (error) {
    sayFailure(refused, error, { isShown: () => isOpen(project) });
    return false;
  }
}

/** Drawing and handlers are on disk before anything is made of them. False, too, when another project is open by then. */
export async function saveAll(): Promise<boolean> {
  const project = openProjectId();
  const [drawn, files] = await Promise.all([flushSave(), saveOpenFiles()]);
  if (!isOpen(project)) return false;
  if (!drawn)
    toast("Not saved, so nothing was done", { tone: "bad", body: documentStore.getState().save.message });
  if (!files) showUnsaved("nothing was done");
  return drawn && files;
}

export async function generate(): Promise<void> {
  if (!(await saveAll())) return;
  await askOfProject("Not generated", async (project) => {
    const answer = await ask("generate", { project });
    if (!isOpen(project)) return;
    setBuildProblems(answer.problems);
    if (!answer.ok) {
      setDockTab("problems");
      sayRefused("Not generated", answer.problems);
      return;
    }
    // New handlers can be opened and show as unwritten at once.
    void loadFiles();
    const changed = answer.written.length + answer.removed.length;
    toast(
      changed === 0
        ? "Generated: nothing had changed"
        : `Generated: ${changed} ${changed === 1 ? "file" : "files"} changed`,
      {
        tone: "ok",
        about: OUTCOME,
        body: `${answer.unchanged} unchanged, ${Math.round(answer.milliseconds)} ms`,
      },
    );
  });
}

/** Starts a build and waits for its end. True when there is a new binary. */
export async function build(): Promise<boolean> {
  if (!(await saveAll())) return false;
  const id = openProjectId();
  const before = projectStore.getState().build;
  const begun = await askOfProject("Not built", (project) => ask("startBuild", { project }));
  if (!begun || !isOpen(id)) return false;
  setDockTab("build");
  const { phase } = await endOfBuild(id, before);
  return phase === "succeeded";
}

/** The status of the build that follows `before`; a project that is left behind counts as cancelled. */
function endOfBuild(id: string, before: BuildStatus): Promise<BuildStatus> {
  const done = () => {
    const state = projectStore.getState();
    if (state.project !== id) return { ...state.build, phase: "cancelled" as const };
    return state.build !== before && state.build.phase !== "idle" && !isBuilding(state)
      ? state.build
      : undefined;
  };
  return new Promise((resolve) => {
    const unsubscribe = projectStore.subscribe(() => {
      const status = done();
      if (!status) return;
      unsubscribe();
      resolve(status);
    });
  });
}

export async function cancelBuild(): Promise<void> {
  await askOfProject("Not cancelled", (project) => ask("cancelBuild", { project }));
}

/**
 * Generates, builds and starts what is drawn, in the place of what runs (the server keeps a
 * running binary whose build did not change, and the old one when the build fails).
 */
export async function run(): Promise<void> {
  if (!(await saveAll())) return;
  await askOfProject("Not started", (project) => {
    const preset = startPresetStore.getState().byProject[project];
    // A preset that is not there any more is forgotten; the drawing is what runs then.
    const known = documentStore
      .getState()
      .topology.binaries.some(({ presets = [] }) => presets.some(({ name }) => name === preset));
    return ask("startRun", { project }, { body: preset !== undefined && known ? { preset } : {} });
  });
}

export async function stop(): Promise<void> {
  await askOfProject("Not stopped", (project) => ask("stopRun", { project }));
}

/**
 * Brings the changes that need no build into force: what is arranged anew in a binary all or nothing (see
 * `rearrange`), then the bounds of pools and the rates of sources. Says what was refused, with the reason.
 */
export async function applyLive(changes: readonly PendingChange[]): Promise<void> {
  const project = shownProject();
  const { send } = project;
  for (const binary of new Set(changes.map((one) => one.binary))) {
    const mine = changes.filter((one) => one.binary === binary);
    const arranged = mine.flatMap(({ change }) =>
      change.of === "rate" || change.of === "bounds" ? [] : [change],
    );
    try {
      await rearrange(({ method, params }) => send(binary, method, params as never), arranged);
      for (const { change } of mine)
        if (change.of === "bounds")
          await send(binary, "pool.adapt", { pool: change.pool, adapt: change.adapt });
        else if (change.of === "rate")
          await send(binary, "source.set", { flow: change.flow, perSecond: change.perSecond });
    } catch (error) {
      sayFailure(
        mine.length === 1 ? `Not applied: ${mine[0]?.label}` : "Not applied: all is as it was",
        error,
        project,
      );
      return;
    }
  }
}
