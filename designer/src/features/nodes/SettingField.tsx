import type { Message } from "@penstock/codegen/topology";
import type { NodePorts, SettingSchema } from "@penstock/codegen/manifests";
import { lazy, Suspense, type ReactNode } from "react";
import { useDocument } from "../../kernel/document/index.js";
import { useProblems } from "../../kernel/problems/problemStore.js";
import { byDefault, Checkbox, Input, NumberField, Prose, Select } from "../../kernel/ui/index.js";
import { fieldNames, firstChoices, typedChoices } from "./choices.js";
import type { CodeFieldProps } from "./CodeField.js";
import { Fault } from "./Fault.js";
import { ListSetting, MapSetting } from "./ManySettings.js";
import type { SettingProps } from "./settingProps.js";

// With the editor, which is as large as the rest of the page.
const LoadedCodeField = lazy(() => import("./CodeField.js").then((all) => ({ default: all.CodeField })));
const CodeField = (props: CodeFieldProps) => (
  <Suspense fallback={<div className="code-field" />}>
    <LoadedCodeField {...props} />
  </Suspense>
);

/** One setting with its name, what it is for, and what is wrong with it. */
export function SettingField(props: SettingProps) {
  const { schema, title } = props;
  const isMany = schema.type === "array" || schema.type === "object";
  const isWide = isMany || isCode(schema);
  return (
    <div className="setting" data-wide={isWide}>
      <span className="setting-title" title={schema.description}>
        {/* A box says it beside itself. */}
        {schema.type === "boolean" ? null : title}
      </span>
      <div className="setting-body">
        <SettingInput {...props} />
        {isMany && schema.format !== "generator" ? null : <Fault pointer={props.pointer} deep />}
        {isWide && schema.description ? (
          <p className="setting-help">
            <Prose text={schema.description} />
          </p>
        ) : null}
      </div>
    </div>
  );
}

const isCode = ({ format }: SettingSchema): boolean =>
  format === "cpp-expression" ||
  format === "sql" ||
  format === "text" ||
  format === "multiline" ||
  format === "url" ||
  format === "base-url" ||
  format === "rpc-method";

/** The input alone, by what the schema says it holds. */
function SettingInput(props: SettingProps): ReactNode {
  const { title, schema, value, ports, readOnly, required, pointer, onChange } = props;
  const invalid = useProblems().some(
    (problem) => problem.pointer === pointer && problem.severity === "error",
  );
  const shown = value ?? schema.default;
  if (schema.format === "generator") return <Generator {...props} />;
  if (schema.type === "array") return <ListSetting {...props} Each={SettingInput} />;
  if (schema.type === "object")
    return schema.additionalProperties ? (
      <MapSetting {...props} Each={SettingInput} />
    ) : (
      <StructSetting {...props} />
    );
  if (schema.type === "boolean")
    return <Checkbox label={title} checked={shown === true} onChange={(checked) => onChange(checked)} />;
  if (schema.type === "integer" || schema.type === "number")
    return (
      <NumberField
        label={title}
        value={typeof value === "number" ? value : undefined}
        placeholder={typeof schema.default === "number" ? byDefault(schema.default) : "none"}
        fractions={schema.type === "number"}
        disabled={readOnly}
        {...(schema.unit === undefined ? {} : { unit: schema.unit })}
        {...(schema.minimum === undefined ? {} : { min: schema.minimum })}
        {...(schema.maximum === undefined ? {} : { max: schema.maximum })}
        onChange={(next) => onChange(next)}
      />
    );
  const text = typeof shown === "string" ? shown : "";
  const choices = choicesOf(schema, ports);
  if (choices !== undefined) {
    const missing =
      text !== "" && !choices.includes(text) ? [{ value: text, label: `${text} (missing)` }] : [];
    // What is left out has the default then, which is one of the choices.
    const none = required || (schema.enum && schema.default) ? [] : [{ value: NONE, label: "None" }];
    // A choice may be called as what every object has.
    const labels: Readonly<Record<string, string>> = Object.assign(Object.create(null), schema.labels);
    const named = choices.map((choice) => ({ value: choice, label: labels[choice] ?? choice }));
    const options = [...none, ...missing, ...named];
    return (
      <Select
        label={title}
        mono={schema.enum === undefined}
        value={text === "" && !required ? NONE : text}
        placeholder="Choose"
        disabled={readOnly}
        options={options}
        onChange={(choice) => onChange(choice === NONE ? undefined : choice)}
      />
    );
  }
  if (isCode(schema))
    return (
      <CodeField
        label={title}
        value={text}
        language={schema.format === "cpp-expression" ? "cpp" : schema.format === "sql" ? "sql" : "text"}
        words={wordsOf(schema, ports.request)}
        readOnly={readOnly}
        invalid={invalid}
        onCommit={(next) => onChange(next)}
      />
    );
  return (
    <Input
      mono
      aria-label={title}
      value={text}
      disabled={readOnly}
      onCommit={(next) => onChange(next === "" && !required ? undefined : next)}
    />
  );
}

const NONE = "+none";

/** The values a text may have, where they are known. */
function choicesOf(
  { enum: words, format, fieldTypes }: SettingSchema,
  ports: NodePorts,
): string[] | undefined {
  if (words) return words;
  if (format === "enum-value") return [...(ports.decides?.values ?? [])];
  if (format === "field-of-request") return fieldNames(ports.request, fieldTypes);
  if (format === "field-of-response") return fieldNames(ports.response, fieldTypes);
  return undefined;
}

function wordsOf({ format }: SettingSchema, request: Message | undefined): string[] {
  const names = (request?.fields ?? []).map(({ name }) => name);
  if (format === "base-url" || format === "rpc-method") return [];
  if (format === "cpp-expression") return names.map((name) => `request.${name}`);
  return names.map((name) => (format === "sql" ? `:${name}` : `{${name}}`));
}

/** An object with fixed keys: its members under one another. */
function StructSetting({ schema, value, pointer, onChange, ...rest }: SettingProps) {
  const held = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  return (
    <div className="setting-group">
      {Object.entries(schema.properties ?? {}).map(([key, inner]) => (
        <SettingField
          key={key}
          {...rest}
          title={inner.title ?? key}
          schema={inner}
          value={held[key]}
          pointer={`${pointer}/${key}`}
          required={schema.required?.includes(key) ?? false}
          onChange={(next) => {
            const others = Object.entries(held).filter(([other]) => other !== key);
            onChange(Object.fromEntries(next === undefined ? others : [...others, [key, next]]));
          }}
        />
      ))}
    </div>
  );
}

const WAYS = [
  { value: "uniform", label: "Evenly from … to" },
  { value: "choice", label: "One of" },
  { value: "sequence", label: "Counting from" },
  { value: "expression", label: "C++" },
] as const;
type Way = (typeof WAYS)[number]["value"];
const START: Record<Exclude<Way, "choice">, unknown> = {
  uniform: [0, 100],
  sequence: 1,
  expression: "sequence",
};

/** How the value of a field is made up. */
function Generator({ title, value, ports, readOnly, pointer, onChange }: SettingProps) {
  const enums = useDocument((state) => state.topology.enums);
  const field = ports.response?.fields.find(({ name }) => name === title);
  const [entry] = Object.entries(typeof value === "object" && value !== null ? value : { uniform: [0, 100] });
  const way = (entry?.[0] ?? "uniform") as Way;
  const held: unknown = entry?.[1];
  const [low = 0, high = 0] = Array.isArray(held) && way === "uniform" ? (held as number[]) : [];
  return (
    <div className="generator">
      <Select
        label={`How ${title} is made`}
        value={way}
        options={WAYS}
        disabled={readOnly}
        onChange={(next) =>
          onChange({ [next]: next === "choice" ? firstChoices(field, enums) : START[next] })
        }
      />
      {way === "uniform" ? (
        <span className="generator-range">
          <NumberField
            label={`Least ${title}`}
            fractions
            value={low}
            onChange={(next) => onChange({ uniform: [next ?? 0, high] })}
          />
          <NumberField
            label={`Greatest ${title}`}
            fractions
            value={high}
            onChange={(next) => onChange({ uniform: [low, next ?? 0] })}
          />
        </span>
      ) : null}
      {way === "choice" ? (
        <Input
          mono
          aria-label={`Choices of ${title}`}
          value={(Array.isArray(held) ? held : []).join(", ")}
          onCommit={(text) => onChange({ choice: typedChoices(text, field) })}
        />
      ) : null}
      {way === "sequence" ? (
        <NumberField
          label={`First ${title}`}
          value={typeof held === "number" ? held : 0}
          onChange={(next) => onChange({ sequence: next ?? 0 })}
        />
      ) : null}
      {way === "expression" ? (
        <CodeField
          label={`C++ of ${title}`}
          value={typeof held === "string" ? held : ""}
          words={["sequence"]}
          language="cpp"
          invalid={false}
          onCommit={(expression) => onChange({ expression })}
        />
      ) : null}
      <Fault pointer={pointer} deep />
    </div>
  );
}
