import type { Message } from "@penstock/codegen/topology";
import { useState } from "react";
import { changeMessage, oneofsOf, renameOneof } from "../../kernel/document/edits/messages.js";
import { edit } from "../../kernel/document/index.js";
import { Input } from "../../kernel/ui/index.js";
import { memberFault } from "./memberFault.js";

/** The oneofs of a message by their names, with their members. */
export function OneofNames({ message }: { message: Message }) {
  return oneofsOf(message).map((name) => <OneofName key={name} message={message} name={name} />);
}

function OneofName({ message, name }: { message: Message; name: string }) {
  const [fault, setFault] = useState<string>();
  const members = message.fields.filter(({ oneof }) => oneof === name);
  const rename = (to: string) => {
    const others = [
      ...message.fields.map((field) => field.name),
      ...oneofsOf(message).filter((one) => one !== name),
    ];
    const wrong = memberFault("field", to, others);
    setFault(wrong);
    if (!wrong)
      edit(`Rename to ${to}`, (model) =>
        changeMessage(model, message.name, (item) => renameOneof(item, name, to)),
      );
  };
  return (
    <label className="member-line">
      <span>One of</span>
      <Input
        mono
        aria-label={`Name of oneof ${name}`}
        value={name}
        error={fault}
        onChange={() => setFault(undefined)}
        onCommit={rename}
      />
      <span className="mono member-names">{members.map((field) => field.name).join(" | ")}</span>
    </label>
  );
}
