import { ANY_PORT, exposeFollows } from "@penstock/codegen/rename";
import { httpOf, openness, type Binary, type HttpDoor, type Topology } from "@penstock/codegen/topology";
import { patched, type DocumentModel } from "../model.js";
import { changeBinary } from "./binaries.js";

/**
 * Has a binary take requests for a service over HTTP, or no more. One that takes none yet does so from then on at any
 * port of this machine, which goes with the last of its services.
 */
export const withExposed = (topology: Topology, binary: Binary, service: string, on: boolean): Binary =>
  on
    ? {
        ...binary,
        http: binary.http ?? ANY_PORT,
        expose: [...(binary.expose ?? []).filter((other) => other !== service), service],
      }
    : exposeFollows(topology, binary, (other) => (other === service ? undefined : other));

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
  if (door.tls !== "keys") delete door.hosts;
  return { ...binary, http: Object.keys(door).length === 1 ? address : door };
}
