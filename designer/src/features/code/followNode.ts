import { codeOf, documentStore, workbenchStore } from "../../kernel/document/index.js";
import { awaitCode, fileOfNode, fileStore, openFile } from "../../kernel/files/fileStore.js";

/** Shows the code of what `ref` names, or that it has none yet. False when it is nothing that has code. */
function show(ref: string | null | undefined, implementation: string | null = null): boolean {
  const node = codeOf(ref);
  if (!node) return false;
  const { files, openId } = fileStore.getState();
  const file = fileOfNode(files, node, implementation);
  if (!file) awaitCode(node, implementation);
  else if (file.id !== openId) void openFile(file.id);
  return true;
}

/**
 * Keeps the code view at the handler of what was asked for, then of what is selected: whichever changed
 * last. Returns how to stop.
 */
export function followNode(): () => void {
  const chosen = () => documentStore.getState().selection[0];
  const asked = workbenchStore.getState();
  if (fileStore.getState().openId === null || asked.codeNode) {
    const first = documentStore.getState().topology.services[0]?.name;
    // What was asked for is shown while it is selected: it may be gone since, or of another project.
    const isAsked = codeOf(chosen()) === asked.codeNode && show(asked.codeNode, asked.codeImplementation);
    if (!isAsked && !show(chosen()) && fileStore.getState().openId === null && first !== undefined)
      show(`service:${first}`);
  }
  const stops = [
    workbenchStore.subscribe((state, before) => {
      const { codeNode, codeImplementation, codeCount } = state;
      const isOther = codeNode !== before.codeNode || codeImplementation !== before.codeImplementation;
      const isAgain = codeCount !== before.codeCount && codeNode !== null && codeOf(chosen()) === codeNode;
      if (isOther || isAgain) show(codeNode, codeImplementation);
    }),
    documentStore.subscribe((state, before) => {
      if (state.selection !== before.selection) show(chosen());
    }),
    fileStore.subscribe((state, before) => {
      const { awaited } = state;
      // What was waited for may have been made; a file that was shown may have been moved, as its service was renamed.
      if (awaited && state.files !== before.files) {
        if (fileOfNode(state.files, awaited.node, awaited.implementation))
          show(awaited.node, awaited.implementation);
      } else if (!awaited && state.openId === null && before.openId !== null) show(chosen());
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
