import type { BinaryState } from "@penstock/codegen/contract";
import { MOST_REPLICAS } from "@penstock/codegen/topology";
import { useProject } from "../../../kernel/server/projectStore.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { Field, NumberField } from "../../../kernel/ui/index.js";

/** Of a process that needs to be looked at. */
const TONES: Partial<Record<BinaryState, "bad" | "warn">> = {
  crashed: "bad",
  failed: "bad",
  unresponsive: "bad",
  restarting: "warn",
};

/** How many processes of a binary a run starts; of several, how each is. */
export function ProcessesSection({
  name,
  replicas,
  onReplicas,
}: {
  name: string;
  replicas: number | undefined;
  onReplicas: (replicas: number | undefined) => void;
}) {
  const processes = useProject((state) => state.binaries.find(({ binary }) => binary === name)?.processes);
  return (
    <TaggedSection title="Processes" tag="rebuild">
      <Field label="Replicas">
        <NumberField
          label="Replicas"
          min={1}
          max={MOST_REPLICAS}
          placeholder="1"
          value={replicas}
          onChange={(next) => onReplicas(next === 1 ? undefined : next)}
        />
      </Field>
      {processes === undefined ? (
        <p className="hint">Processes that a run starts. Callers share their calls out between them.</p>
      ) : (
        <ul className="item-list">
          {processes.map((one) => (
            <li key={one.name} className="item" title={one.detail}>
              <span>{one.name}</span>
              <span className="mono item-figure" data-tone={TONES[one.state] ?? ""}>
                {one.state}
                {one.pid === null ? "" : ` · ${one.pid}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </TaggedSection>
  );
}
