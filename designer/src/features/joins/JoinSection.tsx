import { useDocument } from "../../kernel/document/index.js";
import { TaggedSection } from "../../kernel/fields/TaggedSection.js";
import { JoinForm } from "./JoinForm.js";

/** The join before a stage, among its properties. */
export function JoinSection({ flow, stage: id }: { flow: string; stage: string }) {
  const service = useDocument(
    ({ topology }) =>
      topology.flows.find(({ name }) => name === flow)?.stages.find((stage) => stage.id === id)?.service,
  );
  return (
    <TaggedSection title={`Join before ${service ?? id}`} tag="live">
      <JoinForm flow={flow} stage={id} />
    </TaggedSection>
  );
}
