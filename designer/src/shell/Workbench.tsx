import type { Status } from "@penstock/codegen/protocol";
import { ChevronUp } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { useStore } from "zustand";
import { FlowView } from "../canvas/FlowView.js";
import { HandlerChangesDialog } from "../code/HandlerChangesDialog.js";
import { CodePane } from "../code/CodePane.js";
import { useFileList } from "../code/useFileList.js";
import { CommandPalette } from "../commands/CommandPalette.js";
import { KeyboardSheet } from "../commands/KeyboardSheet.js";
import { ShortcutHost } from "../commands/ShortcutHost.js";
import { useWorkbench, workbenchStore } from "../document/index.js";
import { LeftPanel } from "../explorer/LeftPanel.js";
import { Inspector } from "../inspector/Inspector.js";
import { useProblems } from "../problems/problemStore.js";
import { Badge, Boundary } from "../ui/index.js";
import { Banners } from "./Banners.js";
import { TuneDialog } from "../tune/TuneDialog.js";
import { ConflictDialog } from "./ConflictDialog.js";
import { Dock } from "./Dock.js";
import { frameStore, keepWidths, openDock, SIDE_LIMITS, type SideWidths } from "./frameStore.js";
import { Rail } from "./Rail.js";
import { registerShellCommands } from "./registerShellCommands.js";
import { StatusBar } from "./StatusBar.js";
import { TopBar } from "./TopBar.js";
import { useNarrow } from "./useNarrow.js";

const ThreadsView = lazy(() =>
  import("../views/threads/ThreadsView.js").then((all) => ({ default: all.ThreadsView })),
);
const MessagesView = lazy(() =>
  import("../views/messages/MessagesView.js").then((all) => ({ default: all.MessagesView })),
);

const DOCK = 214;

/** What the middle shows; the code view keeps the drawing beside it. */
function Centre() {
  const view = useWorkbench((state) => state.view);
  const narrow = useNarrow();
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: "penstock.code",
    panelIds: ["drawing", "code"],
  });
  if (view === "threads")
    return (
      <Boundary what="The threads">
        <Suspense>
          <ThreadsView />
        </Suspense>
      </Boundary>
    );
  if (view === "messages")
    return (
      <Boundary what="The messages">
        <Suspense>
          <MessagesView />
        </Suspense>
      </Boundary>
    );
  const split = view === "code";
  if (split && narrow)
    return (
      <Boundary what="The code">
        <CodePane />
      </Boundary>
    );
  return (
    <Group orientation="horizontal" {...(split ? { defaultLayout, onLayoutChanged } : {})} className="fill">
      <Panel id="drawing" defaultSize="46%" minSize="220px">
        <Boundary what="The drawing">
          <FlowView />
        </Boundary>
      </Panel>
      {split ? (
        <>
          <Separator className="splitter splitter-x" />
          <Panel id="code" defaultSize="54%" minSize="320px">
            <Boundary what="The code">
              <CodePane />
            </Boundary>
          </Panel>
        </>
      ) : null}
    </Group>
  );
}

function DockBar() {
  const problems = useProblems();
  return (
    <button type="button" className="dock-closed" onClick={openDock} aria-label="Show the dock">
      <ChevronUp size={14} /> Problems {problems.length > 0 ? <Badge round>{problems.length}</Badge> : null}
    </button>
  );
}

/** The middle over the dock. The dock keeps its pixels when the window changes. */
function CentreAndDock() {
  const dock = useStore(frameStore, (state) => state.dock);
  const ids = dock ? ["centre", "dock"] : ["centre"];
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({ id: "penstock.dock", panelIds: ids });
  return (
    <div className="column fill">
      <Group
        orientation="vertical"
        className="grow"
        defaultLayout={defaultLayout}
        onLayoutChanged={onLayoutChanged}
      >
        <Panel id="centre" minSize="160px">
          <Centre />
        </Panel>
        {dock ? (
          <>
            <Separator className="splitter splitter-y" />
            <Panel id="dock" defaultSize={DOCK} minSize={110} groupResizeBehavior="preserve-pixel-size">
              <Dock />
            </Panel>
          </>
        ) : null}
      </Group>
      {dock ? null : <DockBar />}
    </div>
  );
}

function Side({ id, label, children }: { id: keyof SideWidths; label: string; children: ReactNode }) {
  const [width] = useState(() => frameStore.getState().widths[id]);
  const { min, max } = SIDE_LIMITS[id];
  return (
    <Panel id={id} defaultSize={width} minSize={min} maxSize={max} groupResizeBehavior="preserve-pixel-size">
      <aside className="side" aria-label={label}>
        {children}
      </aside>
    </Panel>
  );
}

/** The frame around an open project. */
export function Workbench({ status }: { status: Status }) {
  const left = useStore(frameStore, (state) => state.left);
  const view = useWorkbench((state) => state.view);
  const inspector = view !== "code" && view !== "messages";
  const group = useRef<HTMLDivElement>(null);
  const narrow = useNarrow();
  const instead = useStore(frameStore, (state) => state.properties) && narrow && inspector;
  useFileList();
  useEffect(() => registerShellCommands(), []);
  // Asking for a tab of the dock shows the dock.
  useEffect(
    () =>
      workbenchStore.subscribe((state, before) => {
        if (state.dockTab !== before.dockTab) openDock();
      }),
    [],
  );
  return (
    <div className="workbench">
      <TopBar />
      <Banners status={status} />
      <div className="frame">
        <Rail />
        <Group
          orientation="horizontal"
          className="grow"
          elementRef={group}
          onLayoutChanged={(layout, { isUserInteraction }) => {
            if (isUserInteraction && group.current) keepWidths(layout, group.current.clientWidth);
          }}
        >
          {left && !instead ? (
            <>
              <Side id="left" label="Project and palette">
                <Boundary what="The project">
                  <LeftPanel />
                </Boundary>
              </Side>
              <Separator className="splitter splitter-x" />
            </>
          ) : null}
          <Panel id="middle" minSize="320px">
            <CentreAndDock />
          </Panel>
          {inspector && (!narrow || instead) ? (
            <>
              <Separator className="splitter splitter-x" />
              <Side id="inspector" label="Properties">
                <Boundary what="The properties">
                  <Inspector />
                </Boundary>
              </Side>
            </>
          ) : null}
        </Group>
      </div>
      <StatusBar />
      <ConflictDialog />
      <TuneDialog />
      <HandlerChangesDialog />
      <CommandPalette />
      <KeyboardSheet />
      <ShortcutHost />
    </div>
  );
}
