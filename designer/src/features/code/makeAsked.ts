import type { NodeRef } from "@penstock/codegen/topology";
import { codeOf, documentStore, workbenchStore } from "../../kernel/document/index.js";
import { isBuilding, isMeasuring, projectStore } from "../../kernel/server/projectStore.js";
import { generate } from "../../kernel/run/runActions.js";
import { fileOfNode, fileStore, loadFiles } from "../../kernel/files/fileStore.js";

let last: Promise<unknown> = Promise.resolve();

const mayGenerate = (): boolean => {
  const state = projectStore.getState();
  const busy = isBuilding(state) || isMeasuring(state);
  return state.trusted && !busy && !documentStore.getState().readOnly;
};

/** Generates for a handler that is asked for and not there; who has asked for its code wants no other step. */
async function make(node: NodeRef, implementation: string | null): Promise<void> {
  // What is known here may be older than what was generated or drawn since.
  if (fileOfNode(await loadFiles(), node, implementation) || !mayGenerate()) return;
  // An error is said where the code would be, too: the list was not read.
  if (fileStore.getState().error !== "") return;
  fileStore.setState({ making: true });
  try {
    await generate();
    await loadFiles();
  } finally {
    fileStore.setState({ making: false });
  }
}

/** While the code is looked at: makes the handler of what is asked for by Enter or a double click. Returns how to stop. */
export function makeAsked(): () => void {
  const look = () => {
    const { codeNode, codeImplementation } = workbenchStore.getState();
    // It may have been asked for long ago, and be gone.
    if (!codeNode || codeOf(documentStore.getState().selection[0]) !== codeNode) return;
    last = last.then(() => make(codeNode, codeImplementation)).catch(() => undefined);
  };
  look();
  return workbenchStore.subscribe((state, before) => {
    if (state.codeNode !== before.codeNode || state.codeImplementation !== before.codeImplementation) look();
  });
}
