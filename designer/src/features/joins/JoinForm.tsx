import { sameJoin } from "@penstock/codegen/arrange";
import {
  LONGEST_QUEUE,
  MOST_THREADS,
  OVERFLOW_POLICIES,
  type Join,
  threadFigures,
} from "@penstock/codegen/topology";
import { CircleAlert } from "lucide-react";
import { useId, useState } from "react";
import { useDocument } from "../../kernel/document/index.js";
import { worded } from "../../kernel/fields/Properties.js";
import { toast, Badge, Button, Field, NumberField, poolColor, Select } from "../../kernel/ui/index.js";
import { changeJoin } from "../../kernel/run/changeJoin.js";
import { shownProject } from "../../kernel/run/shownProject.js";
import type { JoinRefusal } from "../../kernel/run/drawnRefusal.js";
import { draftOf, joinOf, type JoinDraft } from "../../drawing/edits/joinDraft.js";
import "./joins.css";
import { stageHome } from "./stageHome.js";
import { useSlot } from "./useSlot.js";

const THREADS = [
  { value: "single", label: "Single thread" },
  { value: "fixed", label: "Fixed" },
  { value: "cached", label: "As needed (cached)" },
] as const;
const OVERFLOWS = OVERFLOW_POLICIES.map((value) => ({ value, label: worded(value) }));

export interface JoinFormProps {
  flow: string;
  stage: string;
  /** After a change that was made. */
  onDone?: (() => void) | undefined;
}

/** What stands in the slot before a stage: nothing, a pool of the binary, or threads of its own. */
export function JoinForm({ flow, stage, onDone }: JoinFormProps) {
  const join = useDocument(
    (state) =>
      state.topology.flows.find(({ name }) => name === flow)?.stages.find(({ id }) => id === stage)?.join,
  );
  const project = useDocument((state) => state.projectId);
  // A join that is changed from elsewhere is shown at once: the form starts anew with it, and with another project.
  return (
    <Form
      key={JSON.stringify([project, join ?? null])}
      flow={flow}
      stage={stage}
      join={join}
      onDone={onDone}
    />
  );
}

function Form({ flow, stage, join, onDone }: JoinFormProps & { join: Join | undefined }) {
  const topology = useDocument((state) => state.topology);
  const drawn = topology.flows.find(({ name }) => name === flow)?.stages.find(({ id }) => id === stage);
  const { running, isHere, isAway } = stageHome(topology, flow, drawn?.service ?? "");
  const live = useSlot(flow, stage);
  // That of another binary is not changed while it runs.
  const slot = isHere ? live : null;
  const binaries = topology.binaries.filter(({ name }) => running.includes(name));
  const pools = binaries.flatMap((binary) => binary.pools.map((pool, index) => ({ pool, index })));
  const [draft, setDraft] = useState<JoinDraft>(() => draftOf(join, pools[0]?.pool.name));
  const [refusal, setRefusal] = useState<JoinRefusal>();
  const [busy, setBusy] = useState(false);
  const group = useId();
  const first = topology.flows.find(({ name }) => name === flow)?.stages[0]?.id === stage;
  const set = (patch: Partial<JoinDraft>) => {
    setRefusal(undefined);
    setDraft((before) => ({ ...before, ...patch }));
  };

  const change = async (wanted: Join | null) => {
    setBusy(true);
    const project = shownProject();
    const refused = await changeJoin(flow, stage, wanted);
    setBusy(false);
    if (!project.isShown()) return;
    setRefusal(refused);
    if (refused) return;
    if (slot) toast(wanted ? "The join is in force" : "The join is out", { tone: "ok" });
    onDone?.();
  };
  const radio = (kind: JoinDraft["kind"], label: string, hint: string, disabled = false) => (
    <label className="join-choice" data-on={draft.kind === kind} data-disabled={disabled}>
      <input
        type="radio"
        name={group}
        checked={draft.kind === kind}
        disabled={disabled}
        onChange={() => set({ kind })}
      />
      <span>
        {label}
        <small>{hint}</small>
      </span>
    </label>
  );
  const unchanged = sameJoin(joinOf(draft), join ?? null);

  return (
    <form
      className="join-form"
      aria-label={`Join before ${stage}`}
      onSubmit={(event) => {
        event.preventDefault();
        void change(joinOf(draft));
      }}
    >
      <div role="radiogroup" aria-label="Threads of this stage" className="join-choices">
        {radio(
          "none",
          "No join",
          isAway
            ? `runs on the pool of its service in ${running.join(", ")}`
            : first
              ? "runs on the pool of its service"
              : "runs on the thread of the stage before it",
        )}
        {radio("pool", "A pool of the binary", "shared with what else runs there", pools.length === 0)}
        {radio("own", "Threads of its own", "with a queue before this stage only")}
      </div>
      {draft.kind === "pool" ? (
        <Field label="Pool">
          <Select
            label="Pool of the join"
            value={draft.pool}
            options={pools.map(({ pool, index }) => ({
              value: pool.name,
              label: `${pool.name} · ${threadFigures(pool.threads)} ${threadFigures(pool.threads) === "1" ? "thread" : "threads"}${
                slot && !slot.pools.includes(pool.name) ? " (after a restart)" : ""
              }`,
              swatch: poolColor(index),
              disabled: slot !== null && !slot.pools.includes(pool.name),
            }))}
            onChange={(pool) => set({ pool })}
          />
        </Field>
      ) : null}
      {draft.kind === "own" ? <OwnThreads draft={draft} set={set} /> : null}
      {slot ? (
        <p className="join-now">
          <Badge tone="live" />
          {slot.pool === null
            ? "Now on the thread of the stage before it."
            : `Now ${slot.own ? "on its own threads" : `on ${slot.pool}`}: ${slot.busy} of ${slot.threads} busy, ${slot.queued} of ${slot.queue} waiting.`}
        </p>
      ) : null}
      {refusal ? (
        <p className="join-refusal" role="alert">
          <CircleAlert size={14} aria-hidden />
          <span>
            <strong>Not changed.</strong> {refusal.reason}
            {refusal.help ? <small>{refusal.help}</small> : null}
          </span>
        </p>
      ) : null}
      <div className="join-actions">
        {join ? (
          <Button variant="ghost" disabled={busy} onClick={() => void change(null)}>
            Remove join
          </Button>
        ) : null}
        <Button type="submit" variant={unchanged ? "secondary" : "primary"} disabled={busy || unchanged}>
          {slot ? "Apply live" : "Apply"}
        </Button>
      </div>
    </form>
  );
}

function OwnThreads({ draft, set }: { draft: JoinDraft; set: (patch: Partial<JoinDraft>) => void }) {
  return (
    <>
      <Field label="Threads">
        <div className="join-threads">
          <Select
            label="Kind of thread pool"
            value={draft.threads}
            options={THREADS}
            onChange={(threads) => set({ threads })}
          />
          {draft.threads === "fixed" ? (
            <NumberField
              label="Number of threads"
              min={1}
              max={MOST_THREADS}
              value={draft.count}
              onChange={(count) => set({ count: count ?? draft.count })}
            />
          ) : null}
        </div>
      </Field>
      <Field label="Queue">
        <NumberField
          label="Events that may wait"
          min={1}
          max={LONGEST_QUEUE}
          value={draft.queue}
          onChange={(queue) => set({ queue: queue ?? draft.queue })}
        />
      </Field>
      <Field label="When full">
        <Select
          label="When the queue is full"
          value={draft.overflow}
          options={OVERFLOWS}
          onChange={(overflow) => set({ overflow })}
        />
      </Field>
    </>
  );
}
