import { calledNames, LIVE_ROWS, type LiveSchema, type RowKind, type RowName } from "../../contract/index.js";

type Row = (number | null)[];
type Kind = Exclude<RowKind["of"], "stage">;

/**
 * What a row is of, by names: a flow and one of its stages, say. Of what has no name within the other (a thread of its
 * pool) the number is the same in every process.
 */
export interface Named {
  what: string;
  part?: string | number | null;
}

const kindOf = (name: RowName): Kind => {
  const { of } = LIVE_ROWS[name];
  return of === "stage" ? "flow" : of;
};
const hasPart = (name: RowName): boolean => LIVE_ROWS[name].cells[1]?.startsWith("k ") ?? false;

/** The names behind the ids of one process: another one of its binary, from another drawing say, numbers the same otherwise. */
export class RowNames {
  private readonly names: Readonly<Record<Kind, ReadonlyMap<number, string>>>;
  private readonly ids: Readonly<Record<Kind, ReadonlyMap<string, number>>>;
  private readonly parts: Readonly<Partial<Record<Kind, ReadonlyMap<number, readonly string[]>>>>;

  private constructor(schema: LiveSchema) {
    const { services, flows, pools, calls, links = [] } = schema;
    const called = calledNames(schema);
    const named = (all: readonly { id: number; name: string }[]) =>
      new Map(all.map(({ id, name }) => [id, name]));
    this.names = {
      service: named(services),
      flow: named(flows),
      pool: named(pools),
      call: new Map(calls.map(({ id, from, to }) => [id, `${called.get(from)}>${called.get(to)}`])),
      link: new Map(links.map(({ id, binary }) => [id, binary])),
    };
    this.parts = {
      service: new Map(services.map(({ id, implementations }) => [id, implementations])),
      flow: new Map(flows.map(({ id, stages }) => [id, stages.map((stage) => stage.id)])),
    };
    const backward = (names: ReadonlyMap<number, string>) =>
      new Map([...names].map(([id, name]) => [name, id]));
    const { service, flow, pool, call, link } = this.names;
    this.ids = {
      service: backward(service),
      flow: backward(flow),
      pool: backward(pool),
      call: backward(call),
      link: backward(link),
    };
  }

  private static readonly known = new WeakMap<LiveSchema, RowNames>();

  static of(schema: LiveSchema): RowNames {
    let names = RowNames.known.get(schema);
    if (names === undefined) RowNames.known.set(schema, (names = new RowNames(schema)));
    return names;
  }

  /** What a row of this process is of; undefined: of nothing that it has named. */
  named(name: RowName, row: Row): Named | undefined {
    const kind = kindOf(name);
    const id = row[0] ?? -1;
    const what = this.names[kind].get(id);
    if (what === undefined || !hasPart(name)) return what === undefined ? undefined : { what };
    const index = row[1] ?? null;
    return { what, part: index === null ? null : (this.parts[kind]?.get(id)?.[index] ?? index) };
  }

  /** The row in the ids of this process; undefined: it has nothing of that name. */
  inIds(name: RowName, row: Row, { what, part }: Named): Row | undefined {
    const kind = kindOf(name);
    const id = this.ids[kind].get(what);
    if (id === undefined) return undefined;
    const own = row[0] === id ? row : row.with(0, id);
    if (typeof part !== "string") return own;
    const index = this.parts[kind]?.get(id)?.indexOf(part) ?? -1;
    if (index < 0) return undefined;
    return own[1] === index ? own : own.with(1, index);
  }

  /** A row of `stuck` of another process in the ids of this one: of a pool, its thread, and a service. */
  stuckInIds(row: Row, from: RowNames): Row | undefined {
    const pool = this.ids.pool.get(from.names.pool.get(row[0] ?? -1) ?? "");
    const service = this.ids.service.get(from.names.service.get(row[2] ?? -1) ?? "");
    return pool === undefined || service === undefined ? undefined : row.with(0, pool).with(2, service);
  }
}
