import { keepsRate, RATE_SETTING, type SourceManifest } from "@penstock/codegen/sources";
import { FASTEST_RATE, rateOf, type Source } from "@penstock/codegen/topology";
import { useMemo, useState } from "react";
import { formatRate, words } from "../../../kernel/live/figures/format.js";
import { sliced, useSlice } from "../../../kernel/live/hooks.js";
import { rateToAsk, rateWords } from "../../../kernel/run/pendingLive.js";
import { useProject } from "../../../kernel/server/projectStore.js";
import { Field, NumberField } from "../../../kernel/ui/index.js";
import { ApplyForm } from "../parts/ApplyForm.js";
import { changeRate, hasRate, runningSources, type RunningSource } from "../../../kernel/run/changeRate.js";
import { Fact } from "../../../kernel/fields/Properties.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";

/** Events a second, or lines of a file at most, and Apply, with asked and actual beneath while it runs. */
export function RateSection({
  flow,
  source,
  manifest,
}: {
  flow: string;
  source: Source;
  /** Of a source that keeps a rate, which can change while it runs. */
  manifest: SourceManifest;
}) {
  const sources = useRunningSources(flow);
  // A source that was drawn as another kind since it runs comes into force with a build, rate and all.
  const running = sources.filter(({ kind }) => kind === source.kind);
  const binaries = useProject((state) => state.binaries);
  const [draft, setDraft] = useState<{ perSecond: number | undefined }>();
  const isOptional = keepsRate(manifest) === "may";
  const drawn = rateOf(source);
  const wanted = draft ? draft.perSecond : drawn;
  const inForce = running.every((one) => hasRate(one, wanted, { binaries }));
  const apply = async () => {
    await changeRate(flow, wanted);
    setDraft(undefined);
  };
  return (
    <TaggedSection title="Rate" tag={sources.length > running.length ? "rebuild" : "live"}>
      <Field label={isOptional ? "At most" : "Events"}>
        <ApplyForm differs={wanted !== drawn || !inForce} onApply={apply}>
          <NumberField
            label={manifest.settings.properties[RATE_SETTING]?.title ?? "Events per second"}
            unit="/s"
            fractions
            min={0}
            max={FASTEST_RATE}
            {...(isOptional ? { placeholder: "as they come" } : {})}
            value={wanted}
            // Only one that reads can do without: events are made at some rate.
            onChange={(perSecond) =>
              setDraft(isOptional || perSecond !== undefined ? { perSecond } : undefined)
            }
          />
        </ApplyForm>
      </Field>
      {running.length > 0 ? <Actual running={running} isOptional={isOptional} /> : null}
    </TaggedSection>
  );
}

const NONE: readonly RunningSource[] = [];

/** That nothing runs it any more shows at once. */
const oneAtLeast = (sources: RunningSource[]): RunningSource[] | null =>
  sources.length === 0 ? null : sources;

function useRunningSources(flow: string): readonly RunningSource[] {
  const sources = useSlice(useMemo(() => sliced(() => oneAtLeast(runningSources(flow))), [flow]));
  return sources ?? NONE;
}

/** The events of all binaries that run it together. */
function Actual({ running, isOptional }: { running: readonly RunningSource[]; isOptional: boolean }) {
  const asked = running.reduce((sum, one) => Math.min(FASTEST_RATE, sum + rateToAsk(one.perSecond)), 0);
  const made = running.reduce((sum, one) => sum + one.emitted, 0);
  return (
    <Fact label="Actual">
      {isOptional ? rateWords(asked) : asked} asked · {words(formatRate(made))} made
    </Fact>
  );
}
