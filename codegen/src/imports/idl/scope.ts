import { quote } from "../../model/diagnostics/index.js";
import type { Position } from "../../model/text/index.js";
import { IdlError } from "./error.js";
import type { Interface, Struct } from "./syntax.js";

/** A name whose definition has been left out: what uses it is, too. */
interface Absent {
  kind: "absent";
  place: Position;
}
export type Entity = Module | Struct | Interface | Absent;

/** A module, which may be opened again; the outermost one has no name. */
export class Module {
  readonly kind = "module";
  private readonly entities = new Map<string, Entity>();

  constructor(
    readonly path: readonly string[],
    readonly place: Position,
    private readonly outer: Module | undefined,
  ) {}

  /** `M::E` of something in it. */
  nameOf(name: string): string {
    return [...this.path, name].join("::");
  }

  /** @throws {IdlError} the name is taken */
  define(name: string, entity: Entity): void {
    const other = this.entities.get(name);
    if (other !== undefined)
      throw new IdlError(
        entity.place,
        "a name that is free",
        `${quote(name)}, the ${other.kind === "absent" ? "definition" : other.kind} of line ${other.place.line}`,
      );
    this.entities.set(name, entity);
  }

  /** The module of that name in it, a new one if there is none. @throws {IdlError} something else has it */
  open(name: string, place: Position): Module {
    const known = this.entities.get(name);
    if (known?.kind === "module") return known;
    const module = new Module([...this.path, name], place, this);
    this.define(name, module);
    return module;
  }

  /** What a name means here, `E` or `M::E`: its first part is looked for from here outwards. */
  find(name: readonly string[]): Entity | undefined {
    const [first = "", ...rest] = name;
    let entity = this.entities.get(first) ?? this.outer?.find([first]);
    for (const part of rest) entity = entity?.kind === "module" ? entity.entities.get(part) : undefined;
    return entity;
  }
}
