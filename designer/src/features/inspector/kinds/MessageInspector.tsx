import { usersOf } from "../../../drawing/queries/usersOf.js";
import { changeMessage } from "../../../kernel/document/edits/messages.js";
import { edit, patched, reveal, useDocument } from "../../../kernel/document/index.js";
import { useSourceIcon } from "../../../kernel/server/usePalette.js";
import { KindIcon } from "../../../kernel/ui/index.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { Head } from "../parts/Head.js";
import { Fact } from "../../../kernel/fields/Properties.js";
import { ThingProblems } from "../sections/ThingProblems.js";

/** A message: its name, and who uses it. Its fields are edited in the Messages view. */
export function MessageInspector({ name }: { name: string }) {
  const message = useDocument((state) => state.topology.messages.find((item) => item.name === name));
  if (!message) return null;
  return (
    <>
      <Head
        nodeRef={`message:${name}`}
        name={name}
        icon="message"
        rule="message"
        doc={message.doc}
        onDoc={(doc) =>
          edit("Describe", (model) => changeMessage(model, name, (item) => patched(item, { doc })))
        }
      />
      <ThingProblems refs={[`message:${name}`]} />
      <TaggedSection title="Message" tag="rebuild">
        <Fact label="Fields">{message.fields.length}</Fact>
      </TaggedSection>
      <Users name={name} />
    </>
  );
}

/** Everything that mentions a type. */
export function Users({ name }: { name: string }) {
  const topology = useDocument((state) => state.topology);
  const users = usersOf(topology, name, useSourceIcon());
  return (
    <TaggedSection title="Used by">
      {users.length === 0 ? <p className="hint">Nothing yet.</p> : null}
      <ul className="item-list">
        {users.map((user) => (
          <li key={`${user.ref}${user.how}`} className="item">
            <button type="button" className="item-link" onClick={() => reveal(user.ref)}>
              <KindIcon kind={user.icon} />
              {user.label}
              <span className="item-figure">{user.how}</span>
            </button>
          </li>
        ))}
      </ul>
    </TaggedSection>
  );
}
