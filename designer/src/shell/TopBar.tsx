import { Redo2, Undo2 } from "lucide-react";
import {
  redo,
  setView,
  undo,
  useDocument,
  useWorkbench,
  type WorkbenchView,
} from "../kernel/document/index.js";
import { useOtherFolder } from "../kernel/document/useOtherFolder.js";
import { damageWords } from "../kernel/problems/damage.js";
import { isBuilding, useProject } from "../kernel/server/projectStore.js";
import { IconButton, Tabs } from "../kernel/ui/index.js";
import { Logo } from "../kernel/ui/icons/Logo.js";
import { goTo } from "../features/projects/index.js";
import { RunButtons, StatePill } from "../features/run/index.js";

const VIEWS = [
  { value: "flow", label: "Flow" },
  { value: "threads", label: "Threads" },
  { value: "messages", label: "Messages" },
  { value: "code", label: "Code" },
] as const satisfies readonly { value: WorkbenchView; label: string }[];

const SAVED = {
  saved: "saved",
  unsaved: "unsaved",
  saving: "saving",
  failed: "not saved",
  conflict: "conflict",
  readonly: "read-only",
  damaged: "damaged on disk",
} as const;

function SaveState() {
  const save = useDocument((state) => state.save);
  const damage = useDocument((state) => damageWords(state.damage));
  const damaged = damage !== "" && (save.state === "saved" || save.state === "readonly");
  const state = damaged ? "damaged" : save.state;
  return (
    <span
      className="save-state"
      data-state={state}
      title={(damaged ? damage : save.message) || undefined}
      role="status"
    >
      {SAVED[state]}
    </span>
  );
}

/** A hairline of real progress under the bar: ninja's own steps. */
function BuildProgress() {
  const build = useProject((state) => state.build);
  if (!isBuilding({ build })) return null;
  const share = build.total > 0 ? build.done / build.total : 0;
  return (
    <div
      className="build-progress"
      role="progressbar"
      aria-label="Build"
      aria-valuemin={0}
      aria-valuemax={build.total}
      aria-valuenow={build.done}
      data-known={build.total > 0}
    >
      <div style={{ transform: `scaleX(${build.total > 0 ? Math.max(share, 0.02) : 1})` }} />
    </div>
  );
}

export function TopBar() {
  const view = useWorkbench((state) => state.view);
  const name = useDocument((state) => state.topology.name);
  const folder = useOtherFolder();
  const canUndo = useDocument((state) => state.past.length > 0 && !state.readOnly);
  const canRedo = useDocument((state) => state.future.length > 0 && !state.readOnly);
  return (
    <header className="top-bar">
      <button type="button" className="brand" onClick={() => goTo(null)} title="All projects">
        <Logo />
        Penstock
      </button>
      <span className="crumb">/</span>
      <span className="project-name" title={folder && `${name}, in the folder ${folder}`}>
        {name}
        {folder ? <span className="project-folder"> in {folder}</span> : null}
      </span>
      <SaveState />
      <div className="top-views">
        <Tabs look="segments" label="View" value={view} onChange={setView} items={VIEWS} />
      </div>
      <div className="top-gap" />
      <IconButton
        label="Undo"
        shortcut="Ctrl Z"
        icon={<Undo2 size={15} />}
        disabled={!canUndo}
        onClick={() => undo()}
      />
      <IconButton
        label="Redo"
        shortcut="Ctrl Shift Z"
        icon={<Redo2 size={15} />}
        disabled={!canRedo}
        onClick={() => redo()}
      />
      <StatePill />
      <RunButtons />
      <BuildProgress />
    </header>
  );
}
