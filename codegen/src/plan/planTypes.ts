import {
  ENCODED_TYPES,
  encodedType,
  type Field,
  type KeyType,
  type Topology,
} from "../model/topology/index.js";
import { boxing } from "./boxing.js";

/** How a scalar of the format is spelled in C++ and in protobuf, and what it starts as. */
const SCALARS: Record<string, { cpp: string; initializer: string; proto: string }> = {
  bool: { cpp: "bool", initializer: " = false", proto: "bool" },
  int32: { cpp: "std::int32_t", initializer: " = 0", proto: "int32" },
  int64: { cpp: "std::int64_t", initializer: " = 0", proto: "int64" },
  uint32: { cpp: "std::uint32_t", initializer: " = 0", proto: "uint32" },
  uint64: { cpp: "std::uint64_t", initializer: " = 0", proto: "uint64" },
  float: { cpp: "float", initializer: " = 0", proto: "float" },
  double: { cpp: "double", initializer: " = 0", proto: "double" },
  string: { cpp: "std::string", initializer: "", proto: "string" },
  bytes: { cpp: "std::string", initializer: "", proto: "bytes" },
  buffer: { cpp: "::penstock::Buffer", initializer: "", proto: "bytes" },
};

/** The type of the format that a map's key is, and its encoding. */
const keyOf = (key: KeyType): Pick<Field, "type" | "encoding"> => ENCODED_TYPES[key] ?? { type: key };

const codingOf = (encoding: string | undefined): string => `Coding::${encoding ?? "varint"}`;

export const BUILT_IN_FAILURE = "Failure";
/** In C++ the type of a failure's code, an int32 of the format. */
export const ERROR_CODE = "::penstock::ErrorCode";

/** A field in C++ and in the `.proto`. */
export interface SpelledField {
  cppType: string;
  initializer: string;
  protoType: string;
}

/** Template arguments of the codec's functions: "" where all is as usual. */
export function codecArguments({ encoding, key }: Field): string {
  const own = encoding === undefined ? [] : [codingOf(encoding)];
  if (key === undefined) return own.length === 0 ? "" : `<${own.join("")}>`;
  const coding = keyOf(key).encoding;
  if (coding === undefined && own.length === 0) return "";
  return `<${[codingOf(coding), ...own].join(", ")}>`;
}

/** Spells types for one project; complete names start with `::` and mean the same everywhere. */
export class TypeSpeller {
  readonly #project: string;
  readonly #enums: ReadonlySet<string>;
  readonly #isBoxed: (holder: string, type: string) => boolean;

  constructor(topology: Topology) {
    this.#isBoxed = boxing(topology.messages);
    this.#project = topology.name;
    this.#enums = new Set(topology.enums.map((item) => item.name));
  }

  /** `::ads::Ad`; the built-in message is the runtime's. */
  message(name: string): string {
    return name === BUILT_IN_FAILURE ? "::penstock::Failure" : `::${this.#project}::${name}`;
  }

  /** A type of the project by its complete name. */
  own(cppName: string): string {
    return `::${this.#project}::${cppName}`;
  }

  /** `holder`: the message that has the field. */
  field(field: Field, holder: string): SpelledField {
    const scalar = SCALARS[field.type];
    const element = scalar?.cpp ?? this.message(field.type);
    const encoded = encodedType(field);
    const protoType = encoded === field.type ? (scalar?.proto ?? field.type) : encoded;
    if (field.key !== undefined) {
      const key = SCALARS[keyOf(field.key).type]?.cpp ?? "";
      return {
        cppType: `std::map<${key}, ${element}>`,
        initializer: "",
        protoType: `map<${field.key}, ${protoType}>`,
      };
    }
    if (field.repeated) return { cppType: `std::vector<${element}>`, initializer: "", protoType };
    if (field.length !== undefined)
      return { cppType: `std::array<${element}, ${field.length}>`, initializer: "{}", protoType };
    if (field.optional) {
      const optional = this.#isBoxed(holder, field.type) ? "::penstock::Boxed" : "std::optional";
      return { cppType: `${optional}<${element}>`, initializer: "", protoType };
    }
    const initializer = scalar?.initializer ?? (this.#enums.has(field.type) ? "{}" : "");
    return { cppType: element, initializer, protoType };
  }
}
