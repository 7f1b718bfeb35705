import { httpOf, openness, type Binary, type HttpDoor, type Topology } from "@penstock/codegen/topology";
import { patched, type DocumentModel } from "../model.js";
import { changeBinary } from "./binaries.js";

/** On this machine, at any port that is free. */
export const ANY_PORT = "127.0.0.1:0";

/**
 * Has a binary take requests for a service over HTTP, or no more. One that takes none yet does so from then on at any
 * port of this machine, which goes with the last of its services: no port is open for nothing.
 */
export function withExposed(topology: Topology, binary: Binary, service: string, on: boolean): Binary {
  const left = (binary.expose ?? []).filter((other) => other !== service);
  if (on) return { ...binary, http: binary.http ?? ANY_PORT, expose: [...left, service] };
  if (left.length > 0) return { ...binary, expose: left };
  const isIdle = binary.http === ANY_PORT && !takesEvents(topology, binary);
  return patched(binary, isIdle ? { expose: undefined, http: undefined } : { expose: undefined });
}

/** Whether a flow of a binary has its events from HTTP. */
function takesEvents({ bundles, flows }: Topology, binary: Binary): boolean {
  const served = bundles
    .filter(({ name }) => binary.bundles.includes(name))
    .flatMap((bundle) => bundle.flows);
  return flows.some(({ name, source }) => source.kind === "http" && served.includes(name));
}

/** The same in a drawing. */
export const expose = (model: DocumentModel, name: string, service: string, on: boolean): DocumentModel =>
  changeBinary(model, name, (found) => withExposed(model.topology, found, service, on));

/** What of `http` is set; undefined: is no more. */
export type HttpChange = { [K in keyof HttpDoor]?: HttpDoor[K] | undefined };

/**
 * Where a binary takes HTTP, in the short form where that says all; no address: nowhere. Why it may be open is forgotten where
 * it is not: that was said of how it was open then, and would silence the warning when it is opened again.
 */
export function withHttp(binary: Binary, change: HttpChange): Binary {
  const { address = "", ...rest } = patched<Partial<HttpDoor>>(httpOf(binary) ?? {}, change);
  if (address === "") return patched(binary, { http: undefined });
  const door: HttpDoor = { address, ...rest };
  if (openness(door).length === 0) delete door.accepted;
  return { ...binary, http: Object.keys(door).length === 1 ? address : door };
}
