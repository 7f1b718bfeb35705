import type { BinaryState, ProcessStatus } from "@penstock/codegen/contract";
import { MOST_REPLICAS } from "@penstock/codegen/topology";
import { Plug, Unplug } from "lucide-react";
import { runCommand } from "../../../registry/commands.js";
import { drawnName } from "../../../kernel/live/liveStore.js";
import { detach } from "../../../kernel/run/attached.js";
import { useProject } from "../../../kernel/server/projectStore.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { byDefault, Field, IconButton, NumberField } from "../../../kernel/ui/index.js";

/** Of a process that needs to be looked at. */
const TONES: Partial<Record<BinaryState, "bad" | "warn">> = {
  crashed: "bad",
  failed: "bad",
  unresponsive: "bad",
  restarting: "warn",
  lost: "warn",
};

/** Without a number where something else started it: that may be one of another host. */
function figureOf({ state, pid, attached }: ProcessStatus): string {
  if (attached) return state === "lost" ? "no answer" : "attached";
  return pid === null ? state : `${state} · ${pid}`;
}

/** How many processes of a binary a run starts, and what is attached; of several, how each is. */
export function ProcessesSection({
  name,
  replicas,
  onReplicas,
}: {
  name: string;
  replicas: number | undefined;
  onReplicas: (replicas: number | undefined) => void;
}) {
  const processes = useProject(
    (state) => state.binaries.find(({ binary }) => drawnName(binary) === name)?.processes,
  );
  return (
    <TaggedSection
      title="Processes"
      tag="rebuild"
      action={
        <IconButton
          size="sm"
          label="Attach a process…"
          icon={<Plug size={14} strokeWidth={1.75} />}
          onClick={() => void runCommand("run.attach")}
        />
      }
    >
      <Field label="Replicas">
        <NumberField
          label="Replicas"
          min={1}
          max={MOST_REPLICAS}
          placeholder={byDefault(1)}
          value={replicas}
          onChange={(next) => onReplicas(next === 1 ? undefined : next)}
        />
      </Field>
      {processes === undefined ? (
        <p className="hint">Processes that a run starts. Callers share their calls out between them.</p>
      ) : (
        <ul className="item-list">
          {processes.map((one) => (
            <li
              key={one.name}
              className="item"
              title={one.detail || (one.attached ? `at ${one.control}` : "")}
            >
              <span className="grow">{one.name}</span>
              <span className="mono item-figure" data-tone={TONES[one.state] ?? ""}>
                {figureOf(one)}
              </span>
              {one.attached ? (
                <IconButton
                  size="sm"
                  label={`Detach ${one.name}`}
                  icon={<Unplug size={14} strokeWidth={1.75} />}
                  onClick={() => void detach(one.name)}
                />
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </TaggedSection>
  );
}
