import type { Status } from "@penstock/codegen/contract";
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { useStore } from "zustand";
import { useWorkbench, workbenchStore, type WorkbenchView } from "../kernel/document/index.js";
import { Boundary } from "../kernel/ui/index.js";
import { useAfterFirstPicture } from "../kernel/ui/FirstPicture.js";
import { Banners } from "../features/projects/index.js";
import { registerCommand } from "../registry/commands.js";
import { contributed, type SidePanel } from "../registry/feature.js";
import { Dock } from "./Dock.js";
import { DockBar } from "./DockBar.js";
import { frameStore, keepSizes, openDock, PANEL_LIMITS, type PanelSizes } from "../registry/frameStore.js";
import type { HeldFocus } from "./passFocus.js";
import { Rail } from "./Rail.js";
import { StatusBar } from "./StatusBar.js";
import { TopBar } from "./TopBar.js";
import { useNarrow } from "./useNarrow.js";

function View({ name }: { name: WorkbenchView }) {
  const found = contributed("view").find(({ view }) => view === name);
  if (!found) return null;
  return (
    <Boundary key={name} what={found.what}>
      <found.View />
    </Boundary>
  );
}

/** What the middle shows; the code view keeps the drawing beside it. */
function Centre() {
  const view = useWorkbench((state) => state.view);
  const narrow = useNarrow();
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: "penstock.code",
    panelIds: ["drawing", "code"],
  });
  if (view !== "flow" && view !== "code") return <View name={view} />;
  const split = view === "code";
  if (split && narrow) return <View name="code" />;
  return (
    <Group orientation="horizontal" {...(split ? { defaultLayout, onLayoutChanged } : {})} className="fill">
      <Panel id="drawing" defaultSize="46%" minSize="220px">
        <View name="flow" />
      </Panel>
      {split ? (
        <>
          <Separator className="splitter splitter-x" />
          <Panel id="code" defaultSize="54%" minSize="320px">
            <View name="code" />
          </Panel>
        </>
      ) : null}
    </Group>
  );
}

/** The middle over the dock. The dock keeps its pixels when the window changes. */
function CentreAndDock() {
  const dock = useStore(frameStore, (state) => state.dock);
  const group = useRef<HTMLDivElement>(null);
  const held = useRef(false);
  return (
    <div className="column fill">
      <Group
        orientation="vertical"
        className="grow"
        elementRef={group}
        onLayoutChanged={(layout, { isUserInteraction }) => {
          if (isUserInteraction && group.current) keepSizes(layout, group.current.clientHeight);
        }}
      >
        <Panel id="centre" minSize="160px">
          <Centre />
        </Panel>
        {dock ? (
          <>
            <Separator className="splitter splitter-y" />
            <DockPanel held={held} />
          </>
        ) : null}
      </Group>
      {dock ? null : <DockBar held={held} />}
    </div>
  );
}

function DockPanel({ held }: { held: HeldFocus }) {
  const shown = useAfterFirstPicture();
  const [height] = useState(() => frameStore.getState().sizes.dock);
  const { min } = PANEL_LIMITS.dock;
  return (
    <Panel id="dock" defaultSize={height} minSize={min} groupResizeBehavior="preserve-pixel-size">
      {shown ? <Dock held={held} /> : null}
    </Panel>
  );
}

function Panels({ of }: { of: readonly SidePanel[] }) {
  const shown = useAfterFirstPicture();
  return shown
    ? of.map(({ what, Panel: Shown }) => (
        <Boundary key={what} what={what}>
          <Shown />
        </Boundary>
      ))
    : null;
}

function Side({
  id,
  label,
  children,
}: {
  id: Exclude<keyof PanelSizes, "dock">;
  label: string;
  children: ReactNode;
}) {
  const [width] = useState(() => frameStore.getState().sizes[id]);
  const { min, max } = PANEL_LIMITS[id];
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
  useLayoutEffect(() => {
    const undo = contributed("commands").flatMap((commands) => commands.map(registerCommand));
    return () => {
      for (const take of undo) take();
    };
  }, []);
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
            if (isUserInteraction && group.current) keepSizes(layout, group.current.clientWidth);
          }}
        >
          {left && !instead ? (
            <>
              <Side id="left" label="Project and palette">
                <Panels of={contributed("left")} />
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
                <Panels of={contributed("right")} />
              </Side>
            </>
          ) : null}
        </Group>
      </div>
      <StatusBar />
      {contributed("mounted")
        .flat()
        .map((Mounted, index) => (
          <Mounted key={index} />
        ))}
    </div>
  );
}
