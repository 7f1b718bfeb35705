import { DEFAULT_WATCH_MS, LONGEST_WATCH_MS, type Binary, threadFigures } from "@penstock/codegen/topology";
import { Plus, Trash2 } from "lucide-react";
import {
  addPool,
  changeBinary,
  freshPoolName,
  newPool,
  removePool,
} from "../../../kernel/document/edits/binaries.js";
import { edit, patched, reveal, select, useDocument } from "../../../kernel/document/index.js";
import {
  byDefault,
  Checkbox,
  Field,
  IconButton,
  NumberField,
  poolColor,
  suchAs,
} from "../../../kernel/ui/index.js";
import { Sections } from "../../../registry/Sections.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { Head } from "../parts/Head.js";
import { TextField, WordsField } from "../../../kernel/fields/Properties.js";
import { HttpFields } from "../sections/HttpFields.js";
import { LivenessSection } from "../sections/LivenessSection.js";
import { ProcessesSection } from "../sections/ProcessesSection.js";
import { SamplingSection } from "../sections/SamplingSection.js";
import { ThingProblems } from "../sections/ThingProblems.js";

/** A binary: the bundles it serves, its pools, and where it listens. */
export function BinaryInspector({ name }: { name: string }) {
  const topology = useDocument((state) => state.topology);
  const binary = topology.binaries.find((item) => item.name === name);
  if (!binary) return null;
  const set = (label: string, patch: { [K in keyof Binary]?: Binary[K] | undefined }) =>
    edit(label, (model) => changeBinary(model, name, (item) => patched(item, patch)));
  return (
    <>
      <Head
        nodeRef={`binary:${name}`}
        name={name}
        icon="binary"
        rule="binary"
        doc={binary.doc}
        onDoc={(doc) => set("Describe", { doc })}
        actions={
          <IconButton
            size="sm"
            label={`Remove ${name}`}
            icon={<Trash2 size={14} strokeWidth={1.75} />}
            onClick={() =>
              edit(
                `Remove ${name}`,
                (model) => ({
                  ...model,
                  topology: {
                    ...model.topology,
                    binaries: model.topology.binaries.filter((item) => item.name !== name),
                  },
                }),
                { select: [] },
              )
            }
          />
        }
      />
      <ThingProblems refs={[`binary:${name}`]} />
      <TaggedSection title="Bundles" tag="rebuild">
        {topology.bundles.length === 0 ? (
          <p className="hint">No bundle yet: select services and press Ctrl+G.</p>
        ) : null}
        {topology.bundles.map((bundle) => (
          <Checkbox
            key={bundle.name}
            label={bundle.name}
            checked={binary.bundles.includes(bundle.name)}
            onChange={(on) =>
              set(on ? `Serve ${bundle.name}` : `Take ${bundle.name} out`, {
                bundles: on
                  ? [...binary.bundles, bundle.name]
                  : binary.bundles.filter((other) => other !== bundle.name),
              })
            }
          />
        ))}
      </TaggedSection>
      <TaggedSection
        title="Pools"
        tag="rebuild"
        action={
          <IconButton
            size="sm"
            label="Add a pool"
            icon={<Plus size={14} strokeWidth={1.75} />}
            onClick={() => {
              const pool = freshPoolName(binary);
              edit(`Add pool ${pool}`, (model) => addPool(model, name, newPool(pool, 1)));
              select(`pool:${name}/${pool}`);
            }}
          />
        }
      >
        {binary.pools.length === 0 ? (
          <p className="hint">Only the built-in pool: one thread per CPU. Add one to size and pin it.</p>
        ) : null}
        <ul className="item-list">
          {binary.pools.map((pool, index) => (
            <li key={pool.name} className="item">
              <button type="button" className="item-link" onClick={() => reveal(`pool:${name}/${pool.name}`)}>
                <span className="swatch" style={{ background: poolColor(index) }} />
                {pool.name}
                <span className="mono item-figure">
                  {threadFigures(pool.threads)} {threadFigures(pool.threads) === "1" ? "thread" : "threads"}
                </span>
              </button>
              <IconButton
                size="sm"
                label={`Remove pool ${pool.name}`}
                icon={<Trash2 size={14} strokeWidth={1.75} />}
                onClick={() =>
                  edit(`Remove pool ${pool.name}`, (model) => removePool(model, name, pool.name))
                }
              />
            </li>
          ))}
        </ul>
      </TaggedSection>
      <ProcessesSection
        name={name}
        replicas={binary.replicas}
        onReplicas={(replicas) => set("Set replicas", { replicas })}
      />
      <Sections at="binary" of={{ binary: name }} />
      <SamplingSection binary={name} />
      <TaggedSection title="Addresses" tag="rebuild">
        <WordsField
          label="Listen"
          words={binary.listen}
          placeholder={suchAs("tcp://127.0.0.1:7400")}
          onCommit={(listen) => set("Set listen", { listen })}
        />
        <TextField
          label="Discovery"
          value={binary.discovery ?? ""}
          placeholder={suchAs("nats://127.0.0.1:4222")}
          onCommit={(text) => set("Set discovery", { discovery: text.trim() || undefined })}
        />
        <Checkbox
          label="Any binary of the project may call it"
          checked={binary.allow !== undefined}
          onChange={(on) => set("Set who may call", { allow: on ? "any-project-binary" : undefined })}
        />
        <HttpFields binary={binary} />
        <TextField
          label="Control"
          value={binary.control}
          onCommit={(text) => set("Set control", { control: text.trim() || "127.0.0.1:0" })}
        />
      </TaggedSection>
      <LivenessSection
        liveness={binary.liveness}
        pointer={`/binaries/${topology.binaries.indexOf(binary)}/liveness`}
        onChange={(liveness) => set("Set liveness", { liveness })}
      />
      {/* Read at start, from a configuration that has the drawing's hash as the executable has: a build makes both. */}
      <TaggedSection title="Watchdog" tag="rebuild">
        <Field label="Report after">
          <NumberField
            label="Report a handler after"
            unit="ms"
            min={0}
            max={LONGEST_WATCH_MS}
            placeholder={byDefault(DEFAULT_WATCH_MS)}
            value={binary.watchdogMs}
            onChange={(watchdogMs) => set("Set watchdog", { watchdogMs })}
          />
        </Field>
        <p className="hint">A handler that keeps its thread busy for longer is reported; with 0 none is.</p>
      </TaggedSection>
    </>
  );
}
