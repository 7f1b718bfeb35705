import type { Status } from "@penstock/codegen/contract";
import { Lock, ShieldQuestion, TriangleAlert, WifiOff, Wrench } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useDocument } from "../../kernel/document/index.js";
import { ask } from "../../kernel/server/api.js";
import { useLoss } from "../../kernel/connection/connection.js";
import { projectStore, useProject } from "../../kernel/server/projectStore.js";
import { useStore } from "zustand";
import { Button, Dialog } from "../../kernel/ui/index.js";
import { frameStore } from "../../registry/frameStore.js";
import { askOfProject, isOpen } from "../../kernel/run/runActions.js";

function Banner({
  tone,
  icon,
  children,
}: {
  tone: "warn" | "bad" | "info";
  icon: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="banner" data-tone={tone} role="status">
      {icon}
      {children}
    </div>
  );
}

function Untrusted() {
  const [asking, setAsking] = useState(false);
  const topology = useDocument((state) => state.topology);
  const trust = async () => {
    await askOfProject("Not trusted", async (project) => {
      await ask("trustProject", { project });
      if (!isOpen(project)) return;
      projectStore.setState({ trusted: true });
      setAsking(false);
    });
  };
  return (
    <Banner tone="warn" icon={<ShieldQuestion size={14} />}>
      <span>
        Somebody else made this project. You can look at it; it is built and run only after you say so.
      </span>
      <Button size="sm" onClick={() => setAsking(true)}>
        Review and trust…
      </Button>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title="Trust this project?"
        footer={
          <>
            <Button onClick={() => setAsking(false)}>Not yet</Button>
            <Button variant="primary" onClick={() => void trust()}>
              Trust, allow build and run
            </Button>
          </>
        }
      >
        <p>
          Building compiles its C++ and running executes it on this machine. Look at its files in the Code
          view first if you do not know who sent it.
        </p>
        <p className="mono">
          {counted(topology.services.length, "service", "services")},{" "}
          {counted(topology.flows.length, "flow", "flows")},{" "}
          {counted(topology.binaries.length, "binary", "binaries")}:{" "}
          {topology.services
            .slice(0, 12)
            .map((service) => service.name)
            .join(", ")}
          {topology.services.length > 12 ? " …" : ""}
        </p>
      </Dialog>
    </Banner>
  );
}

const counted = (count: number, one: string, several: string): string =>
  `${count} ${count === 1 ? one : several}`;

/** What a person should know before trusting the rest of the screen; nothing when all is well. */
export function Banners({ status }: { status: Status }) {
  const rootSeen = useStore(frameStore, (state) => state.rootSeen);
  const readOnly = useDocument((state) =>
    // That of the workspace is said once, for all projects.
    state.projectId !== null && state.readOnly && status.writable ? state.readOnlyReason : "",
  );
  const save = useDocument((state) => state.save);
  const untrusted = useProject((state) => state.project !== null && !state.trusted);
  const lost = useLoss();
  return (
    <>
      {lost ? (
        <Banner tone="bad" icon={<WifiOff size={14} />}>
          {lost === "stopped" ? "The Penstock server was stopped" : "The Penstock server does not answer"}:
          nothing is saved, built or run. What you draw is kept in this browser until it is back; trying
          again.
        </Banner>
      ) : null}
      {status.root && !rootSeen ? (
        <Banner tone="warn" icon={<TriangleAlert size={14} />}>
          The server runs as root: what you build and run has all rights on this machine.
          <div className="top-gap" />
          <Button size="sm" variant="ghost" onClick={() => frameStore.setState({ rootSeen: true })}>
            I know
          </Button>
        </Banner>
      ) : null}
      {status.writable ? null : (
        <Banner tone="warn" icon={<Lock size={14} />}>
          The workspace cannot be written to: look at everything, but nothing can be changed, built or run.
        </Banner>
      )}
      {readOnly ? (
        <Banner tone="warn" icon={<Lock size={14} />}>
          Read-only: {readOnly}
        </Banner>
      ) : null}
      {save.state === "failed" && !lost ? (
        <Banner tone="bad" icon={<TriangleAlert size={14} />}>
          Not saved: {save.message}
        </Banner>
      ) : null}
      {status.missing.length > 0 ? (
        <Banner tone="warn" icon={<Wrench size={14} />}>
          <span>
            To build, this machine lacks {status.missing.map((one) => one.tool).join(", ")}:{" "}
            <code>{status.missing[0]?.help}</code>
          </span>
        </Banner>
      ) : null}
      {untrusted ? <Untrusted /> : null}
    </>
  );
}
