import { GREATEST_INT32, LEAST_INT32, type EnumType } from "@penstock/codegen/topology";
import { Plus, Trash2 } from "lucide-react";
import { memo, useRef, useState } from "react";
import {
  addEnumValue,
  changeEnum,
  changeEnumValue,
  removeEnumValue,
} from "../../kernel/document/edits/messages.js";
import { removeMessageOrEnum } from "../../kernel/document/edits/remove.js";
import { renameDrawnValue } from "../../kernel/document/edits/rename.js";
import { edit, patched, select, useDocument } from "../../kernel/document/index.js";
import { NameField } from "../../kernel/fields/NameField.js";
import { paletteStore } from "../../kernel/server/paletteStore.js";
import { Badge, Button, IconButton, Input, KindIcon, NumberField } from "../../kernel/ui/index.js";
import { ReservedField } from "./ReservedField.js";
import { focusLastName } from "./focusLastName.js";
import { memberFault } from "./memberFault.js";
import { usesOf } from "../../drawing/queries/usersOf.js";
import { useProblemsAt } from "./useProblemsAt.js";

const icon = { size: 14, strokeWidth: 1.75 };

/** One enum: its name and its values. */
export const EnumCard = memo(function EnumCard({ item, index }: { item: EnumType; index: number }) {
  const ref = `enum:${item.name}`;
  const uses = useDocument((state) => usesOf(state.topology).get(item.name) ?? 0);
  const selected = useDocument((state) => state.selection.includes(ref));
  const readOnly = useDocument((state) => state.readOnly);
  const problems = useProblemsAt(`/enums/${index}`);
  const [fault, setFault] = useState<string>();
  const card = useRef<HTMLElement>(null);
  const change = (label: string, with_: (item: EnumType) => EnumType) =>
    edit(label, (model) => changeEnum(model, item.name, with_));
  const rename = (at: number, to: string) => {
    const from = item.values[at]?.name ?? "";
    const others = item.values.filter((_, other) => other !== at).map((value) => value.name);
    const wrong = memberFault("enum value", to, others);
    setFault(wrong);
    if (!wrong) renameDrawnValue(item.name, from, to, paletteStore.getState().palette);
  };
  return (
    <section
      ref={card}
      className="message-card"
      aria-label={`Enum ${item.name}`}
      data-ref={ref}
      data-selected={selected}
      onFocus={() => select(ref)}
      onPointerDown={() => select(ref)}
    >
      <fieldset disabled={readOnly}>
        <header>
          <KindIcon kind="enum" />
          <NameField nodeRef={ref} name={item.name} rule="enum" />
          <Badge mono title="Messages that use it">
            {uses} {uses === 1 ? "use" : "uses"}
          </Badge>
          <IconButton
            label={`Delete ${item.name}`}
            size="sm"
            icon={<Trash2 {...icon} />}
            onClick={() =>
              edit(`Delete ${item.name}`, (model) => removeMessageOrEnum(model, "enum", item.name), {
                select: [],
              })
            }
          />
        </header>
        {[...problems.own.map((problem) => problem.message), ...(fault ? [fault] : [])].map((words) => (
          <p key={words} className="inline-problem" role="alert">
            {words}
          </p>
        ))}
        <table className="fields">
          <thead>
            <tr>
              <th>Number</th>
              <th>Value</th>
              <th>
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {item.values.map((value, at) => (
              <tr key={at} data-problem={problems.within(`/values/${at}`).length > 0}>
                <td className="field-tag">
                  <NumberField
                    label={`Number of ${value.name}`}
                    min={LEAST_INT32}
                    max={GREATEST_INT32}
                    value={value.number}
                    onChange={(number) =>
                      number !== undefined &&
                      change("Set number", (other) => changeEnumValue(other, at, { number }))
                    }
                  />
                </td>
                <td className="field-name">
                  <Input
                    mono
                    aria-label={`Name of value ${at + 1}`}
                    value={value.name}
                    onChange={() => setFault(undefined)}
                    onCommit={(name) => rename(at, name)}
                  />
                  {problems.within(`/values/${at}`).map((problem, which) => (
                    <p key={which} className="inline-problem">
                      {problem.message}
                    </p>
                  ))}
                </td>
                <td className="field-actions">
                  <IconButton
                    size="sm"
                    label={`Delete value ${value.name}`}
                    icon={<Trash2 {...icon} />}
                    onClick={() => change("Delete value", (other) => removeEnumValue(other, at))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className="card-foot">
          <Button
            size="sm"
            variant="ghost"
            icon={<Plus {...icon} />}
            onClick={() => {
              change("Add value", addEnumValue);
              focusLastName(card.current);
            }}
          >
            Add value
          </Button>
          <ReservedField
            of={item.name}
            reserved={item.reserved}
            last={GREATEST_INT32}
            onChange={(reserved) => change("Set reserved", (other) => patched(other, { reserved }))}
          />
        </div>
      </fieldset>
    </section>
  );
});
