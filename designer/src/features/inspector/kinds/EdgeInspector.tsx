import { Trash2 } from "lucide-react";
import { parseEdgeId } from "../../../kernel/document/edgeIds.js";
import { removeThings } from "../../../drawing/edits/remove.js";
import { binariesOf, binariesOfFlow } from "../../../kernel/document/edits/binaries.js";
import { nodeOfService } from "../../../kernel/document/edits/flows.js";
import { reveal, useDocument } from "../../../kernel/document/index.js";
import { Button, KindIcon } from "../../../kernel/ui/index.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { LinkSection } from "../sections/LinkSection.js";
import { StageSection } from "../sections/StageSection.js";

/** A call, or the way into a stage with its join. */
export function EdgeInspector({ id }: { id: string }) {
  const topology = useDocument((state) => state.topology);
  const edge = parseEdgeId(id);
  if (!edge) return null;
  const remove = (
    <TaggedSection title="Line">
      <Button
        size="sm"
        variant="danger"
        icon={<Trash2 size={14} strokeWidth={1.75} />}
        onClick={() => removeThings([id])}
      >
        {edge.kind === "call" ? "Remove the call" : "Take the line out"}
      </Button>
    </TaggedSection>
  );
  if (edge.kind !== "call") {
    const flow = topology.flows.find(({ name }) => name === edge.flow);
    const into = flow?.stages.find(({ id: stage }) => stage === edge.stage);
    return (
      <>
        <header className="inspector-head">
          <div className="inspector-title">
            <strong>
              {edge.flow} → {edge.stage}
            </strong>
          </div>
        </header>
        <StageSection flow={edge.flow} stage={edge.stage} />
        <LinkSection from={binariesOfFlow(topology, edge.flow)} service={into?.service ?? ""} />
        {remove}
      </>
    );
  }
  const services = [edge.from, edge.to].map((name) => topology.services.find((item) => item.name === name));
  return (
    <>
      <header className="inspector-head">
        <div className="inspector-title">
          <strong>
            {edge.from} asks {edge.to}
          </strong>
        </div>
        <p className="hint">
          {services[1]?.request} → {services[1]?.response ?? "nothing"}
        </p>
      </header>
      <TaggedSection title="Ends">
        <ul className="item-list">
          {services.map((service) =>
            service ? (
              <li key={service.name} className="item">
                <button
                  type="button"
                  className="item-link"
                  onClick={() => reveal(nodeOfService(topology, service.name))}
                >
                  <KindIcon kind={service.kind} />
                  {service.name}
                </button>
              </li>
            ) : null,
          )}
        </ul>
      </TaggedSection>
      <LinkSection from={binariesOf(topology, edge.from)} service={edge.to} />
      {remove}
    </>
  );
}
