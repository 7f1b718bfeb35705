import { LAST_TAG, type Message } from "@penstock/codegen/topology";
import { ChevronDown, ChevronUp, Plus, Trash2 } from "lucide-react";
import { memo, useRef } from "react";
import { removeMessageOrEnum } from "../../kernel/document/edits/remove.js";
import { addField, changeMessage, moved, removeField } from "../../kernel/document/edits/messages.js";
import { edit, patched, select, useDocument } from "../../kernel/document/index.js";
import { NameField } from "../../kernel/fields/NameField.js";
import { Badge, Button, IconButton, KindIcon } from "../../kernel/ui/index.js";
import { FieldRow } from "./FieldRow.js";
import { OneofNames } from "./OneofNames.js";
import { ReservedField } from "./ReservedField.js";
import { usesOf } from "../../drawing/queries/usersOf.js";
import { focusLastName } from "./focusLastName.js";
import { useProblemsAt } from "./useProblemsAt.js";

const icon = { size: 14, strokeWidth: 1.75 };

/** One message: its name, and its fields as rows of a table. It is drawn anew when it is another one, not with each edit. */
export const MessageCard = memo(function MessageCard({
  message,
  index,
}: {
  message: Message;
  index: number;
}) {
  const ref = `message:${message.name}`;
  const uses = useDocument((state) => usesOf(state.topology).get(message.name) ?? 0);
  const selected = useDocument((state) => state.selection.includes(ref));
  const readOnly = useDocument((state) => state.readOnly);
  const problems = useProblemsAt(`/messages/${index}`);
  const card = useRef<HTMLElement>(null);
  const change = (label: string, with_: (message: Message) => Message) =>
    edit(label, (model) => changeMessage(model, message.name, with_));
  const add = () => {
    change("Add field", (item) => addField(item));
    focusLastName(card.current);
  };
  return (
    <section
      ref={card}
      className="message-card"
      aria-label={`Message ${message.name}`}
      data-ref={ref}
      data-selected={selected}
      onFocus={() => select(ref)}
      onPointerDown={() => select(ref)}
    >
      <fieldset disabled={readOnly}>
        <header>
          <KindIcon kind="message" />
          <NameField nodeRef={ref} name={message.name} rule="message" />
          <Badge mono title="Services, flows and messages that use it">
            {uses} {uses === 1 ? "use" : "uses"}
          </Badge>
          <IconButton
            label={`Delete ${message.name}`}
            size="sm"
            icon={<Trash2 {...icon} />}
            onClick={() =>
              edit(`Delete ${message.name}`, (model) => removeMessageOrEnum(model, "message", message.name), {
                select: [],
              })
            }
          />
        </header>
        {problems.own.map((problem, at) => (
          <p key={at} className="inline-problem" role="alert">
            {problem.message}
          </p>
        ))}
        <table className="fields">
          <thead>
            <tr>
              <th>Tag</th>
              <th>Field</th>
              <th>Type</th>
              <th>How many</th>
              <th>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {message.fields.map((field, at) => (
              <FieldRow
                key={at}
                message={message}
                field={field}
                index={at}
                problems={problems.within(`/fields/${at}`)}
                actions={
                  <>
                    <IconButton
                      size="sm"
                      label={`Move ${field.name} up`}
                      disabled={at === 0}
                      icon={<ChevronUp {...icon} />}
                      onClick={() =>
                        change("Move field", (item) => ({ ...item, fields: moved(item.fields, at, at - 1) }))
                      }
                    />
                    <IconButton
                      size="sm"
                      label={`Move ${field.name} down`}
                      disabled={at === message.fields.length - 1}
                      icon={<ChevronDown {...icon} />}
                      onClick={() =>
                        change("Move field", (item) => ({ ...item, fields: moved(item.fields, at, at + 1) }))
                      }
                    />
                    <IconButton
                      size="sm"
                      label={`Delete field ${field.name}`}
                      icon={<Trash2 {...icon} />}
                      onClick={() => change("Delete field", (item) => removeField(item, at))}
                    />
                  </>
                }
                onNext={at === message.fields.length - 1 ? add : undefined}
              />
            ))}
          </tbody>
        </table>
        <OneofNames message={message} />
        <div className="card-foot">
          <Button size="sm" variant="ghost" icon={<Plus {...icon} />} onClick={add}>
            Add field
          </Button>
          <ReservedField
            of={message.name}
            reserved={message.reserved}
            last={LAST_TAG}
            onChange={(reserved) => change("Set reserved", (item) => patched(item, { reserved }))}
          />
        </div>
      </fieldset>
    </section>
  );
});
