import { Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { documentStore, edit, select, useDocument, useWorkbench } from "../../kernel/document/index.js";
import {
  addEnum,
  addMessage,
  freshEnumName,
  freshMessageName,
  oneofsOf,
} from "../../kernel/document/edits/messages.js";
import { Button, EmptyState, KindIcon } from "../../kernel/ui/index.js";
import { afterPicture } from "../../kernel/ui/whenIdle.js";
import { takenDrop } from "../../registry/feature.js";
import { CardPlace } from "./CardPlace.js";
import { EnumCard } from "./EnumCard.js";
import { MessageCard } from "./MessageCard.js";
import "./messages.css";

/** Every message and enum of the project, each a card that is edited where it stands. */
export function MessagesView() {
  const messages = useDocument((state) => state.topology.messages);
  const enums = useDocument((state) => state.topology.enums);
  const readOnly = useDocument((state) => state.readOnly);
  const revealed = useWorkbench((state) => state.revealed);
  const revealCount = useWorkbench((state) => state.revealCount);
  const [named, setNamed] = useState<string | null>(null);
  const view = useRef<HTMLElement>(null);

  useEffect(() => {
    if (revealed === null || revealCount === 0) return;
    const show = () =>
      view.current
        ?.querySelector(`[data-ref="${CSS.escape(revealed)}"]`)
        ?.scrollIntoView({ block: "nearest" });
    show();
    // The cards around it are drawn then, and not as high as their places were.
    return afterPicture(show);
  }, [revealed, revealCount]);

  const add = (kind: "message" | "enum") => {
    const { topology } = documentStore.getState();
    const name = kind === "message" ? freshMessageName(topology) : freshEnumName(topology);
    edit(`Add ${kind} ${name}`, (model) =>
      kind === "message" ? addMessage(model, name) : addEnum(model, name),
    );
    setNamed(`${kind}:${name}`);
  };
  useEffect(() => {
    if (named === null) return;
    select(named);
    const card = view.current?.querySelector(`[data-ref="${CSS.escape(named)}"]`);
    card?.scrollIntoView({ block: "nearest" });
    const input = card?.querySelector<HTMLInputElement>("input.name-input");
    input?.focus();
    input?.select();
    setNamed(null);
  }, [named]);

  const placed = (kind: "message" | "enum", name: string) => {
    const nodeRef = `${kind}:${name}`;
    const label = `${kind === "message" ? "Message" : "Enum"} ${name}`;
    return { nodeRef, label, name, wanted: named === nodeRef };
  };

  const buttons = (
    <>
      <Button icon={<Plus size={14} strokeWidth={1.75} />} disabled={readOnly} onClick={() => add("message")}>
        Add message
      </Button>
      <Button icon={<Plus size={14} strokeWidth={1.75} />} disabled={readOnly} onClick={() => add("enum")}>
        Add enum
      </Button>
    </>
  );
  return (
    <main
      className="messages-view"
      aria-label="Messages"
      data-takes-files
      ref={view}
      onDragOver={(event) => {
        if (!readOnly && event.dataTransfer.types.includes("Files")) event.preventDefault();
      }}
      onDrop={(event) => {
        if (readOnly) return;
        event.preventDefault();
        takenDrop(event.dataTransfer);
      }}
    >
      <div className="messages-head">
        <h1>Messages</h1>
        <span className="messages-count">
          {messages.length} {messages.length === 1 ? "message" : "messages"} · {enums.length}{" "}
          {enums.length === 1 ? "enum" : "enums"}
        </span>
        {buttons}
      </div>
      {messages.length + enums.length === 0 ? (
        <EmptyState
          icon={<KindIcon kind="message" size={18} />}
          title="No messages yet"
          actions={
            <Button variant="primary" disabled={readOnly} onClick={() => add("message")}>
              Add the first message
            </Button>
          }
        >
          A message is what a service takes or gives: a struct in C++, protobuf on the wire.
        </EmptyState>
      ) : (
        <div className="message-cards">
          {messages.map((message, index) => (
            <CardPlace
              key={index}
              {...placed("message", message.name)}
              rows={message.fields.length + oneofsOf(message).length}
            >
              <MessageCard message={message} index={index} />
            </CardPlace>
          ))}
          {enums.map((item, index) => (
            <CardPlace key={index} {...placed("enum", item.name)} rows={item.values.length}>
              <EnumCard item={item} index={index} />
            </CardPlace>
          ))}
        </div>
      )}
    </main>
  );
}
