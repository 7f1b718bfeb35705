import { FileCog, Hammer, Play, Rocket, RotateCw, Square, X } from "lucide-react";
import { useState } from "react";
import { useConnection } from "../../kernel/connection/connection.js";
import { anyOwnAlive, isBuilding, isMeasuring, useProject } from "../../kernel/server/projectStore.js";
import { Button, Tooltip } from "../../kernel/ui/index.js";
import { applyLive, build, cancelBuild, generate, run, stop } from "../../kernel/run/runActions.js";
import { useDrawnState, usePendingLive } from "../../kernel/run/runState.js";
import { useRunObstacle } from "../../kernel/run/useRunObstacle.js";

const ICON = { size: 14, strokeWidth: 1.75 };

/** Left out where the window has no room for them; the button keeps its name. */
function Words({ children }: { children: string }) {
  return <span className="btn-words">{children}</span>;
}

/** Generate, Build, Run (or Apply live, or Restart), Stop: one of them is the primary one. */
export function RunButtons() {
  const building = useProject(isBuilding);
  const measuring = useProject(isMeasuring);
  const alive = useProject(anyOwnAlive);
  const obstacle = useRunObstacle();
  const online = useConnection((state) => state.socket.kind === "open");
  const writable = useConnection((state) => state.phase.kind !== "ready" || state.phase.status.writable);
  const pending = usePendingLive();
  const drawn = useDrawnState();
  const [busy, setBusy] = useState<"generate" | "run" | "stop" | "apply" | null>(null);
  const during = (what: NonNullable<typeof busy>, work: () => Promise<unknown>) => async () => {
    setBusy(what);
    try {
      await work();
    } finally {
      setBusy(null);
    }
  };
  const why = obstacle || (measuring ? "Benchmarks are running: wait for them, or cancel them" : "");
  const off = why !== "";
  // On each of them: a browser shows no title of what is around a button that is off.
  const told = (words: string): string => why || words;

  return (
    <div className="run-buttons" role="group" aria-label="Run">
      <Button
        title="Generate"
        icon={<FileCog {...ICON} />}
        disabled={!online || !writable || building || measuring || busy !== null}
        onClick={during("generate", generate)}
      >
        <Words>Generate</Words>
      </Button>
      {building ? (
        <Button title="Cancel the build" icon={<X {...ICON} />} onClick={cancelBuild}>
          <Words>Cancel</Words>
        </Button>
      ) : (
        <Button
          title={told("Build")}
          icon={<Hammer {...ICON} />}
          disabled={off || busy !== null}
          onClick={() => void build()}
        >
          <Words>Build</Words>
        </Button>
      )}
      {pending.length > 0 && drawn !== "rebuild" ? (
        <Tooltip content={<span className="pre">{pending.map((change) => change.label).join("\n")}</span>}>
          <Button
            variant="primary"
            yields
            icon={<Rocket {...ICON} />}
            count={pending.length}
            title={why || undefined}
            disabled={off || busy !== null}
            onClick={during("apply", () => applyLive(pending))}
          >
            <Words>Apply live</Words>
          </Button>
        </Tooltip>
      ) : alive && drawn !== "nothing-runs" ? (
        <Tooltip
          content={
            drawn === "rebuild" ? "Modified since run: build and start again" : "Build and start again"
          }
        >
          <Button
            variant={drawn === "rebuild" ? "primary" : "secondary"}
            yields
            icon={<RotateCw {...ICON} />}
            title={why || undefined}
            disabled={off || building || busy !== null}
            onClick={during("run", run)}
          >
            <Words>Restart</Words>
          </Button>
        </Tooltip>
      ) : (
        <Button
          variant="primary"
          yields
          icon={<Play {...ICON} />}
          title={told(building ? "It is being built" : "Build and start")}
          disabled={off || building || busy !== null}
          onClick={during("run", run)}
        >
          <Words>Run</Words>
        </Button>
      )}
      <Button
        title="Stop"
        variant="danger"
        icon={<Square {...ICON} />}
        disabled={!alive || !online || busy === "stop"}
        onClick={during("stop", stop)}
      >
        <Words>Stop</Words>
      </Button>
    </div>
  );
}
