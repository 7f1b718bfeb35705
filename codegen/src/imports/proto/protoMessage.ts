import protobuf from "protobufjs";
import { SCALAR_TYPES, type Field } from "../../model/topology/index.js";
import { isNumbersOnly } from "./protoEnum.js";
import { asThing, completeName, isGroup, refToType, type Reading } from "./reading.js";

/** Types whose JSON protobuf writes in a way of their own. */
const OWN_JSON = /^google\.protobuf\.(Any|Duration|FieldMask|ListValue|Struct|Timestamp|Value|\w+Value)$/;
const SCALARS: ReadonlySet<string> = new Set(SCALAR_TYPES);

/** Describes a message; gives the types that its fields name. */
export function describeMessage(item: protobuf.Type, reading: Reading): (protobuf.Type | protobuf.Enum)[] {
  const { loaded, described, leaveOut, note } = reading;
  const from = completeName(item);
  if (OWN_JSON.test(from)) note(`${from} is a message as others here: its JSON is that of its fields.`);
  if ((item.extensions ?? []).length > 0) leaveOut(from, "tags for extensions", `${from}.extensions`);
  const needed: (protobuf.Type | protobuf.Enum)[] = [];
  const fields: Field[] = [];
  for (const field of item.fieldsArray) {
    const made = describeField(field, reading);
    if (made === undefined) continue;
    fields.push(made);
    const type = field.resolvedType;
    if (type !== null && !(type instanceof protobuf.Enum && isNumbersOnly(type))) needed.push(type);
  }
  const doc = item.comment ?? "";
  described.messages.push(asThing(item, loaded, { fields, ...(doc === "" ? {} : { doc }) }));
  return needed;
}

/** Of an optional of proto3 the parser makes a oneof of one. */
const oneofOf = ({ partOf }: protobuf.Field): protobuf.OneOf | undefined =>
  partOf === null || partOf.isProto3Optional ? undefined : partOf;

/** A message that is there and empty is another thing than none. */
const isAbsentAtFirst = (field: protobuf.Field): boolean =>
  field.hasPresence || field.resolvedType instanceof protobuf.Type;

function describeField(field: protobuf.Field, { leaveOut, note }: Reading): Field | undefined {
  const name = completeName(field);
  const type = field.resolvedType;
  if (type instanceof protobuf.Type && (field.delimited || isGroup(type))) {
    leaveOut(name, "a group", isGroup(type) ? completeName(type) : name);
    return undefined;
  }
  if (field.map) {
    leaveOut(name, "a map: no counterpart yet");
    return undefined;
  }
  if (oneofOf(field) !== undefined) {
    leaveOut(name, "a oneof: no counterpart yet");
    return undefined;
  }
  const drawn =
    type === null
      ? field.type
      : type instanceof protobuf.Enum && isNumbersOnly(type)
        ? "int32"
        : refToType(type);
  if (type === null && !SCALARS.has(drawn)) {
    leaveOut(name, `${drawn}: no counterpart yet`);
    return undefined;
  }
  if (field.options?.["default"] !== undefined) leaveOut(name, "a default value");
  if (field.required) note(`${name} is required there: whoever gets a message without it refuses it.`);
  const doc = field.comment ?? "";
  return {
    name: field.name,
    type: drawn,
    tag: field.id,
    ...(field.repeated ? { repeated: true } : isAbsentAtFirst(field) ? { optional: true } : {}),
    ...(doc === "" ? {} : { doc }),
  };
}
