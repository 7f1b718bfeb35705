import type { ProjectDocument } from "@penstock/codegen/contract";
import type { Problem } from "@penstock/codegen/diagnostics";
import { parseTopology, printLayout, printTopology } from "@penstock/codegen/topology";
import { arrangeUnplaced } from "../../drawing/arrange/arrangeUnplaced.js";
import { onServerMessage } from "../../kernel/connection/dispatch.js";
import { documentStore, openDocument } from "../../kernel/document/index.js";
import { damageOf, damageWords } from "../../kernel/problems/damage.js";
import { ApiFailure, ask } from "../../kernel/server/api.js";
import { projectStore } from "../../kernel/server/projectStore.js";
import { toast } from "../../kernel/ui/index.js";
import { sayLost } from "./openProject.js";

type Drawn = ReturnType<typeof documentStore.getState>;

/** Nothing of ours waits to be saved. */
const isSettled = ({ save: { state } }: Drawn): boolean => state === "saved" || state === "readonly";

const about = "changed elsewhere";
const sayUnreadable = (damage: readonly Problem[]): void => {
  const body = damageWords(damage);
  documentStore.setState({ damage });
  toast("The project was changed elsewhere, and cannot be read now", { tone: "bad", body, about });
};

/** Takes that back: what is on disk is what is drawn. */
function sayReadable(): void {
  if (documentStore.getState().damage.length === 0) return;
  documentStore.setState({ damage: [] });
  toast("The project can be read again", { about });
}

/** Another text of what is drawn: from a formatter, say. */
function isDrawn(document: ProjectDocument, { topology, layout }: Drawn): boolean {
  const theirs = parseTopology(document.topology).topology;
  return (
    theirs !== undefined &&
    printTopology(theirs) === printTopology(topology) &&
    printLayout(document.layout) === printLayout(layout)
  );
}

function show(document: ProjectDocument): void {
  if (isDrawn(document, documentStore.getState())) {
    documentStore.setState({ revision: document.revision });
    return sayReadable();
  }
  const problems = openDocument(document);
  if (problems.length > 0) return sayUnreadable(damageOf(problems, "", ""));
  void arrangeUnplaced();
  sayLost(document);
  toast("Reloaded: the project was changed elsewhere", { about });
}

/**
 * Somebody else saved, or changed it on disk: when nothing of ours is unsaved, show theirs. (Else our next save says
 * 409.)
 */
export function followOtherSaves(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async () => {
    const { revision, project } = projectStore.getState();
    const drawn = documentStore.getState();
    if (project === null || drawn.projectId !== project || revision === "") return;
    if (drawn.revision === revision) return sayReadable();
    if (drawn.save.state === "saving") return void (timer = setTimeout(look, 300));
    if (!isSettled(drawn)) return;
    const document = await ask("project", { project }).catch((error: unknown) => {
      if (!(error instanceof ApiFailure)) throw error;
      // A server that is gone says which drawing there is as soon as it is back.
      const isShown = documentStore.getState().projectId === project;
      if (error.code === "damaged" && isShown)
        sayUnreadable(damageOf(error.problems, error.message, error.help));
    });
    const now = documentStore.getState();
    // What was drawn while it came is not overwritten: its save asks about theirs.
    const asBefore =
      now.projectId === project && now.topology === drawn.topology && now.layout === drawn.layout;
    if (document && asBefore && isSettled(now) && now.revision !== document.revision) show(document);
  };
  const stop = onServerMessage((message) => {
    if (message.type !== "saved" && message.type !== "opened") return;
    clearTimeout(timer);
    timer = setTimeout(look, 400);
  });
  // What was saved elsewhere while one of two drawings was to be chosen.
  const stopChosen = documentStore.subscribe(({ save }, before) => {
    if (before.save.state === "conflict" && save.state === "saved") void look();
  });
  return () => {
    stop();
    stopChosen();
    clearTimeout(timer);
  };
}
