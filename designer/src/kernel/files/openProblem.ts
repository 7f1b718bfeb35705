import type { Problem } from "@penstock/codegen/diagnostics";
import { forgetCode, reveal, setView } from "../document/index.js";
import { fileStore, loadFiles, openFile } from "./fileStore.js";

/** Goes to where a problem is: its line in the editor when a compiler said it, else its node. */
export async function openProblem(problem: Problem): Promise<void> {
  if (!problem.file) {
    if (problem.node) reveal(problem.node);
    return;
  }
  const known = fileStore.getState().files;
  const files = known.length > 0 ? known : await loadFiles();
  const path = problem.file.replace(/^\.\//, "");
  const file = files.find((one) => one.path === path) ?? files.find((one) => path.endsWith(`/${one.path}`));
  if (!file) {
    if (problem.node) reveal(problem.node);
    return;
  }
  // The code view follows codeNode: cleared, so that it keeps the file that is opened here.
  forgetCode();
  setView("code");
  await openFile(file.id, { line: problem.line ?? 1, column: problem.column ?? 1 });
}
