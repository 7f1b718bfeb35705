import type { ProfileOwner } from "../contract/index.js";
import type { Topology } from "../model/topology/index.js";
import type { RecordedFrame } from "./stackReader.js";

export type Owner = Pick<ProfileOwner, "kind" | "name">;

export const RUNTIME: Owner = { kind: "runtime", name: "" };
export const KERNEL: Owner = { kind: "kernel", name: "" };
export const OTHER: Owner = { kind: "other", name: "" };

/**
 * Who a frame belongs to, from who called it. A handler's class is named after its service, an event's source after its
 * flow, a project's own source after its kind; all that they call is theirs too, up to the next handler.
 */
export class Owners {
  private readonly drawn = new Map<string, Owner>();
  private readonly member: RegExp;
  private readonly argument: RegExp;

  constructor({ name: project, services, flows }: Topology) {
    for (const { name, source } of flows) {
      const own: Owner = { kind: "source", name };
      const kind = `sources::${source.kind.replaceAll("-", "_")}`;
      // Of a kind that several flows have, nobody can say whose it is.
      this.drawn.set(kind, this.drawn.has(kind) ? OTHER : own);
      this.drawn.set(name, own);
    }
    for (const { name } of services) this.drawn.set(name, { kind: "service", name });
    this.member = new RegExp(`^${project}::(sources::\\w+|\\w+)::`);
    this.argument = new RegExp(`[<,] ?${project}::(sources::\\w+|\\w+)(?:::\\w+)?(?=[,>])`, "g");
  }

  /** @param caller who the frame that called it belongs to */
  of(frame: RecordedFrame, caller: Owner): Owner {
    const handler = frame.kernel ? undefined : this.handlerOf(frame.name);
    if (handler) return handler;
    if (caller.kind === "service" || caller.kind === "source") return caller;
    if (frame.kernel) return KERNEL;
    return caller === RUNTIME || isRuntime(frame.name) ? RUNTIME : OTHER;
  }

  private handlerOf(name: string): Owner | undefined {
    const member = this.member.exec(name)?.[1];
    if (member !== undefined) return this.drawn.get(member);
    if (!isRuntime(name)) return undefined;
    // The runtime's code for one handler: in it, a handler that the optimizer put there has no frame of its own.
    const named = new Set([...name.matchAll(this.argument)].map(([, one]) => this.drawn.get(one!)));
    named.delete(undefined);
    return named.size === 1 ? [...named][0] : undefined;
  }
}

const isRuntime = (name: string): boolean => name.startsWith("penstock::");
