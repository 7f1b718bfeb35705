import type { ProfileOwner } from "../contract/index.js";
import type { RecordedNames } from "./recordedNames.js";
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
  private readonly known = new Map<string, Owner>();
  private readonly member: RegExp;
  private readonly handler: RegExp;
  private readonly argument: RegExp;

  constructor({ namespaces, services, flows, sources }: RecordedNames) {
    for (const { flow, kind } of sources) {
      const key = `sources::${kind.replaceAll("-", "_")}`;
      // Of a kind that several flows have, nobody can say whose it is.
      this.known.set(key, this.known.has(key) ? OTHER : { kind: "source", name: flow });
    }
    for (const name of flows) this.known.set(name, { kind: "source", name });
    for (const name of services) this.known.set(name, { kind: "service", name });
    const project = `(?:${namespaces.join("|")})`;
    this.member = new RegExp(`^${project}::(sources::\\w+|\\w+)::`);
    this.handler = new RegExp(`^${project}::\\w+::(?:\\w+::)?(?:handle|event)\\b`);
    this.argument = new RegExp(`[<,] ?${project}::(sources::\\w+|\\w+)(?:::\\w+)?(?=[,>])`, "g");
  }

  /** @param caller who the frame that called it belongs to */
  of(frame: RecordedFrame, caller: Owner): Owner {
    const handler = frame.kernel ? undefined : this.handlerOf(frame.name);
    if (handler) return handler;
    if (caller.kind === "service" || caller.kind === "source") return caller;
    if (frame.kernel) return KERNEL;
    // A handler that nobody knows the service of is somebody's all the same, and no work of the runtime's.
    if (this.handler.test(frame.name)) return OTHER;
    return caller === RUNTIME || isRuntime(frame.name) ? RUNTIME : OTHER;
  }

  private handlerOf(name: string): Owner | undefined {
    const member = this.member.exec(name)?.[1];
    if (member !== undefined) return this.known.get(member);
    if (!isRuntime(name)) return undefined;
    // The runtime's code for one handler: in it, a handler that the optimizer put there has no frame of its own.
    const named = new Set([...name.matchAll(this.argument)].map(([, one]) => this.known.get(one!)));
    named.delete(undefined);
    return named.size === 1 ? [...named][0] : undefined;
  }
}

const isRuntime = (name: string): boolean => name.startsWith("penstock::");
