import { rateTimes } from "@penstock/codegen/contract";
import { keepsRate, RATE_SETTING, type SourceManifest } from "@penstock/codegen/sources";
import { FASTEST_RATE, rateOf, type Source } from "@penstock/codegen/topology";
import { useState } from "react";
import { setRate } from "../../../kernel/document/edits/flows.js";
import { binariesOfFlow } from "../../../kernel/document/edits/binaries.js";
import { edit, useDocument } from "../../../kernel/document/index.js";
import { formatRate, words } from "../../../kernel/live/figures/format.js";
import { useFlowFigures, useHeard } from "../../../kernel/live/hooks.js";
import { rateToAsk, rateWords } from "../../../kernel/run/pendingLive.js";
import { processesOf, useProject } from "../../../kernel/server/projectStore.js";
import { Field, NumberField } from "../../../kernel/ui/index.js";
import { ApplyForm } from "../parts/ApplyForm.js";
import { applyLive } from "../../../kernel/run/applyCommand.js";
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
  const latest = useFlowFigures(flow);
  // A source that was drawn as another kind since it runs comes into force with a build, rate and all.
  const figures = latest?.source === source.kind ? latest : null;
  const topology = useDocument((state) => state.topology);
  const [draft, setDraft] = useState<{ perSecond: number | undefined }>();
  const isOptional = keepsRate(manifest) === "may";
  const drawn = rateOf(source);
  const wanted = draft ? draft.perSecond : drawn;
  const binary = binariesOfFlow(topology, flow)[0]?.name;
  const processes = useProject((state) => processesOf(state, binary ?? ""));
  // Each process has the rate that is drawn, and what is asked for is that of all.
  const asked = rateTimes(rateToAsk(wanted), processes);
  const isHeard = useHeard(binary ?? "");
  const inForce = figures === null || !isHeard || rateToAsk(figures.perSecond) === asked;
  const draw = () => void edit("Set rate", (model) => setRate(model, flow, wanted));
  const apply = async () => {
    if (!inForce && binary !== undefined)
      await applyLive(binary, "source.set", { flow, perSecond: asked }, draw);
    else draw();
    setDraft(undefined);
  };
  return (
    <TaggedSection title="Rate" tag={latest && !figures ? "rebuild" : "live"}>
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
      {figures ? (
        <Fact label="Actual">
          {isOptional ? rateWords(figures.perSecond) : figures.perSecond} asked ·{" "}
          {words(formatRate(figures.emitted))} made
        </Fact>
      ) : null}
    </TaggedSection>
  );
}
