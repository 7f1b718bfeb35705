import { type Topology, FAILURE } from "@penstock/codegen/topology";
import { useId, type ReactNode } from "react";
import { edit, reveal, useDocument } from "../document/index.js";
import { addMessage, freshMessageName } from "../document/edits/messages.js";
import type { DocumentModel } from "../document/model.js";
import { Field, Input, Select, type SelectOption } from "../ui/index.js";

const NEW = "+new";
const NONE = "+none";

export interface MessageFieldProps {
  label: string;
  value: string | undefined;
  /** Whether leaving it out is allowed, and what that is called. */
  none?: string;
  /** The edit that sets it; undefined takes it out. */
  set: (model: DocumentModel, name: string | undefined) => DocumentModel;
}

/** Chooses a message, or makes one on the spot. */
export function MessageField({ label, value, none, set }: MessageFieldProps) {
  const topology = useDocument((state) => state.topology);
  const id = useId();
  const options = messageOptions(topology, value, none);
  return (
    <Field label={label} htmlFor={id}>
      <Select
        id={id}
        label={label}
        mono
        value={value || (none === undefined ? "" : NONE)}
        placeholder="Choose a message"
        options={options}
        onChange={(choice) => {
          if (choice !== NEW) {
            edit(`Set ${label.toLowerCase()}`, (model) => set(model, choice === NONE ? undefined : choice));
            return;
          }
          const name = freshMessageName(topology);
          edit(`Add message ${name}`, (model) => set(addMessage(model, name), name));
          reveal(`message:${name}`);
        }}
      />
    </Field>
  );
}

function messageOptions(
  topology: Topology,
  value: string | undefined,
  none: string | undefined,
): SelectOption[] {
  const names = [...topology.messages.map((message) => message.name), FAILURE];
  const options: SelectOption[] = none === undefined ? [] : [{ value: NONE, label: none }];
  if (value && !names.includes(value)) options.push({ value, label: `${value} (missing)` });
  for (const name of names) options.push({ value: name, label: name });
  options.push({ value: NEW, label: "New message…" });
  return options;
}

/** A property that is one of a few words. */
export function ChoiceField<V extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: V;
  options: readonly SelectOption<V>[];
  onChange: (value: V) => void;
}) {
  const id = useId();
  return (
    <Field label={label} htmlFor={id}>
      <Select id={id} label={label} value={value} options={options} onChange={onChange} />
    </Field>
  );
}

/** A line of figures or words that cannot be edited. */
export const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <Field label={label}>
    <span className="mono fact">{children}</span>
  </Field>
);

/** `sync-remote` -> `Sync remote`. */
export const worded = (value: string): string => {
  const words = value.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** One line of text as a property, for what has no better widget. */
export function TextField({
  label,
  value,
  placeholder,
  onCommit,
}: {
  label: string;
  value: string;
  placeholder?: string;
  onCommit: (value: string) => void;
}) {
  return (
    <Field label={label}>
      <Input mono aria-label={label} value={value} placeholder={placeholder} onCommit={onCommit} />
    </Field>
  );
}

/** Several words in one line, with spaces or commas between them. */
export const WordsField = ({
  label,
  words,
  placeholder,
  onCommit,
}: {
  label: string;
  words: readonly string[];
  placeholder?: string;
  onCommit: (words: string[]) => void;
}) => (
  <TextField
    label={label}
    value={words.join(" ")}
    {...(placeholder === undefined ? {} : { placeholder })}
    onCommit={(text) => onCommit(text.split(/[\s,]+/).filter(Boolean))}
  />
);
