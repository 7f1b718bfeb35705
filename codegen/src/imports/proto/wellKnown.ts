import protobuf from "protobufjs";
import api from "protobufjs/google/protobuf/api.json" with { type: "json" };
import sourceContext from "protobufjs/google/protobuf/source_context.json" with { type: "json" };
import type from "protobufjs/google/protobuf/type.json" with { type: "json" };

type Types = Record<string, protobuf.AnyNestedObject>;

/** What everybody has without a file for it. */
interface WellKnown {
  types: Types;
  imports: readonly string[];
}

const IN = "google/protobuf/";

/** Under the names of the `.proto`. */
function asInFile(json: protobuf.AnyNestedObject): protobuf.AnyNestedObject {
  const { fields, nested } = json as protobuf.IType;
  const named = Object.entries(fields ?? {}).map(
    ([name, { protoName = name, ...field }]: [string, Named]) => [protoName, field],
  );
  return {
    ...json,
    ...(fields === undefined ? {} : { fields: Object.fromEntries(named) }),
    ...(nested === undefined ? {} : { nested: asInFileAll(nested) }),
  } as protobuf.AnyNestedObject;
}
type Named = protobuf.IField & { protoName?: string };

const asInFileAll = (types: Types): Types =>
  Object.fromEntries(Object.entries(types).map(([name, json]) => [name, asInFile(json)]));

const typesIn = (json: protobuf.INamespace): Types => {
  const google = json.nested?.["google"] as protobuf.INamespace | undefined;
  return (google?.nested?.["protobuf"] as protobuf.INamespace | undefined)?.nested ?? {};
};

/** The parser's own copies have what they import in them. */
const only = (json: protobuf.INamespace, ...names: string[]): Types =>
  asInFileAll(Object.fromEntries(Object.entries(typesIn(json)).filter(([name]) => names.includes(name))));

const MORE: Readonly<Record<string, () => WellKnown>> = {
  [`${IN}api.proto`]: () => ({
    types: only(api as protobuf.INamespace, "Api", "Method", "Mixin"),
    imports: [`${IN}source_context.proto`, `${IN}type.proto`],
  }),
  [`${IN}type.proto`]: () => ({
    types: only(type as protobuf.INamespace, "Type", "Field", "Enum", "EnumValue", "Option", "Syntax"),
    imports: [`${IN}any.proto`, `${IN}source_context.proto`],
  }),
  [`${IN}source_context.proto`]: () => ({
    types: only(sourceContext as protobuf.INamespace, "SourceContext"),
    imports: [],
  }),
};

/** The types of one of protobuf's own files, and what that imports; undefined: it is none of those with types for messages. */
export function wellKnown(file: string): WellKnown | undefined {
  const more = Object.hasOwn(MORE, file) ? MORE[file] : undefined;
  if (more !== undefined) return more();
  const known = file.startsWith(IN) ? protobuf.common.get(file) : null;
  return known === null ? undefined : { types: typesIn(known), imports: [] };
}
