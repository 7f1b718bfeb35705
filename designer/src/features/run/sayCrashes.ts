import type { BinaryStatus } from "@penstock/codegen/contract";
import { setDockTab } from "../../kernel/document/index.js";
import { projectStore } from "../../kernel/server/projectStore.js";
import { toast } from "../../kernel/ui/index.js";
import { openDock } from "../../registry/frameStore.js";

interface Life {
  name: string;
  state: BinaryStatus["state"];
  detail: string;
  restarts: number;
}

/** Each process of a binary that Penstock starts again by itself. */
const livesOf = (binaries: readonly BinaryStatus[]): Life[] =>
  binaries.flatMap((status): readonly Life[] => status.processes ?? [{ ...status, name: status.binary }]);

/** `after crashed (SIGSEGV)`, and once it runs `restarted after crashed (SIGSEGV)`. */
const causeOf = (detail: string): string => /crashed \(.*\)$/.exec(detail)?.[0] ?? "crashed";

const log = {
  label: "Show the log",
  onSelect: () => {
    openDock();
    setDockTab("logs");
  },
};

function sayCrash({ name, state, detail, restarts }: Life): void {
  // One line a process: how it ended up is the last word on it.
  const about = `crash of ${name}`;
  if (state === "failed") {
    const body = "It is not started again.";
    return void toast(`${name} ${detail}`, { tone: "bad", body, about, action: log });
  }
  const body = restarts === 1 ? "It was started again." : `It was started again, ${restarts} times by now.`;
  // Nobody may have looked: it is there until it is closed, as what else went wrong.
  toast(`${name} ${causeOf(detail)}`, { tone: "warn", body, about, action: log, lasts: 0 });
}

/** Says which process has crashed though it runs again, and that it was given up once it has crashed too often. */
export function sayCrashes(): () => void {
  return projectStore.subscribe(({ project, binaries }, before) => {
    // What a tab is told first was so before it came.
    if (project !== before.project || binaries === before.binaries) return;
    const known = new Map(livesOf(before.binaries).map((life) => [life.name, life]));
    for (const life of livesOf(binaries)) {
      const was = known.get(life.name);
      if (!was) continue;
      const hasFailed = life.state === "failed" && was.state !== "failed" && life.restarts > 0;
      if (life.restarts > was.restarts || hasFailed) sayCrash(life);
    }
  });
}
