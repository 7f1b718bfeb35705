import { sha256 } from "@noble/hashes/sha2.js";
import type { StageRole, Topology } from "../model/topology/index.js";
import { encodeUtf8 } from "../model/text/index.js";
import { BUILT_IN_FAILURE } from "./planTypes.js";

/** The built-in message as if it were drawn (runtime-cpp/penstock/codec/failure.hpp). */
const FAILURE: Definition = {
  fields: [
    { name: "code", tag: 1, type: "int32" },
    { name: "message", tag: 2, type: "string" },
    { name: "flow", tag: 3, type: "string" },
    { name: "stage", tag: 4, type: "string" },
  ],
};

interface Definition {
  fields: readonly {
    name: string;
    tag: number;
    type: string;
    repeated?: boolean | undefined;
    optional?: boolean | undefined;
    length?: number | undefined;
    encoding?: string | undefined;
    key?: string | undefined;
    oneof?: string | undefined;
  }[];
}

/**
 * By the name of a message, the first 64 bits of the SHA-256 of its definition and of all that it holds, as
 * docs/wire.md has it: a C++ literal. Two ends that know a message by the same number mean the same by it.
 */
export class MessageSchemas {
  readonly #messages: Map<string, Definition>;
  readonly #enums: ReadonlyMap<string, Topology["enums"][number]>;
  readonly #known = new Map<string, string>();

  constructor(topology: Topology) {
    this.#messages = new Map<string, Definition>([
      [BUILT_IN_FAILURE, FAILURE],
      ...topology.messages.map((message) => [message.name, message] as const),
    ]);
    this.#enums = new Map(topology.enums.map((item) => [item.name, item]));
  }

  /** What two binaries compare whose drawings differ: lines, as docs/wire.md has them. */
  definitionsOf(message: string): string {
    return this.#definitions(message);
  }

  /** `0x9f86d081884c7d65`; of no message: `0`. */
  of(message: string | undefined): string {
    if (message === undefined) return "0";
    let schema = this.#known.get(message);
    if (schema === undefined) {
      const bytes = sha256(encodeUtf8(this.#definitions(message))).slice(0, 8);
      schema = `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
      this.#known.set(message, schema);
    }
    return schema;
  }

  /**
   * Of the answers of a stage (runtime-cpp/penstock/net/remote/calls/stage_type.hpp): a map, or a catch, says what it gives, a
   * side-effect what became of its event; both whether that ends.
   */
  ofStage(role: StageRole, request: string, response: string | undefined): string {
    if (role === "side-effect")
      return this.#ofAnswer(request, [
        { name: "ended", tag: 1, type: "bool" },
        { name: "changed", tag: 2, type: request, optional: true },
      ]);
    if (response === undefined) return this.of(undefined);
    return this.#ofAnswer(response, [{ name: "value", tag: 1, type: response, optional: true }]);
  }

  #ofAnswer(of: string, fields: Definition["fields"]): string {
    // No drawn message has such a name.
    const name = `${fields.length} ${of}`;
    this.#messages.set(name, { fields });
    return this.of(name);
  }

  /** One line a message or enum, in the order in which they are met; their own names say nothing. */
  #definitions(root: string): string {
    const met = new Map([[root, 0]]);
    const numberOf = (type: string): string => {
      if (!this.#messages.has(type) && !this.#enums.has(type)) return type;
      if (!met.has(type)) met.set(type, met.size);
      return `#${met.get(type)}`;
    };
    const lines: string[] = [];
    // It grows while it is walked through.
    for (const name of met.keys()) {
      const values = this.#enums.get(name)?.values;
      const fields = (this.#messages.get(name)?.fields ?? []).toSorted((a, b) => a.tag - b.tag);
      lines.push(
        values
          ? `enum ${values.map((value) => `${value.number}=${value.name}`).join(" ")}\n`
          : `message ${fields
              .map((field) => `${field.tag}=${field.name}:${numberOf(field.type)}${labelOf(field)}`)
              .join(" ")}\n`,
      );
    }
    return lines.join("");
  }
}

/** How many there are of a field, and how they lie on the wire. */
function labelOf({ repeated, optional, length, encoding, key, oneof }: Definition["fields"][number]): string {
  const many = repeated === true ? "*" : optional === true ? "?" : length ? `[${length}]` : "";
  return (
    many +
    [encoding, key, oneof].map((word, at) => (word === undefined ? "" : `${"~^|"[at]}${word}`)).join("")
  );
}
