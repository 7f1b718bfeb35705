import { useDocument } from "../../kernel/document/index.js";
import { TaggedSection } from "../../kernel/fields/TaggedSection.js";
import { JoinForm } from "./JoinForm.js";
import { stageHome } from "./stageHome.js";

/** The join before a stage, among its properties. */
export function JoinSection({ flow, stage: id }: { flow: string; stage: string }) {
  const service = useDocument(
    ({ topology }) =>
      topology.flows.find(({ name }) => name === flow)?.stages.find((stage) => stage.id === id)?.service,
  );
  // That of a stage which another binary runs is changed by a build alone.
  const isHere = useDocument(({ topology }) => stageHome(topology, flow, service ?? "").isHere);
  return (
    <TaggedSection title={`Join before ${service ?? id}`} tag={isHere ? "live" : "rebuild"}>
      <JoinForm flow={flow} stage={id} />
    </TaggedSection>
  );
}
