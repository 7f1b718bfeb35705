import {
  ENCODED_TYPES,
  KEY_TYPES,
  LAST_TAG,
  LONGEST_ARRAY,
  canPack,
  encodedType,
  type Field,
  type KeyType,
  type Message,
  type Topology,
} from "@penstock/codegen/topology";
import type { Problem } from "@penstock/codegen/diagnostics";
import { useState, type ReactNode } from "react";
import { changeField, changeMessage, freshOneof, oneofsOf } from "../../kernel/document/edits/messages.js";
import { renameDrawnField } from "../../kernel/document/edits/rename.js";
import { edit, useDocument } from "../../kernel/document/index.js";
import { paletteStore } from "../../kernel/server/paletteStore.js";
import { Input, NumberField, Select, type SelectOption } from "../../kernel/ui/index.js";
import { memberFault } from "./memberFault.js";
import { TypeSelect } from "./TypeSelect.js";

type Shape = "one" | "optional" | "oneof" | "repeated" | "unpacked" | "map" | "array";
const SHAPES: readonly SelectOption<Shape>[] = [
  { value: "one", label: "one" },
  { value: "optional", label: "optional" },
  { value: "oneof", label: "one of" },
  { value: "repeated", label: "repeated" },
  { value: "unpacked", label: "unpacked" },
  { value: "map", label: "map by" },
  { value: "array", label: "array of" },
];

const KEYS = KEY_TYPES.map((value): SelectOption<KeyType> => ({ value, label: value }));

const shapeOf = (field: Field): Shape =>
  field.key !== undefined
    ? "map"
    : field.repeated
      ? field.packed === false
        ? "unpacked"
        : "repeated"
      : field.optional
        ? field.oneof === undefined
          ? "optional"
          : "oneof"
        : field.length !== undefined
          ? "array"
          : "one";

/** The keys that say how many, and that only some of them have. */
const shaped = (
  shape: Shape,
  oneof: string,
): { [K in "repeated" | "packed" | "optional" | "length" | "key" | "oneof"]?: Field[K] | undefined } => ({
  oneof: shape === "oneof" ? oneof : undefined,
  key: shape === "map" ? "string" : undefined,
  repeated: shape === "repeated" || shape === "unpacked" || shape === "map" ? true : undefined,
  packed: shape === "unpacked" ? false : undefined,
  optional: shape === "optional" || shape === "oneof" ? true : undefined,
  length: shape === "array" ? 4 : undefined,
});

/** The oneof that a field joins at first: that of a field above, else the first, else a new one. */
const nearestOneof = (message: Message, index: number): string =>
  message.fields.slice(0, index).findLast(({ oneof }) => oneof !== undefined)?.oneof ??
  oneofsOf(message)[0] ??
  freshOneof(message);

const canPackList = (type: string, enums: Topology["enums"]): boolean =>
  canPack(
    { name: "", tag: 1, type, repeated: true },
    { has: (name) => enums.some((item) => item.name === name) },
  );

/** No name of a oneof. */
const ANOTHER = "";

export interface FieldRowProps {
  message: Message;
  field: Field;
  index: number;
  problems: readonly Problem[];
  actions: ReactNode;
  /** Enter in the name of the last field goes on to a new one. */
  onNext: (() => void) | undefined;
}

/** One field of a message. */
export function FieldRow({ message, field, index, problems, actions, onNext }: FieldRowProps) {
  const enums = useDocument((state) => state.topology.enums);
  const [refused, setRefused] = useState<{ of: string; why: string }>();
  const fault = refused?.of === field.name ? refused.why : undefined;
  const faultOf = (name: string) =>
    memberFault(
      "field",
      name,
      message.fields.filter((_, at) => at !== index).map((other) => other.name),
    );
  const set = (label: string, patch: { [K in keyof Field]?: Field[K] | undefined }) =>
    edit(label, (model) => changeMessage(model, message.name, (item) => changeField(item, index, patch)));
  const rename = (name: string) => {
    const wrong = faultOf(name);
    setRefused(wrong ? { of: field.name, why: wrong } : undefined);
    if (!wrong) renameDrawnField(message.name, field.name, name, paletteStore.getState().palette);
  };
  const setType = (type: string) => {
    const next = { type, encoding: undefined, ...ENCODED_TYPES[type] };
    set("Set type", canPackList(next.type, enums) ? next : { ...next, packed: undefined });
  };
  const shape = shapeOf(field);
  const oneofs = oneofsOf(message);
  return (
    <>
      <tr data-problem={problems.length > 0 || fault !== undefined}>
        <td className="field-tag">
          <NumberField
            label={`Tag of ${field.name}`}
            min={1}
            max={LAST_TAG}
            value={field.tag}
            onChange={(tag) => tag !== undefined && set("Set tag", { tag })}
          />
        </td>
        <td className="field-name">
          <Input
            mono
            aria-label={`Name of field ${index + 1}`}
            value={field.name}
            onChange={() => setRefused(undefined)}
            onCommit={rename}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || !onNext || faultOf(event.currentTarget.value)) return;
              // After the field's own handler has taken the name over.
              const next = onNext;
              queueMicrotask(next);
            }}
          />
        </td>
        <td className="field-type">
          <TypeSelect label={`Type of ${field.name}`} type={encodedType(field)} onChange={setType} />
        </td>
        <td className="field-shape">
          <span className="shape">
            <Select
              label={`How many of ${field.name}`}
              value={shape}
              options={SHAPES.filter(
                ({ value }) => value !== "unpacked" || shape === value || canPackList(field.type, enums),
              )}
              onChange={(next) => set("Set how many", shaped(next, nearestOneof(message, index)))}
            />
            {shape === "array" ? (
              <NumberField
                label={`Length of ${field.name}`}
                min={1}
                max={LONGEST_ARRAY}
                value={field.length}
                onChange={(length) => length !== undefined && set("Set length", { length })}
              />
            ) : null}
            {shape === "map" ? (
              <Select
                mono
                label={`Key of ${field.name}`}
                value={field.key ?? "string"}
                options={KEYS}
                onChange={(key) => set("Set key", { key })}
              />
            ) : null}
            {shape === "oneof" ? (
              <Select
                mono
                label={`Oneof of ${field.name}`}
                value={field.oneof ?? ""}
                options={[
                  ...oneofs.map((value) => ({ value, label: value })),
                  { value: ANOTHER, label: "another" },
                ]}
                onChange={(oneof) =>
                  set("Set oneof", { oneof: oneof === ANOTHER ? freshOneof(message) : oneof })
                }
              />
            ) : null}
          </span>
        </td>
        <td className="field-actions">{actions}</td>
      </tr>
      {fault !== undefined || problems.length > 0 ? (
        <tr className="field-problems">
          <td />
          <td colSpan={4}>
            {fault ? (
              <p className="inline-problem" role="alert">
                {fault}
              </p>
            ) : null}
            {problems.map((problem, at) => (
              <p key={at} className="inline-problem" data-severity={problem.severity}>
                {problem.message}
              </p>
            ))}
          </td>
        </tr>
      ) : null}
    </>
  );
}
