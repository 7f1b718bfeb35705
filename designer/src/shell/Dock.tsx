import { ChevronDown } from "lucide-react";
import { useRef } from "react";
import { useShallow } from "zustand/shallow";
import { setDockTab, useWorkbench, type DockTab } from "../kernel/document/index.js";
import { useProblems } from "../kernel/problems/problemStore.js";
import { useProject } from "../kernel/server/projectStore.js";
import { Boundary, IconButton, Tabs, type TabItem } from "../kernel/ui/index.js";
import { contributed } from "../registry/feature.js";
import { toggleDock } from "../registry/frameStore.js";
import { usePassedFocus, type HeldFocus } from "./passFocus.js";

/** The tabs that features have, below the middle. */
export function Dock({ held }: { held: HeldFocus }) {
  const whole = useRef<HTMLElement>(null);
  const hide = useRef<HTMLButtonElement>(null);
  usePassedFocus(held, whole, hide);
  const tab = useWorkbench((state) => state.dockTab);
  const problems = useProblems();
  const panels = contributed("dock").flat();
  const busy = useProject(useShallow((state) => panels.map((panel) => panel.busy?.(state) === true)));
  const items = panels.map((panel, index): TabItem<DockTab> => ({
    value: panel.tab,
    label: busy[index] ? `${panel.label} …` : panel.label,
    ...panel.counts?.(problems),
  }));
  const shown = panels.find((panel) => panel.tab === tab);
  return (
    <section className="dock" aria-label="Dock" ref={whole}>
      <div className="dock-head">
        <Tabs label="Dock" value={tab} onChange={setDockTab} items={items} />
        <div className="top-gap" />
        {shown?.Head ? <shown.Head /> : null}
        <IconButton
          ref={hide}
          label="Hide the dock"
          side="top"
          size="sm"
          icon={<ChevronDown size={14} />}
          onClick={toggleDock}
        />
      </div>
      <div className="dock-body" role="tabpanel" aria-label={tab}>
        {shown ? (
          <Boundary key={tab} what={shown.what}>
            <shown.Panel />
          </Boundary>
        ) : null}
      </div>
    </section>
  );
}
