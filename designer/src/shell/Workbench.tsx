import type { Status } from "@penstock/codegen/protocol";
import { ChevronUp } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { useStore } from "zustand";
import { FlowView } from "../features/canvas/FlowView.js";
import { HandlerChangesDialog } from "../features/code/HandlerChangesDialog.js";
import { CodePane } from "../features/code/CodePane.js";
import { useFileList } from "../features/code/useFileList.js";
import { CommandPalette } from "../features/commands/CommandPalette.js";
import { KeyboardSheet } from "../features/commands/KeyboardSheet.js";
import { ShortcutHost } from "../features/commands/ShortcutHost.js";
import { useWorkbench, workbenchStore } from "../kernel/document/index.js";
import { LeftPanel } from "../features/explorer/LeftPanel.js";
import { Inspector } from "../features/inspector/Inspector.js";
import { useProblems } from "../kernel/problems/problemStore.js";
import { Badge, Boundary } from "../kernel/ui/index.js";
import { MessagesView } from "../features/messages/MessagesView.js";
import { ThreadsView } from "../features/threads/ThreadsView.js";
import { Banners } from "../features/projects/Banners.js";
import { TuneDialog } from "../features/tune/TuneDialog.js";
import { ConflictDialog } from "../features/projects/ConflictDialog.js";
import { Dock } from "./Dock.js";
import { frameStore, keepWidths, openDock, SIDE_LIMITS, type SideWidths } from "../registry/frameStore.js";
import { Rail } from "./Rail.js";
import { registerShellCommands } from "./registerShellCommands.js";
import { StatusBar } from "./StatusBar.js";
import { TopBar } from "./TopBar.js";

const DOCK = 214;

/** What the middle shows; the code view keeps the drawing beside it. */
function Centre() {
  const view = useWorkbench((state) => state.view);
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: "penstock.code",
    panelIds: ["drawing", "code"],
  });
  if (view === "threads")
    return (
      <Boundary what="The threads">
        <ThreadsView />
      </Boundary>
    );
  if (view === "messages")
    return (
      <Boundary what="The messages">
        <MessagesView />
      </Boundary>
    );
  const split = view === "code";
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
  const [dropped, setDropped] = useState(false);
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
  useEffect(() => {
    const narrow = matchMedia("(max-width: 900px)");
    const look = () => setDropped(narrow.matches);
    look();
    narrow.addEventListener("change", look);
    return () => narrow.removeEventListener("change", look);
  }, []);
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
          {left ? (
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
          {inspector && !dropped ? (
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
