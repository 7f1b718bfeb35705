import {
  FAILURE,
  FAILURE_MESSAGE,
  decidingField,
  type TopologyIndex,
  type Field,
  type Message,
  type Service,
} from "../topology/index.js";

/** The messages at the ports of a service that is a node. */
export interface NodePorts {
  request: Message | undefined;
  response: Message | undefined;
  /** The service that it calls, when it calls one. */
  callee: Service | undefined;
  /** The response's field by whose value branches are taken, with the names of its values. */
  decides: { field: Field; values: readonly string[] } | undefined;
}

export function nodePorts(service: Service, index: TopologyIndex): NodePorts {
  const message = (name: string | undefined): Message | undefined =>
    name === undefined ? undefined : name === FAILURE ? FAILURE_MESSAGE : index.messages.get(name)?.item;
  const field = service.response === undefined ? undefined : decidingField(index, service.response);
  const values = field && index.enums.get(field.type)?.item.values.map(({ name }) => name);
  return {
    request: message(service.request),
    response: message(service.response),
    callee: service.calls.length === 1 ? index.services.get(service.calls[0] ?? "")?.item : undefined,
    decides: field && values && { field, values },
  };
}

/** Types that hold one value which code can compare, print and count with. */
const SINGLE_TYPES: ReadonlySet<string> = new Set([
  ..."bool int32 int64 uint32 uint64 float double string".split(" "),
]);

/**
 * Whether a setting may name the field: one value, of one of `types` (`enum` for any enum, `message` for any
 * message; none: any); or several messages, where the types have `list-of-message`.
 */
export function fieldFits(field: Field, types: readonly string[] | undefined, index: TopologyIndex): boolean {
  if (types?.includes("list-of-message") && isList(field) && index.messages.has(field.type)) return true;
  if (field.repeated === true || field.length !== undefined || field.optional === true) return false;
  const isEnum = index.enums.has(field.type);
  if (types === undefined) return isEnum || SINGLE_TYPES.has(field.type);
  if (types.includes("message") && index.messages.has(field.type)) return true;
  return types.includes(field.type) || (isEnum && types.includes("enum"));
}

/** The repeated fields of `response` that hold messages of the type `request`. */
export const listsOf = (response: Message | undefined, request: string): Field[] =>
  (response?.fields ?? []).filter((field) => field.type === request && isList(field));

/** A map is none. */
const isList = ({ repeated, key }: Field): boolean => repeated === true && key === undefined;
