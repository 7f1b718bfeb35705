import { Plus, X } from "lucide-react";
import { Button, IconButton, Select } from "../../kernel/ui/index.js";
import { useDocument } from "../../kernel/document/index.js";
import type { ComponentType } from "react";
import { fieldNames, firstGenerator } from "./choices.js";
import { firstValue } from "../../drawing/edits/freshNode.js";
import { Fault } from "./Fault.js";
import type { SettingProps } from "./settingProps.js";

const icon = { size: 13, strokeWidth: 1.75 };

/** Undefined takes an entry out: JSON has none. */
const isSaid = (value: unknown): boolean => value !== undefined;

interface ManyProps extends SettingProps {
  /** Shows one of them, which may be many again. */
  Each: ComponentType<SettingProps>;
}

/** A list of settings of one kind. */
export function ListSetting({ schema, value, pointer, title, onChange, Each, ...rest }: ManyProps) {
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const inner = schema.items ?? { type: "string" };
  return (
    <div className="setting-list">
      {items.map((item, at) => (
        <div className="setting-item" key={at}>
          <Each
            {...rest}
            title={`${title} ${at + 1}`}
            schema={inner}
            value={item}
            pointer={`${pointer}/${at}`}
            required
            onChange={(next) =>
              onChange(items.map((other, index) => (index === at ? next : other)).filter(isSaid))
            }
          />
          <IconButton
            size="sm"
            label={`Remove ${title.toLowerCase()} ${at + 1}`}
            disabled={rest.readOnly}
            icon={<X {...icon} />}
            onClick={() => onChange(items.filter((_, index) => index !== at))}
          />
        </div>
      ))}
      <Fault pointer={pointer} deep={inner.type !== "object"} />
      <Button size="sm" disabled={rest.readOnly} onClick={() => onChange([...items, firstValue(inner)])}>
        <Plus {...icon} /> Add
      </Button>
    </div>
  );
}

/** Settings by key, mostly by field: a line for each, and a choice of those that are left. */
export function MapSetting({ schema, value, pointer, title, ports, onChange, Each, ...rest }: ManyProps) {
  const held = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const inner = schema.additionalProperties ?? { type: "string" };
  const names = schema.propertyNames;
  const enums = useDocument((state) => state.topology.enums);
  const message = names?.format === "field-of-request" ? ports.request : ports.response;
  const left = fieldNames(message, names?.fieldTypes).filter((name) => !Object.hasOwn(held, name));
  return (
    <div className="setting-map">
      {Object.entries(held).map(([key, item]) => (
        <div className="setting-entry" key={key}>
          <span className="mono setting-key">{key}</span>
          <IconButton
            size="sm"
            label={`Remove ${key}`}
            disabled={rest.readOnly}
            icon={<X {...icon} />}
            onClick={() =>
              onChange(Object.fromEntries(Object.entries(held).filter(([other]) => other !== key)))
            }
          />
          <Each
            {...rest}
            ports={ports}
            title={key}
            schema={inner}
            value={item}
            pointer={`${pointer}/${key}`}
            required
            onChange={(next) =>
              onChange(
                Object.fromEntries(Object.entries({ ...held, [key]: next }).filter(([, one]) => isSaid(one))),
              )
            }
          />
          {inner.format === "generator" ? null : <Fault pointer={`${pointer}/${key}`} deep />}
        </div>
      ))}
      {left.length > 0 ? (
        <Select
          label={`Add to ${title.toLowerCase()}`}
          value=""
          placeholder="Add a field…"
          disabled={rest.readOnly}
          options={left.map((name) => ({ value: name, label: name }))}
          onChange={(key) => onChange({ ...held, [key]: startOf(key) })}
        />
      ) : null}
    </div>
  );

  function startOf(key: string): unknown {
    const isExpression = inner.format === "cpp-expression";
    const twin = ports.request?.fields.some(({ name }) => name === key);
    if (isExpression) return twin ? `request.${key}` : "{}";
    if (inner.format === "generator")
      return firstGenerator(
        message?.fields.find(({ name }) => name === key),
        enums,
      );
    return firstValue(inner);
  }
}
