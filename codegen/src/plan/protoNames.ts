import { protoJsonName, snakeCase, type Message } from "../model/topology/index.js";

/** Names of a message's parts in the `.proto`, by their drawn names. */
export interface ProtoNames {
  fields: ReadonlyMap<string, string>;
  oneofs: ReadonlyMap<string, string>;
}

/**
 * In protobuf names are `per_second` where `perSecond` is drawn. A field gets that form where its drawn name is its
 * name in JSON, too, so that both are read there; what would meet another name of the message stays as drawn.
 */
export function protoNames({ fields, reserved }: Message): ProtoNames {
  const oneofs = new Set(fields.flatMap(({ oneof }) => oneof ?? []));
  const drawn = fields.flatMap(({ name, jsonName = name }) => [name, jsonName]);
  const taken = new Set([...drawn, ...oneofs, ...(reserved?.names ?? [])]);
  const inProto = (name: string, isFree: boolean): string => {
    const snake = snakeCase(name);
    if (!isFree || taken.has(snake)) return name;
    taken.add(snake);
    return snake;
  };
  return {
    fields: new Map(
      fields.map(({ name, jsonName = protoJsonName(name) }) => [name, inProto(name, name === jsonName)]),
    ),
    oneofs: new Map([...oneofs].map((name) => [name, inProto(name, true)])),
  };
}
