import {
  DEFAULT_POOL,
  DEFAULT_QUEUE,
  FIRST_NICE,
  isThreadRange,
  IDLE_POLICIES,
  LAST_NICE,
  LONGEST_QUEUE,
  OVERFLOW_POLICIES,
  type Pool,
} from "@penstock/codegen/topology";
import { addPool, changePool, newPool } from "../../../kernel/document/edits/binaries.js";
import { nodeOfService, stageRef } from "../../../kernel/document/edits/flows.js";
import { edit, patched, reveal, useDocument } from "../../../kernel/document/index.js";
import { runsIn } from "../../../drawing/queries/runsIn.js";
import { formatRate, words } from "../../../kernel/live/figures/format.js";
import { usePoolFigures } from "../../../kernel/live/hooks.js";
import { contributed } from "../../../registry/feature.js";
import { Button, Field, KindIcon, NumberField, poolColor } from "../../../kernel/ui/index.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { ComeAndGo } from "../parts/ComeAndGo.js";
import { Head } from "../parts/Head.js";
import { PinTable } from "../parts/PinTable.js";
import { ChoiceField, Fact, worded } from "../../../kernel/fields/Properties.js";
import { ThingProblems } from "../sections/ThingProblems.js";
import { ThreadCount } from "../parts/ThreadCount.js";

const IDLES = IDLE_POLICIES.map((value) => ({ value, label: worded(value) }));
const OVERFLOWS = OVERFLOW_POLICIES.map((value) => ({ value, label: worded(value) }));

/** A pool: its threads and their pins, its queue, and the stages and calls it runs. */
export function PoolInspector({ binary: binaryName, pool: name }: { binary: string; pool: string }) {
  const topology = useDocument((state) => state.topology);
  const binary = topology.binaries.find((item) => item.name === binaryName);
  const pool = binary?.pools.find((item) => item.name === name);
  const figures = usePoolFigures(binaryName, name);
  if (!binary) return null;
  const runs = runsIn(topology, binary).filter(({ spots }) => spots.some((spot) => spot.pool === name));
  const set = (label: string, patch: { [K in keyof Pool]?: Pool[K] | undefined }) =>
    edit(label, (model) => changePool(model, binaryName, name, (item) => patched(item, patch)));
  return (
    <>
      {pool && name !== DEFAULT_POOL ? (
        <Head
          nodeRef={`pool:${binaryName}/${name}`}
          name={name}
          icon="pool"
          rule="pool"
          swatch={poolColor(binary.pools.indexOf(pool))}
          doc={pool.doc}
          onDoc={(doc) => set("Describe", { doc })}
        />
      ) : (
        <header className="inspector-head">
          <div className="inspector-title">
            <KindIcon kind="pool" />
            <strong>Pool {name}</strong>
          </div>
          <p className="hint">Built in: one thread for each CPU unless it is sized here.</p>
        </header>
      )}
      <ThingProblems refs={[`pool:${binaryName}/${name}`]} />
      <TaggedSection title="Threads" tag="live">
        <ThreadCount key={name} binary={binaryName} pool={name} label="Count" />
        {pool ? <ComeAndGo binary={binaryName} pool={pool} /> : null}
        {figures
          ? contributed("poolActions")
              .flat()
              .map(({ label, icon, perform }) => (
                <Button key={label} size="sm" icon={icon} onClick={() => perform(binaryName, name)}>
                  {label}
                </Button>
              ))
          : null}
        {figures && figures.count > 1 && !Number.isNaN(figures.stolen) ? (
          <Fact label="Stolen">{words(formatRate(figures.stolen))} by idle threads</Fact>
        ) : null}
      </TaggedSection>
      {pool && isThreadRange(pool.threads) ? null : pool ? (
        <TaggedSection title="Pins" tag="live">
          <PinTable binary={binaryName} pool={pool} figures={figures} />
        </TaggedSection>
      ) : (
        <TaggedSection title="Pins">
          <Button
            size="sm"
            onClick={() =>
              edit(`Size pool ${name}`, (model) =>
                addPool(model, binaryName, newPool(name, figures?.each ?? 2)),
              )
            }
          >
            Size and pin this pool
          </Button>
        </TaggedSection>
      )}
      {pool ? (
        <TaggedSection title="Behaviour" tag="rebuild">
          <ChoiceField
            label="Idle"
            value={pool.idle}
            options={IDLES}
            onChange={(idle) => set("Set idle", { idle })}
          />
          <Field label="Priority">
            <NumberField
              label="Priority"
              min={FIRST_NICE}
              max={LAST_NICE}
              value={pool.priority}
              onChange={(priority) => set("Set priority", { priority: priority ?? 0 })}
            />
          </Field>
          <Field label="Queue">
            <NumberField
              label="Queue size"
              min={1}
              max={LONGEST_QUEUE}
              value={pool.queue}
              onChange={(queue) => set("Set queue", { queue: queue ?? DEFAULT_QUEUE })}
            />
          </Field>
          <ChoiceField
            label="When full"
            value={pool.overflow}
            options={OVERFLOWS}
            onChange={(overflow) => set("Set overflow", { overflow })}
          />
        </TaggedSection>
      ) : null}
      <TaggedSection title="Serves">
        {runs.length === 0 ? (
          <p className="hint">
            Nothing yet: no stage is joined to it, and no calls are placed on it. Drag them onto it in the
            Threads view.
          </p>
        ) : null}
        <ul className="item-list">
          {runs.map(({ service, stage }) => {
            const ref = stage ? stageRef(stage.flow, stage.stage) : nodeOfService(topology, service);
            return (
              <li key={`${ref}>${stage ? "stage" : "calls"}`} className="item">
                <button type="button" className="item-link" onClick={() => reveal(ref)}>
                  <KindIcon
                    kind={topology.services.find((item) => item.name === service)?.kind ?? "simple"}
                  />
                  {service}
                </button>
                <span className="item-figure">
                  {stage ? `stage ${stage.stage} of ${stage.flow}` : "calls"}
                </span>
              </li>
            );
          })}
        </ul>
      </TaggedSection>
    </>
  );
}
