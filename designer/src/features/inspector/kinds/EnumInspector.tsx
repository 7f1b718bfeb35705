import { changeEnum } from "../../../kernel/document/edits/messages.js";
import { edit, patched, useDocument } from "../../../kernel/document/index.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { Head } from "../parts/Head.js";
import { Users } from "./MessageInspector.js";
import { Fact } from "../../../kernel/fields/Properties.js";
import { ThingProblems } from "../sections/ThingProblems.js";

/** An enum: its name, and who uses it. Its values are edited in the Messages view. */
export function EnumInspector({ name }: { name: string }) {
  const item = useDocument((state) => state.topology.enums.find((other) => other.name === name));
  if (!item) return null;
  return (
    <>
      <Head
        nodeRef={`enum:${name}`}
        name={name}
        icon="enum"
        rule="enum"
        doc={item.doc}
        onDoc={(doc) =>
          edit("Describe", (model) => changeEnum(model, name, (other) => patched(other, { doc })))
        }
      />
      <ThingProblems refs={[`enum:${name}`]} />
      <TaggedSection title="Enum" tag="rebuild">
        <Fact label="Values">{item.values.length}</Fact>
      </TaggedSection>
      <Users name={name} />
    </>
  );
}
