import { STAGE_ROLES } from "@penstock/codegen/topology";
import { Trash2 } from "lucide-react";
import { useId } from "react";
import { removeFromFlow } from "../../../drawing/edits/remove.js";
import { changeStage, setAfter, setWhen } from "../../../kernel/document/edits/flows.js";
import { edit, useDocument } from "../../../kernel/document/index.js";
import { Sections } from "../../../registry/Sections.js";
import { Field, IconButton, TextArea } from "../../../kernel/ui/index.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { ChoiceField, Fact, worded } from "../../../kernel/fields/Properties.js";
import { StageIdField } from "../parts/StageIdField.js";
import { branchTicks, followTicks } from "./stageTicks.js";
import { TickField } from "./TickField.js";

const ROLES = STAGE_ROLES.map((role) => ({ value: role, label: worded(role) }));

/** The place a service has in a flow: its id, what it is for there, its role, what it follows and when. */
export function StageSection({ flow, stage: id }: { flow: string; stage: string }) {
  const topology = useDocument((state) => state.topology);
  const docId = useId();
  const found = topology.flows.find((item) => item.name === flow);
  const stage = found?.stages.find((item) => item.id === id);
  if (!found || !stage) return null;
  const follows = followTicks(topology, found, id);
  const values = branchTicks(topology, found, id);
  return (
    <>
      <TaggedSection
        title={`Stage of ${flow}`}
        tag="rebuild"
        action={
          <IconButton
            label={`Take out of ${flow}`}
            size="sm"
            icon={<Trash2 size={14} strokeWidth={1.75} />}
            onClick={() => removeFromFlow(flow, id)}
          />
        }
      >
        <StageIdField flow={flow} id={id} />
        <Field label="Description" htmlFor={docId}>
          <TextArea
            id={docId}
            placeholder="What it is for here"
            rows={1}
            value={stage.doc ?? ""}
            onCommit={(text) =>
              edit("Describe", (model) => changeStage(model, flow, id, { doc: text.trim() || undefined }))
            }
          />
        </Field>
        <ChoiceField
          label="Role"
          value={stage.role}
          options={ROLES}
          onChange={(role) => edit(`Make ${id} ${role}`, (model) => changeStage(model, flow, id, { role }))}
        />
        {follows.length > 0 ? (
          <TickField
            label="Follows"
            ticks={follows}
            keepOne
            onChange={(others) => edit(`Lead into ${id}`, (model) => setAfter(model, flow, id, others))}
          />
        ) : (
          <Fact label="Follows">the source</Fact>
        )}
        {values.length > 0 ? (
          <TickField
            label="When"
            ticks={values}
            onChange={(names) => edit("Set branch", (model) => setWhen(model, flow, id, names))}
          />
        ) : null}
      </TaggedSection>
      <Sections at="stage" of={{ flow, stage: id }} />
    </>
  );
}
