import { useState } from "react";
import { useSampling } from "../../../kernel/live/hooks.js";
import { Field, NumberField } from "../../../kernel/ui/index.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { ApplyForm } from "../parts/ApplyForm.js";
import { applyLive } from "../../../kernel/run/applyCommand.js";

const ALL = 128;

/** How many events a running binary samples. Nothing of it is drawn: the next start has the default again. */
export function SamplingSection({ binary }: { binary: string }) {
  const sampling = useSampling(binary);
  if (sampling === null) return null;
  return (
    <TaggedSection title="Sampling" tag="live">
      {/* What was typed counts until the binary says something new. */}
      <SamplingForm key={sampling} binary={binary} sampling={sampling} />
      <p className="hint">
        Latencies, and ways in the dock&apos;s tab Trace, are those of the sampled events and calls; 0 samples
        none. It holds until the binary stops.
      </p>
    </TaggedSection>
  );
}

function SamplingForm({ binary, sampling }: { binary: string; sampling: number }) {
  const [draft, setDraft] = useState<number>();
  const [busy, setBusy] = useState(false);
  const wanted = draft ?? sampling;
  const apply = async () => {
    setBusy(true);
    const done = await applyLive(binary, "sampling.set", { per128: wanted });
    setBusy(false);
    if (!done) setDraft(undefined);
  };
  return (
    <Field label="Sampled">
      <ApplyForm differs={wanted !== sampling} busy={busy} onApply={apply}>
        <NumberField
          label={`Sampled events of ${ALL}`}
          unit={`of ${ALL}`}
          min={0}
          max={ALL}
          value={wanted}
          onChange={setDraft}
        />
      </ApplyForm>
    </Field>
  );
}
