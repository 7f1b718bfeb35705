import protobuf from "protobufjs";
import { ENCODED_TYPES, protoJsonName, type Field, type KeyType } from "../../model/topology/index.js";
import {
  asThing,
  isGroup,
  isNumbersOnly,
  refToType,
  refuseLongNumber,
  reservedOf,
  type Reading,
} from "./reading.js";
import { completeName } from "./reflection.js";

/** Types whose JSON protobuf writes in a way of their own. */
const OWN_JSON =
  /^google\.protobuf\.(Any|Duration|FieldMask|Struct|Timestamp|(List|Bool|Bytes|Double|Float|U?Int(32|64)|String)?Value)$/;
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
  described.messages.push(
    asThing(item, loaded, { fields, ...reservedOf(item, loaded), ...(doc === "" ? {} : { doc }) }),
  );
  return needed;
}

/** Of an optional of proto3 the parser makes a oneof of one. */
const oneofOf = ({ partOf }: protobuf.Field): protobuf.OneOf | undefined =>
  partOf === null || partOf.isProto3Optional ? undefined : partOf;

/** A message that is there and empty is another thing than none. */
const isAbsentAtFirst = (field: protobuf.Field): boolean =>
  field.hasPresence || field.resolvedType instanceof protobuf.Type;

function describeField(field: protobuf.Field, { loaded, leaveOut, note }: Reading): Field | undefined {
  const name = completeName(field);
  refuseLongNumber(name, field.id, loaded);
  const type = field.resolvedType;
  if (type instanceof protobuf.Type && (field.delimited || isGroup(type))) {
    leaveOut(name, "a group", isGroup(type) ? completeName(type) : name);
    return undefined;
  }
  if (field.options?.["default"] !== undefined) leaveOut(name, "a default value");
  if (field.required) note(`${name} is required there: whoever gets a message without it refuses it.`);
  const oneof = oneofOf(field);
  const doc = [oneof?.fieldsArray[0] === field ? oneof.comment : "", field.comment]
    .filter(Boolean)
    .join("\n");
  const jsonName = field.jsonName ?? protoJsonName(field.name);
  return {
    name: field.name,
    tag: field.id,
    ...typeOf(field),
    ...howMany(field),
    ...(oneof === undefined ? {} : { oneof: oneof.name }),
    ...(jsonName === protoJsonName(field.name) ? {} : { jsonName }),
    ...(doc === "" ? {} : { doc }),
  };
}

function typeOf({ type, resolvedType }: protobuf.Field): Pick<Field, "type" | "encoding"> {
  if (resolvedType === null) return ENCODED_TYPES[type] ?? { type };
  const isNumber = resolvedType instanceof protobuf.Enum && isNumbersOnly(resolvedType);
  return { type: isNumber ? "int32" : refToType(resolvedType) };
}

/** The parser says of every list whether it is packed, also of those that never are. */
const isUnpacked = ({ type, packed, resolvedType }: protobuf.Field): boolean =>
  !packed && (type in protobuf.types.packed || resolvedType instanceof protobuf.Enum);

function howMany(field: protobuf.Field): Pick<Field, "repeated" | "optional" | "key" | "packed"> {
  if (field instanceof protobuf.MapField) return { repeated: true, key: field.keyType as KeyType };
  if (field.repeated) return { repeated: true, ...(isUnpacked(field) ? { packed: false } : {}) };
  return isAbsentAtFirst(field) ? { optional: true } : {};
}
