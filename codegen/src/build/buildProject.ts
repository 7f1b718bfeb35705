import { realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfinedFolder, LockedError, WriteRefusal } from "../disk/index.js";
import { isClean, isOfEnvironment, problem, type Problem } from "../model/diagnostics/index.js";
import { runtimeRoot as installedRuntime } from "../installation/index.js";
import type { BuildPhase, BuildStatus } from "../contract/index.js";
import { parseTopology, type Topology } from "../model/topology/index.js";
import { takeBuildLock } from "./buildLock.js";
import { compilerCache } from "./compilerCache.js";
import { readCompilerOutput } from "./compilerOutput.js";
import { ConfigureStamp } from "./configure.js";
import { keepGoodBinary } from "./kept.js";
import { missingTools } from "./missingTools.js";
import { NINJA_STATUS, readNinjaStep, stepSubject } from "./ninjaProgress.js";
import { OutputTail } from "./outputTail.js";
import { problemsOf } from "./problemsOf.js";
import { runtimeUnderWay } from "./runtimeUnderWay.js";
import { BUILD_LIMITS, buildJobs, runTool, type ToolEnd } from "./tool.js";

export interface BuildRequest {
  projectDir: string;
  /** One of `BUILD_PRESETS`. */
  preset: string;
  /** Left out: every binary of the topology. */
  binary?: string;
  /** Given: this target of the project's CMake files instead of its binaries. */
  target?: string;
  signal: AbortSignal;
  /** After a wait for the runtime: generates what was drawn meanwhile, and gives why that is not to be built. */
  generateAnew?(): Promise<Problem[] | undefined>;
  onStatus?(status: BuildStatus): void;
  onOutput?(line: string): void;
  /**
   * Where the runtime is installed, `<runtimeRoot>/<preset>/prefix`; the one set-up installs by default. `fastest`
   * takes that of `release`.
   */
  runtimeRoot?: string;
  wallMs?: number;
  /** Address space of each tool and compiler; left out: 4 GiB. */
  memoryBytes?: number;
  env?: NodeJS.ProcessEnv;
}

export interface BuildResult {
  ok: boolean;
  /** `environment`: the machine is in the way (missing tool, disk full, no right to write), not the code. */
  outcome: "succeeded" | "failed" | "cancelled" | "environment";
  problems: Problem[];
  /** Executables of this build; empty unless it succeeded. */
  binaries: { name: string; path: string }[];
  /** The last 1 MB of what the tools said. */
  output: string[];
  milliseconds: number;
}

/** Between two looks at how far set-up is. */
const LOOK_MS = 300;

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Configures and compiles a generated project's binaries, and keeps a copy of each that was built
 * (`kept.ts`). Never throws for what a user can meet: that is in `problems`. One build of a
 * project at a time, across processes.
 */
export async function buildProject(request: BuildRequest): Promise<BuildResult> {
  const project = new ConfinedFolder(await realpath(request.projectDir));
  try {
    return await new Build(request, project).run();
  } finally {
    project.close();
  }
}

class Build {
  private readonly started = performance.now();
  private readonly startedAtMs = Date.now();
  /** When the time began that a build may take. */
  private ownSince = this.started;
  private readonly output = new OutputTail(BUILD_LIMITS.outputBytes);
  private done = 0;
  private total = 0;
  private current = "";
  private topology: Topology | undefined;
  private readonly projectDir: string;
  private readonly buildDir: string;

  constructor(
    private readonly request: BuildRequest,
    private readonly project: ConfinedFolder,
  ) {
    this.projectDir = project.root;
    this.buildDir = join(project.root, "build", request.preset);
  }

  async run(): Promise<BuildResult> {
    this.status("configuring");
    const hasWaited = await this.awaitRuntime();
    if (this.request.signal.aborted) return this.finish("cancelled", []);
    const against = hasWaited ? await this.request.generateAnew?.() : undefined;
    if (against !== undefined) return this.finish("failed", against);
    this.topology = parseTopology(this.project.readIfPlain("topology.json") ?? "").topology;
    const obstacles = await this.obstacles();
    if (obstacles.length > 0) return this.finish("failed", obstacles);
    try {
      // A project may come from somebody else: what is written and mounted there is the project's own.
      this.project.ensureFolder(`build/${this.request.preset}`);
      // A build can leave a program there that runs as whoever owns it (setuid): no other user gets at it.
      this.project.keepToOwner("build");
      const lock = await takeBuildLock(this.projectDir, "build");
      try {
        return await this.compile();
      } finally {
        await lock.release();
      }
    } catch (error) {
      return this.finish("failed", [this.problemOf(error)]);
    }
  }

  private names(): string[] {
    if (this.request.target !== undefined) return [];
    const all = this.topology?.binaries.map(({ name }) => name) ?? [];
    const { binary } = this.request;
    return binary === undefined ? all : all.filter((name) => name === binary);
  }

  private prefix(): string {
    const { runtimeRoot = installedRuntime, preset } = this.request;
    return join(runtimeRoot, preset === "fastest" ? "release" : preset, "prefix");
  }

  /** Where `npm start` has just begun, it builds the runtime while somebody draws already. False: it did not wait. */
  private async awaitRuntime(): Promise<boolean> {
    const { signal } = this.request;
    const underWay = () => (signal.aborted ? null : runtimeUnderWay(dirname(this.prefix())));
    let builder = underWay();
    if (builder === null) return false;
    while (builder !== null) {
      ({ done: this.done, total: this.total } = builder);
      this.status("waiting");
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
      builder = underWay();
    }
    this.done = 0;
    this.total = 0;
    this.ownSince = performance.now();
    this.status("configuring");
    return true;
  }

  private async obstacles(): Promise<Problem[]> {
    const missing = await missingTools(this.env());
    if (missing.length > 0) {
      return missing.map(({ tool, help }) => problem("PS854", "", `${tool} is not installed`, { help }));
    }
    const { target } = this.request;
    if (target === undefined && this.names().length === 0) {
      const { binary } = this.request;
      const what =
        binary === undefined ? "The project has no binary to build" : `There is no binary ${binary}`;
      return [problem("PS860", "/binaries", what)];
    }
    if (!(await exists(join(this.projectDir, "CMakeLists.txt"))))
      return [
        problem("PS860", "", "The project has no CMakeLists.txt", {
          help: "Generate it: what is missing is written.",
        }),
      ];
    if (await exists(this.prefix())) return [];
    const { preset } = this.request;
    const help = `Run npm run setup -- --preset ${preset} in the Penstock repository.`;
    const isUsual = preset === "release" || preset === "fastest";
    return [
      problem("PS855", "", `The runtime is not built for the preset ${preset}`, isUsual ? {} : { help }),
    ];
  }

  private env(): NodeJS.ProcessEnv {
    // Words for programs to read: no colours, no translations.
    return {
      ...(this.request.env ?? process.env),
      NINJA_STATUS,
      LC_ALL: "C.UTF-8",
      CLICOLOR_FORCE: "0",
      GCC_COLORS: "",
    };
  }

  /** What the generated files were made from. */
  private generation(): string {
    this.project.forget("generated");
    return this.project.readIfPlain("generated/manifest.json") ?? "";
  }

  private async compile(): Promise<BuildResult> {
    const generation = this.generation();
    const args = ["--preset", this.request.preset, `-DCMAKE_PREFIX_PATH=${this.prefix()}`];
    const stamp = new ConfigureStamp(this.project, this.request.preset, args, this.env());
    if (!stamp.isCurrent) {
      const end = await this.tool(["cmake", ...args, ...(stamp.isElsewhere ? ["--fresh"] : [])]);
      if (end !== "ok") return this.failed(end);
      await stamp.remember();
    }
    this.status("compiling");
    const { target } = this.request;
    const targets = target === undefined ? this.names() : [target];
    const end = await this.tool(["ninja", "-C", this.buildDir, "-j", String(buildJobs()), ...targets]);
    if (end !== "ok") {
      if (this.lacksTarget()) stamp.forget();
      return this.failed(end);
    }
    if (this.generation() !== generation) {
      const words = "The project was generated anew while it was being built";
      return this.finish("failed", [problem("PS865", "", words)]);
    }
    for (const name of this.names()) await keepGoodBinary(this.project, this.request.preset, name);
    return this.finish("succeeded", this.findings());
  }

  /** CMake makes some targets only where the library that they need is installed. */
  private lacksTarget(): boolean {
    const { target } = this.request;
    return (
      target !== undefined && this.output.all().some((line) => line.includes(`unknown target '${target}'`))
    );
  }

  private async tool(command: string[]): Promise<ToolEnd> {
    const { signal, wallMs = BUILD_LIMITS.wallMs, runtimeRoot = installedRuntime } = this.request;
    const cache = await compilerCache(this.buildDir, this.env());
    return runTool({
      command,
      cwd: this.projectDir,
      env: this.env(),
      sandbox: {
        readable: [this.projectDir, runtimeRoot],
        ...cache,
        writable: [this.buildDir, ...cache.writable],
        network: false,
      },
      memoryBytes: this.request.memoryBytes,
      signal,
      deadline: this.ownSince + wallMs,
      onLine: (line) => this.take(line),
    });
  }

  private take(line: string): void {
    this.output.push(line);
    this.request.onOutput?.(line);
    const step = readNinjaStep(line);
    if (!step) return;
    this.done = step.done;
    this.total = step.total;
    this.current = stepSubject(step.what);
    this.status("compiling");
  }

  private findings(): Problem[] {
    const { projectDir, buildDir, topology } = this;
    return problemsOf(readCompilerOutput(this.output.all()), { projectDir, buildDir, topology });
  }

  private failed(end: Exclude<ToolEnd, "ok">): BuildResult {
    if (end === "cancelled") return this.finish("cancelled", []);
    if (end === "timed-out") {
      const seconds = Math.round((this.request.wallMs ?? BUILD_LIMITS.wallMs) / 1000);
      const at = this.current === "" ? "" : `; the last file done was ${this.current}`;
      return this.finish("failed", [problem("PS856", "", `The build timed out after ${seconds} s${at}`)]);
    }
    if (this.lacksTarget()) {
      return this.finish("failed", [
        problem("PS864", "", `CMake found nothing to make ${this.request.target} with`),
      ]);
    }
    const found = this.findings();
    if (!isClean(found)) return this.finish("failed", found);
    const last = this.output
      .all()
      .findLast((line) => line.trim() !== "" && !line.startsWith("ninja: build stopped"));
    return this.finish("failed", [problem("PS862", "", last?.trim() ?? "The build failed"), ...found]);
  }

  private problemOf(error: unknown): Problem {
    if (error instanceof LockedError) {
      return problem("PS859", "", `Another build of this project is running (process ${error.pid})`);
    }
    if (error instanceof WriteRefusal) {
      const [refused] = error.problems;
      const { code, message = "" } = refused ?? {};
      return problem(code === "PS704" ? "PS858" : code === "PS705" ? "PS863" : "PS866", "", message);
    }
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") {
      return problem("PS858", "", "The build stopped: no space left on the disk of the build folder");
    }
    if (code === "EACCES" || code === "EROFS" || code === "EPERM") return problem("PS863", "", message);
    return problem("PS862", "", message);
  }

  private finish(outcome: "succeeded" | "failed" | "cancelled", problems: Problem[]): BuildResult {
    const ok = outcome === "succeeded";
    const environment = outcome === "failed" && problems.some(isOfEnvironment);
    this.status(outcome, problems);
    return {
      ok,
      outcome: environment ? "environment" : outcome,
      problems,
      binaries: ok ? this.names().map((name) => ({ name, path: join(this.buildDir, name) })) : [],
      output: this.output.all(),
      milliseconds: performance.now() - this.started,
    };
  }

  private status(phase: BuildPhase, problems: Problem[] = []): void {
    this.request.onStatus?.({
      phase,
      done: this.done,
      total: this.total,
      current: this.current,
      startedAtMs: this.startedAtMs,
      milliseconds: Math.round(performance.now() - this.started),
      problems,
    });
  }
}
