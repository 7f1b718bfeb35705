import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import { HttpRefusal } from "./httpRefusal.js";
import type { ServerContext } from "./context.js";
import { isId } from "../workspace/index.js";

/** A request as routes see it: checked, with its body read. */
export interface ApiRequest<Body> {
  params: Record<string, string>;
  query: URLSearchParams;
  body: Body;
  raw: IncomingMessage;
}

export interface Route {
  method: "get" | "post" | "put" | "delete";
  /** Express path; `:id` parameters named project, file, revision, binary are checked by form. */
  path: string;
  /** Largest body in bytes. */
  limit?: number;
  body?: z.ZodType;
  /** Answered without a token. */
  open?: boolean;
  handle(request: ApiRequest<unknown>, context: ServerContext): Promise<unknown>;
}

/** Ties the type of the body to its schema. */
export function defineRoute<Schema extends z.ZodType = z.ZodUndefined>(route: {
  method: Route["method"];
  path: string;
  limit?: number;
  body?: Schema;
  open?: boolean;
  handle(request: ApiRequest<z.infer<Schema>>, context: ServerContext): Promise<unknown>;
}): Route {
  return route;
}

const BINARY_NAME = /^[a-z][a-z0-9_-]{0,63}$/;

/** A path parameter that is an id; anything else is refused before it is looked up. */
export function idParam(request: ApiRequest<unknown>, name: "project" | "file"): string {
  const value = request.params[name] ?? "";
  if (!isId(value)) throw new HttpRefusal(400, "id", `this is no ${name} id`, "Take it from the list.");
  return value;
}

export function binaryParam(request: ApiRequest<unknown>): string {
  const value = request.params["binary"] ?? "";
  if (!BINARY_NAME.test(value)) throw new HttpRefusal(400, "binary", "this is no name of a binary");
  return value;
}

/** The revision or hash in `If-Match: "..."`, which has to be there. */
export function ifMatch(request: ApiRequest<unknown>): string {
  const header = request.raw.headers["if-match"];
  if (header === undefined) {
    throw new HttpRefusal(
      428,
      "if-match",
      "say in If-Match what you are replacing",
      'If-Match: "<revision>"',
    );
  }
  const value = /^"([0-9a-f]{1,128})"$/.exec(header)?.[1];
  if (value === undefined) throw new HttpRefusal(400, "if-match", "If-Match is not a quoted revision");
  return value;
}
