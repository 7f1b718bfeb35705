import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { isMainThread, parentPort, Worker, workerData, type WorkerOptions } from "node:worker_threads";
import type { ProjectPlan } from "../plan/index.js";
import { NodeTemplateError, renderNodeTemplate, type NodeTemplateUse } from "./nodeTemplate.js";
import { nodeTemplateUses, type NodeTemplates, type NodeTexts } from "./nodeTexts.js";

/** What rendering the templates that a project brings along may take, all of them together. */
const TEMPLATE_LIMITS = { milliseconds: 10_000, memoryMb: 256 } as const;

/** Marks a worker as one of ours: this file is its program too, wherever a bundler has put it. */
const OURS = "penstock own node templates";
interface Work {
  kind: typeof OURS;
  uses: NodeTemplateUse[];
}
/** What the worker says: which template it begins with, then what came of it. */
type Word = { begins: number } | { text: string } | { refused: string };

if (!isMainThread && (workerData as Work | null)?.kind === OURS) work(workerData as Work);

function work({ uses }: Work): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the port of a worker has no origin
  const say = (word: Word): void => parentPort?.postMessage(word);
  for (const [at, use] of uses.entries()) {
    say({ begins: at });
    try {
      say({ text: renderNodeTemplate(use) });
    } catch (error) {
      return say({ refused: (error as Error).message });
    }
  }
}

/** A worker with this file as its program; run from its sources (by a test), what makes JavaScript of them comes first. */
function startWorker(options: WorkerOptions): Worker {
  if (!import.meta.url.endsWith(".ts")) return new Worker(new URL(import.meta.url), options);
  const tsx = pathToFileURL(
    createRequire(import.meta.url)
      .resolve("tsx/esm/api")
      .replace(/\.cjs$/, ".mjs"),
  );
  const [loader, self] = [JSON.stringify(tsx.href), JSON.stringify(import.meta.url)];
  const program = `import(${loader}).then((tsx) => { tsx.register(); return import(${self}); })`;
  return new Worker(program, { ...options, eval: true, execArgv: [] });
}

export interface TemplateLimits {
  memoryMb?: number;
  /** Ends the rendering; left out: after TEMPLATE_LIMITS.milliseconds. */
  expired?: AbortSignal;
}

/**
 * The texts of the services whose nodes the project itself brings along, by the services' names. Their templates are
 * a stranger's: they are rendered beside this thread, for a limited time and in limited memory. Throws a
 * NodeTemplateError.
 */
export async function ownNodeTexts(
  plan: ProjectPlan,
  nodes: ReadonlyMap<string, NodeTemplates>,
  limits: TemplateLimits = {},
): Promise<ReadonlyMap<string, NodeTexts>> {
  const own = plan.services.filter(
    ({ standard }) => standard !== undefined && nodes.get(standard.type)?.own === true,
  );
  if (own.length === 0) return new Map();
  const uses = own.flatMap((service) => {
    const { state, handler } = nodeTemplateUses(plan, service, nodes.get(service.standard!.type)!);
    return [state, handler];
  });
  const texts = await renderBeside(uses, limits);
  return new Map(
    own.map(({ name }, at) => [name, { state: texts[2 * at] ?? "", handler: texts[2 * at + 1] ?? "" }]),
  );
}

async function renderBeside(uses: NodeTemplateUse[], limits: TemplateLimits): Promise<string[]> {
  const { memoryMb = TEMPLATE_LIMITS.memoryMb } = limits;
  const worker = startWorker({
    workerData: { kind: OURS, uses } satisfies Work,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32 },
    // Nothing of the environment is any template's business.
    env: {},
  });
  const texts: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      let current = 0;
      const refuse = (message: string, isTooMuch: boolean): void => {
        const { type, name } = uses[current]!;
        reject(new NodeTemplateError(type, name, message, isTooMuch));
      };
      const expire = (): void => refuse("it takes too long", true);
      worker.on("message", (word: Word) => {
        if ("begins" in word) {
          current = word.begins;
          // Until here the worker was being started, which no template prolongs.
          if (limits.expired === undefined) timer ??= setTimeout(expire, TEMPLATE_LIMITS.milliseconds);
          else if (limits.expired.aborted) expire();
          else limits.expired.addEventListener("abort", expire, { once: true });
        } else if ("refused" in word) refuse(word.refused, false);
        else if (texts.push(word.text) === uses.length) resolve();
      });
      worker.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ERR_WORKER_OUT_OF_MEMORY") refuse(`it takes more than ${memoryMb} MB`, true);
        else reject(error);
      });
      worker.on("exit", () => reject(new Error("the templates were not rendered to their end")));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
  return texts;
}
