import { DEFAULT_POOL, timesThreads } from "@penstock/codegen/topology";
import { useMemo, useState } from "react";
import { runCommand } from "../../registry/commands.js";
import { addPool, freshPoolName, newPool } from "../../kernel/document/edits/binaries.js";
import { edit, select, useDocument } from "../../kernel/document/index.js";
import { usePoolFigures, useProcessFigures } from "../../kernel/live/hooks.js";
import { useConnection } from "../../kernel/connection/connection.js";
import { Badge, Button, EmptyState, KindIcon, poolColor, Tabs } from "../../kernel/ui/index.js";
import { placeService } from "../../kernel/run/placeService.js";
import { joinToPool } from "./actions.js";
import { dropZone } from "./dragPlace.js";
import { LaneView } from "./LaneView.js";
import { lanesOf } from "./lanes.js";
import { ServiceChip } from "./ServiceChip.js";
import "./threads.css";

type MachineCpu = { id: number; core: number; node: number };
const NO_CPUS: readonly MachineCpu[] = [];

/** The same model by CPU: lanes with threads on them, services on the threads, all of it to drag. */
export function ThreadsView() {
  const binaries = useDocument((state) => state.topology.binaries);
  const selection = useDocument((state) => state.selection);
  const [chosen, setChosen] = useState<string | null>(null);
  const named = selection[0]?.match(/^(?:binary|pool):([^/]+)/)?.[1];
  // Stays when a service of it, or a stage, is selected next.
  if (named !== undefined && named !== chosen) setChosen(named);
  const name = named ?? chosen;
  const binary = binaries.find((item) => item.name === name) ?? binaries[0];
  if (!binary) {
    return (
      <main className="threads-view" aria-label="Threads">
        <EmptyState
          icon={<KindIcon kind="binary" size={18} />}
          title="No binary yet"
          actions={
            <Button variant="primary" onClick={() => void runCommand("add.binary")}>
              Add a binary
            </Button>
          }
        >
          A binary is one process: the bundles it serves, its pools of threads, and their CPUs.
        </EmptyState>
      </main>
    );
  }
  return (
    <main className="threads-view" aria-label="Threads">
      {binaries.length > 1 ? (
        <Tabs
          label="Binaries"
          value={binary.name}
          onChange={(next) => {
            setChosen(next);
            select(`binary:${next}`);
          }}
          items={binaries.map((item) => ({ value: item.name, label: item.name }))}
        />
      ) : null}
      <BinaryThreads key={binary.name} name={binary.name} />
    </main>
  );
}

function BinaryThreads({ name }: { name: string }) {
  const topology = useDocument((state) => state.topology);
  const readOnly = useDocument((state) => state.readOnly);
  const machine = useConnection((state) =>
    state.phase.kind === "ready" ? state.phase.status.machine : null,
  );
  const builtIn = usePoolFigures(name, DEFAULT_POOL);
  const process = useProcessFigures(name);
  const binary = topology.binaries.find((item) => item.name === name);
  const cpus = machine?.cpus ?? NO_CPUS;
  const ids = useMemo(() => cpus.map((cpu) => cpu.id), [cpus]);
  const each = builtIn?.each ?? Math.max(1, cpus.length);
  // Figures come several times a second; who runs where does not change with them.
  const lanes = useMemo(
    () => (binary ? lanesOf(topology, binary, ids, each) : []),
    [topology, binary, ids, each],
  );
  if (!binary) return null;
  const nodes = new Set(cpus.map((cpu) => cpu.node)).size;
  const pools = binary.pools.some((pool) => pool.name === DEFAULT_POOL)
    ? binary.pools.map((pool) => pool.name)
    : [...binary.pools.map((pool) => pool.name), DEFAULT_POOL];
  const add = () => {
    const pool = freshPoolName(binary);
    edit(`Add pool ${pool}`, (model) => addPool(model, name, newPool(pool, 1)));
    select(`pool:${name}/${pool}`);
  };
  return (
    <>
      <div className="threads-head">
        <h1>
          <button type="button" className="plain" onClick={() => select(`binary:${name}`)}>
            {name}
          </button>
        </h1>
        <span>
          {machine
            ? `on this machine · ${machine.model} · ${cpus.length} CPUs, ${nodes} NUMA ${nodes === 1 ? "node" : "nodes"}`
            : "CPUs unknown while the server is away"}
          {process ? ` · ${process.threads} threads` : ""}
          {process && process.processes > 1 ? ` in ${process.processes} processes, shown as their mean` : ""}
        </span>
      </div>
      <div className="pool-strip" role="group" aria-label="Pools">
        {pools.map((pool) => {
          const index = binary.pools.findIndex((item) => item.name === pool);
          const threads = binary.pools[index]?.threads ?? builtIn?.each;
          return (
            <button
              key={pool}
              type="button"
              className="pool-chip"
              aria-label={`Pool ${pool}`}
              style={{ "--pool": poolColor(pool === DEFAULT_POOL ? -1 : index) } as React.CSSProperties}
              onClick={() => select(`pool:${name}/${pool}`)}
              {...dropZone("service", ({ service, stage }) =>
                stage ? void joinToPool(name, stage, pool) : placeService(name, service, pool, undefined),
              )}
            >
              <span className="swatch" style={{ background: "var(--pool)" }} />
              {pool}
              <span className="mono">{threads === undefined ? "1 per CPU" : timesThreads(threads)}</span>
            </button>
          );
        })}
        <Button size="sm" disabled={readOnly} onClick={add}>
          Add pool
        </Button>
      </div>
      <div className="lanes">
        {lanes.map((lane) => (
          <LaneView
            key={lane.cpu ?? "any"}
            binary={name}
            lane={lane}
            core={cpus.find((cpu) => cpu.id === lane.cpu)?.core}
            known={lane.cpu === null || ids.length === 0 || ids.includes(lane.cpu)}
          />
        ))}
      </div>
      <Unplaced binary={name} />
      <p className="threads-hint">
        Drag a service onto a thread or a pool: a stage is joined to it (live), calls are placed on it (needs
        rebuild). Drag a thread onto a lane to pin it (live). Every change can be undone.
      </p>
    </>
  );
}

/** Services that no binary serves cannot be placed; said here, where one looks for them. */
function Unplaced({ binary }: { binary: string }) {
  const topology = useDocument((state) => state.topology);
  const served = new Set(
    topology.bundles
      .filter((bundle) => topology.binaries.some((item) => item.bundles.includes(bundle.name)))
      .flatMap((bundle) => bundle.services),
  );
  const loose = topology.services.filter((service) => !served.has(service.name));
  if (loose.length === 0) return null;
  return (
    <div className="threads-loose">
      <Badge tone="warn">in no binary</Badge>
      {loose.map((service) => (
        <ServiceChip key={service.name} binary={binary} service={service.name} color="var(--text-3)" fixed />
      ))}
    </div>
  );
}
