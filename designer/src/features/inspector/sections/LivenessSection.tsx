import {
  DEFAULT_LIVENESS,
  LIVENESS_LABELS,
  LONGEST_SILENCE_MS,
  SHORTEST_SILENCE_MS,
  type Liveness,
} from "@penstock/codegen/topology";
import { patched } from "../../../kernel/document/index.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { useProblems } from "../../../kernel/problems/problemStore.js";
import { byDefault, Field, NumberField } from "../../../kernel/ui/index.js";

const FIELDS: readonly { key: keyof Liveness; says: string }[] = [
  { key: "pingMs", says: "Ask the other end each" },
  { key: "lostMs", says: "Take a silent link for lost after" },
  { key: "hostLostMs", says: "Take another host for lost after" },
];

/** When the links of a binary, those that it makes and those that it takes, are taken for lost. */
export function LivenessSection({
  liveness = {},
  pointer,
  onChange,
}: {
  liveness: Liveness | undefined;
  /** Where it stands in the drawing. */
  pointer: string;
  onChange: (liveness: Liveness | undefined) => void;
}) {
  const problems = useProblems();
  return (
    <TaggedSection title="Links" tag="rebuild">
      {FIELDS.map(({ key, says }) => (
        <Field key={key} label={LIVENESS_LABELS[key]}>
          <NumberField
            label={says}
            unit="ms"
            min={SHORTEST_SILENCE_MS}
            max={LONGEST_SILENCE_MS}
            placeholder={byDefault(DEFAULT_LIVENESS[key])}
            value={liveness[key]}
            error={problems.find((problem) => problem.pointer === `${pointer}/${key}`)?.message}
            onChange={(ms) => {
              const next = patched(liveness, { [key]: ms });
              onChange(Object.keys(next).length > 0 ? next : undefined);
            }}
          />
        </Field>
      ))}
      <p className="hint">
        A silent link is lost, but not while a call is under way there. Another host is lost, with its calls,
        when it acknowledges or takes nothing: over UDP that is the process itself, so more than its longest
        handler takes.
      </p>
    </TaggedSection>
  );
}
