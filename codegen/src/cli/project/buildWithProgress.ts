import { isClean, type Problem } from "../../model/diagnostics/index.js";
import { patiently } from "../verb/patience.js";
import { EXIT_OF, exitOfProblems, type ExitCode } from "../verb/exitCode.js";
import type { Output } from "../terminal/output.js";
import { buildProgress } from "../terminal/progressBar.js";

export interface BuildRequest {
  projectDir: string;
  preset: string;
  binary: string | undefined;
  output: Output;
  signal: AbortSignal;
  /** What speaks against building what was generated. */
  obstacles?: () => Promise<Problem[]>;
}
export interface Built {
  exit: ExitCode;
  problems: Problem[];
  binaries: { name: string; path: string }[];
}

/** Generates and builds a project while stderr shows how far it is; `build` and `run` share it. */
export async function buildWithProgress(request: BuildRequest): Promise<Built> {
  const { projectDir, preset, binary, output, signal, obstacles } = request;
  // Loaded here, so that a wrong option is answered without them.
  const { generateDrawn, loadProject } = await import("../../pipeline.js");
  const { BUILD_LIMITS, buildProject } = await import("../../build/index.js");
  if (binary !== undefined) {
    const { requireDrawnBinary } = await import("./drawing.js");
    const { topology } = await loadProject(projectDir);
    if (topology !== undefined) requireDrawnBinary(topology, binary);
  }
  let warnings: Problem[] = [];
  /** Gives why what is drawn is not to be built. */
  const generate = async (): Promise<Problem[] | undefined> => {
    warnings = [];
    const { ok, problems } = await generateDrawn(projectDir, {});
    if (!ok || !isClean(problems)) return problems;
    const found = (await obstacles?.()) ?? [];
    if (found.length > 0) return found;
    warnings = problems;
    return undefined;
  };
  const against = await generate();
  if (against !== undefined) return { exit: exitOfProblems(against), problems: against, binaries: [] };
  const progress = buildProgress(output);
  try {
    const built = await buildProject({
      projectDir,
      preset,
      ...(binary === undefined ? {} : { binary }),
      signal,
      wallMs: patiently(BUILD_LIMITS.wallMs),
      generateAnew: generate,
      onStatus: (status) => progress.show(status),
    });
    return {
      exit: EXIT_OF[built.outcome],
      problems: [...warnings, ...built.problems],
      binaries: built.binaries,
    };
  } finally {
    progress.end();
  }
}
