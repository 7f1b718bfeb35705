import type { Profile, ProfileFrame, ProfileOwner } from "../contract/index.js";
import { frameName } from "./frameName.js";
import { OTHER, type Owner, Owners } from "./owners.js";
import { poolOfThread } from "./poolOfThread.js";
import type { RecordedNames } from "./recordedNames.js";
import type { RecordedStack } from "./stackReader.js";

/** What is too small to be seen in any drawing is not handed on. */
const SMALLEST_SHARE = 1 / 2000;
const MOST_NODES = 200_000;
const MOST_NAMES = 50_000;

interface Node {
  name: string;
  owner: Owner;
  /** With all that it called. */
  samples: number;
  /** In it alone. */
  own: number;
  children: Map<string, Node>;
}

const node = (name: string, owner: Owner): Node => ({ name, owner, samples: 0, own: 0, children: new Map() });

const RANK: readonly ProfileOwner["kind"][] = ["service", "source", "runtime", "kernel", "other"];
const rankOf = ({ kind }: Owner): number => Math.max(1, RANK.indexOf(kind));

/** Stacks laid over each other, by pool and from the outermost caller on. Its memory is bounded, however long a recording is. */
export class StackTree {
  private readonly root = node("", OTHER);
  private readonly owners: Owners;
  private readonly short = new Map<string, string>();
  private nodes = 0;

  constructor(
    private readonly names: RecordedNames,
    private readonly mostNodes = MOST_NODES,
  ) {
    this.owners = new Owners(names);
  }

  get samples(): number {
    return this.root.samples;
  }

  add({ thread, frames }: RecordedStack): void {
    let at = this.root;
    at.samples++;
    const step = (key: string, name: () => string, owner: () => Owner): boolean => {
      let next = at.children.get(key);
      if (!next) {
        // What a full tree has no place for is a caller's.
        if (this.nodes >= this.mostNodes) return false;
        this.nodes++;
        next = node(name(), owner());
        at.children.set(key, next);
      }
      next.samples++;
      at = next;
      return true;
    };
    const pool = poolOfThread(thread, this.names.pools);
    let on = step(
      pool,
      () => pool,
      () => OTHER,
    );
    for (let index = frames.length - 1; on && index >= 0; index--) {
      const frame = frames[index]!;
      on = step(
        frame.kernel ? `${frame.name} (kernel)` : frame.name,
        () => this.shown(frame.name),
        () => this.owners.of(frame, at.owner),
      );
    }
    at.own++;
  }

  /** Lines of the form that flame graph tools share: `pool;outer;inner 12`. */
  *folded(): Generator<string> {
    const waiting: { at: Node; way: string }[] = [{ at: this.root, way: "" }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { at, way } = next;
      if (at.own > 0 && way !== "") yield `${way} ${at.own}\n`;
      for (const child of at.children.values()) {
        const name = child.name.replaceAll(";", ":");
        waiting.push({ at: child, way: way === "" ? name : `${way};${name}` });
      }
    }
  }

  /** What is handed on of it. */
  profile(of: Pick<Profile, "binary" | "processes" | "seconds">): Profile {
    const owners = this.countOwners();
    const places = new Map(owners.map(({ kind, name }, place) => [`${kind} ${name}`, place]));
    const names = new Map<string, number>();
    const frames: ProfileFrame[] = [];
    const visit = (at: Node, parent: number): void => {
      for (const child of [...at.children.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (child.samples < this.root.samples * SMALLEST_SHARE) continue;
        const name = names.get(child.name) ?? names.size;
        names.set(child.name, name);
        const { kind, name: whose } = child.owner;
        const owner = places.get(`${kind} ${whose}`) ?? places.get("other ") ?? -1;
        visit(child, frames.push([parent, name, owner, child.samples]) - 1);
      }
    };
    visit(this.root, -1);
    return { ...of, samples: this.root.samples, owners, names: [...names.keys()], frames };
  }

  /** Every owner on a way, with the samples that ended with it. */
  private countOwners(): ProfileOwner[] {
    const counts = new Map<string, ProfileOwner>();
    const waiting = [...this.root.children.values()];
    for (let at = waiting.pop(); at; at = waiting.pop()) {
      const key = `${at.owner.kind} ${at.owner.name}`;
      const owner = counts.get(key) ?? { ...at.owner, samples: 0 };
      counts.set(key, { ...owner, samples: owner.samples + at.own });
      for (const child of at.children.values()) waiting.push(child);
    }
    return [...counts.values()].sort(
      (a, b) => rankOf(a) - rankOf(b) || b.samples - a.samples || (a.name < b.name ? -1 : 1),
    );
  }

  private shown(name: string): string {
    const known = this.short.get(name);
    if (known !== undefined) return known;
    const text = frameName(name, this.names.namespaces);
    if (this.short.size < MOST_NAMES) this.short.set(name, text);
    return text;
  }
}
