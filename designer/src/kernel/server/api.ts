import {
  ROUTES,
  routePath,
  type ApiError,
  type RouteAnswer,
  type RouteBody,
  type RouteName,
  type RouteParams,
  type RouteRow,
} from "@penstock/codegen/contract";
import type { Problem } from "@penstock/codegen/diagnostics";
import { takeEarly } from "./early.js";
import { readToken } from "./session.js";

/** What the server refused, in its own words; `status` 0 is a server that does not answer. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly help: string,
    readonly problems: readonly Problem[],
    /** The whole answer, for the two routes that send the current version along with a 409. */
    readonly body: unknown,
  ) {
    super(message);
  }
}

let refused: () => void = () => {};
/** Called when the server answers 401: the token is no longer good. */
export const onRefused = (listener: () => void): void => {
  refused = listener;
};

type Row<Name extends RouteName> = (typeof ROUTES)[Name];
/** What goes along with the path, as the row of the contract has it. */
type Along<Name extends RouteName> = { signal?: AbortSignal } & (Row<Name> extends { ifMatch: string }
  ? { ifMatch: string }
  : unknown) &
  (Row<Name> extends { query: infer Query } ? { query?: { [Key in keyof Query]?: string } } : unknown) &
  (undefined extends RouteBody<Name> ? { body?: RouteBody<Name> } : { body: RouteBody<Name> });

type NeedsAlong<Name extends RouteName> =
  Row<Name> extends { ifMatch: string } ? true : undefined extends RouteBody<Name> ? false : true;

interface AnyAlong {
  body?: unknown;
  ifMatch?: string;
  query?: Record<string, string | undefined>;
  signal?: AbortSignal;
}

/** Null for an answer without words, undefined for words that are no JSON. */
function readAnswer(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Asks the server by a row of the contract: `ask("saveFile", { project, file }, { body, ifMatch })`. Rejects
 * with an ApiFailure when it refuses or does not answer.
 */
export async function ask<Name extends RouteName>(
  name: Name,
  params: RouteParams<Name>,
  ...rest: NeedsAlong<Name> extends true ? [Along<Name>] : [Along<Name>?]
): Promise<RouteAnswer<Name>> {
  const row: RouteRow = ROUTES[name];
  const { body, ifMatch, query, signal }: AnyAlong = rest[0] ?? {};
  const token = readToken();
  const headers: Record<string, string> = { authorization: `Bearer ${token ?? ""}` };
  const path = routePath(name, params, query);
  const sent = row.method === "post" || row.method === "put" ? JSON.stringify(body ?? {}) : undefined;
  if (sent !== undefined) headers["content-type"] = "application/json";
  if (ifMatch !== undefined) headers["if-match"] = `"${ifMatch}"`;
  const early = row.method === "get" ? await takeEarly(path) : undefined;
  if (early) return early.answer as RouteAnswer<Name>;
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      method: row.method.toUpperCase(),
      headers,
      credentials: "omit",
      cache: "no-store",
      ...(sent === undefined ? {} : { body: sent }),
      ...(signal ? { signal } : {}),
    });
    text = await response.text();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiFailure(
      0,
      "unreachable",
      "The Penstock server does not answer",
      "Start it again: npm start",
      [],
      null,
    );
  }
  const answer = readAnswer(text);
  if (response.ok && answer !== undefined) return answer as RouteAnswer<Name>;
  if (response.ok)
    throw new ApiFailure(
      response.status,
      "unreadable",
      "What the server answered cannot be read",
      "Try again; another program may be answering in its place.",
      [],
      null,
    );
  if (response.status === 401) {
    // Another page has signed in while this was on its way.
    if (![token, undefined].includes(readToken())) return ask(name, params, ...rest);
    refused();
  }
  const error = (answer as ApiError | null | undefined)?.error;
  throw new ApiFailure(
    response.status,
    error?.code ?? "unknown",
    error?.message ?? `The server answered ${response.status}`,
    error?.help ?? "",
    error?.problems ?? [],
    answer ?? null,
  );
}
