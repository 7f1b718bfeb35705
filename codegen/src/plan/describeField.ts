import { FAILURE, type Field, type TopologyIndex } from "../model/topology/index.js";
import type { TypeSpeller } from "./planTypes.js";
import type { NodeFieldPlan } from "./projectPlan.js";

const NUMBERS: ReadonlySet<string> = new Set("int32 int64 uint32 uint64 float double".split(" "));
const WHERE_MOVED: ReadonlySet<string> = new Set(["string", "bytes", "buffer"]);

/** What templates of nodes are told of a field of the message `holder`. */
export function describeField(
  field: Field,
  holder: string,
  index: TopologyIndex,
  speller: TypeSpeller,
): NodeFieldPlan {
  const { type, repeated = false, optional = false, length } = field;
  const single = !repeated && length === undefined && !optional;
  const isEnum = index.enums.has(type);
  const isMessage = !isEnum && namesMessage(type, index);
  return {
    name: field.name,
    type,
    cppType: speller.field(field, holder).cppType,
    isRepeated: repeated,
    isOptional: optional,
    isArray: length !== undefined,
    isEnum,
    isMessage,
    isString: type === "string",
    isBytes: type === "bytes",
    isNumber: NUMBERS.has(type),
    isBool: type === "bool",
    isMovable: !single || isMessage || WHERE_MOVED.has(type),
    isColumn: isColumn(field, isMessage),
    columns: isMessage ? columnsOf(type, index, speller) : [],
  };
}

const namesMessage = (type: string, index: TopologyIndex): boolean =>
  index.messages.has(type) || type === FAILURE;

const isColumn = ({ type, repeated, length }: Field, isMessage: boolean): boolean =>
  !isMessage && repeated !== true && length === undefined && type !== "buffer";

/** The fields of a message that are columns; one level, since a column holds no message. */
function columnsOf(message: string, index: TopologyIndex, speller: TypeSpeller): NodeFieldPlan[] {
  const fields = index.messages.get(message)?.item.fields ?? [];
  return fields
    .filter((field) => isColumn(field, namesMessage(field.type, index)))
    .map((field) => describeField(field, message, index, speller));
}
