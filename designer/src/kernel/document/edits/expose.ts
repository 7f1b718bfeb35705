import { httpOf, type Binary, type HttpDoor } from "@penstock/codegen/topology";
import { patched, type DocumentModel } from "../model.js";
import { changeBinary } from "./binaries.js";

/** On this machine, at any port that is free. */
export const ANY_PORT = "127.0.0.1:0";

/**
 * Has a binary take requests for a service over HTTP, or no more. One that takes none yet does so from then on at any
 * port of this machine.
 */
export function withExposed(binary: Binary, service: string, on: boolean): Binary {
  const left = (binary.expose ?? []).filter((other) => other !== service);
  if (on) return { ...binary, http: binary.http ?? ANY_PORT, expose: [...left, service] };
  return patched(binary, { expose: left.length > 0 ? left : undefined });
}

/** The same in a drawing. */
export const expose = (model: DocumentModel, name: string, service: string, on: boolean): DocumentModel =>
  changeBinary(model, name, (found) => withExposed(found, service, on));

/** What of `http` is set; undefined: is no more. */
export type HttpChange = { [K in keyof HttpDoor]?: HttpDoor[K] | undefined };

/** Where a binary takes HTTP, in the short form where that says all; no address: nowhere. */
export function withHttp(binary: Binary, change: HttpChange): Binary {
  const { address = "", ...rest } = patched<Partial<HttpDoor>>(httpOf(binary) ?? {}, change);
  if (address === "") return patched(binary, { http: undefined });
  return { ...binary, http: Object.keys(rest).length === 0 ? address : { address, ...rest } };
}
