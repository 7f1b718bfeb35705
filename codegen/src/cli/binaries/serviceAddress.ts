import { doorsOf } from "../../run/index.js";
import { callService, CommandRefused, type LiveConnection } from "../../live/index.js";
import type { LiveSchema } from "../../contract/index.js";
import { EXIT } from "../verb/exitCode.js";
import { Failure, usageFailure } from "../verb/failure.js";
import { projectPlace } from "../project/projectArgument.js";
import { readBinary } from "./loadTarget.js";
import { answering, byBinary, knownProcesses, type Running } from "./runningBinaries.js";

/** Where a service is, as a binary's own code resolves it (docs/network.md). */
export interface ServiceAddress {
  /** `tcp://127.0.0.1:7400`, `binary://ads-server` */
  at: string;
  /** `Bundle/Service` */
  wireName: string;
}

const namesBinary = (scheme: string): boolean => scheme === "binary" || scheme === "local";

/** `tcp://127.0.0.1:7400/Bundle/Service`; undefined: it is none. */
export function readAddress(target: string): ServiceAddress | undefined {
  if (!target.includes("://")) return undefined;
  const [, scheme = "", authority = "", wireName = ""] =
    /^(tcp|tls|tcp\+tls|udp|udp\+keys|binary|local):\/\/([^/]+)\/([^/]+\/[^/]+)$/.exec(target) ?? [];
  if (wireName === "" || (!namesBinary(scheme) && !/:[1-9]\d*$/.test(authority)))
    throw usageFailure(
      `${JSON.stringify(target)} is no address of a service`,
      "It is one such as tcp://127.0.0.1:7400/Bundle/Service, tls://, udp://, udp+keys:// or binary://BINARY/Bundle/Service.",
    );
  return { at: `${scheme === "tcp+tls" ? "tls" : scheme}://${authority}`, wireName };
}

/** The process that listens there, of those that run here or are attached; one on another host cannot be asked. */
export async function listeningAt(at: string, project: string | undefined): Promise<Running> {
  const [, scheme = "", authority = ""] = /^([\w+]+):\/\/(.*)$/.exec(at) ?? [];
  if (namesBinary(scheme)) return readBinary(authority, project);
  const processes = await answering(
    await knownProcesses(project === undefined ? undefined : projectPlace(project).dir),
  );
  const port = /\d+$/.exec(authority)?.[0] ?? "";
  const everywhere = ["0.0.0.0", "[::]"].map((host) => `${scheme}://${host}:${port}`);
  const started = processes.filter((one) => !one.attached);
  const doors = await doorsOf(
    "",
    { name: "", listen: [at, ...everywhere] },
    started.map(({ pid }) => pid),
  );
  const pid = doors.find((door) => door.pid !== null)?.pid;
  const [found] = byBinary(started.filter((one) => one.pid === pid));
  if (found !== undefined) return found;
  throw new Failure(
    EXIT.environment,
    "PS993",
    doors.some(({ isOpen }) => isOpen)
      ? `what listens at ${at} is no process that Penstock runs here`
      : `nobody listens at ${at} on this host`,
    "A service is asked through the control address of its process: run it with `penstock run`. One elsewhere is attached, and called as BINARY/SERVICE.",
  );
}

/** What the process calls it: that of its drawing has no bundle. */
export function nameThere({ services }: LiveSchema, wireName: string): string {
  const drawn = wireName.slice(wireName.indexOf("/") + 1);
  return services.some(({ name }) => name === drawn) ? drawn : wireName;
}

/** Whether the process has published it; asked with no request, so that nothing is run. */
export async function isPublished(
  live: Pick<LiveConnection, "command">,
  wireName: string,
  graceMs: number,
): Promise<boolean> {
  try {
    await callService(live, { service: wireName, request: "" }, graceMs);
    return true;
  } catch (error) {
    if (error instanceof CommandRefused && error.data?.code === "PS757") return false;
    if (error instanceof CommandRefused) return true;
    throw error;
  }
}
