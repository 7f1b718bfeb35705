import type { IncomingMessage } from "node:http";
import type { z } from "zod";
import {
  BINARY_NAME,
  OPAQUE_ID,
  REVISION,
  ROUTES,
  type RouteAnswer,
  type RouteBody,
  type RouteName,
  type RouteParams,
  type RouteRow,
} from "../../contract/index.js";
import { HttpRefusal } from "../http/httpRefusal.js";
import type { ServerContext } from "./context.js";

type QueryOf<Name extends RouteName> = (typeof ROUTES)[Name] extends { query: infer Query }
  ? { readonly [Key in keyof Query]?: string }
  : Record<string, never>;

/** A request as routes see it: checked against its row of the contract, with its body read. */
export interface ApiRequest<Name extends RouteName> {
  params: RouteParams<Name>;
  query: QueryOf<Name>;
  body: RouteBody<Name>;
  /** What the row says `If-Match` names; "" where it says nothing. */
  ifMatch: string;
  raw: IncomingMessage;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** What a route does; one for each row of the contract. */
export type RouteHandler<Name extends RouteName> = (
  request: ApiRequest<Name>,
  context: ServerContext,
) => Promise<RouteAnswer<Name>>;

const PARAMS: Readonly<Record<string, { form: RegExp; refusal: () => HttpRefusal }>> = {
  project: {
    form: OPAQUE_ID,
    refusal: () => new HttpRefusal(400, "id", "This is no project id", "Take it from the list."),
  },
  file: {
    form: OPAQUE_ID,
    refusal: () => new HttpRefusal(400, "id", "This is no file id", "Take it from the list."),
  },
  binary: {
    form: BINARY_NAME,
    refusal: () => new HttpRefusal(400, "binary", "This is no name of a binary"),
  },
  revision: { form: REVISION, refusal: () => new HttpRefusal(400, "revision", "This is no revision") },
};

/** Ids and names in a path; one of another form is refused before it is looked up. */
export function requireParams(params: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(params)) {
    const known = PARAMS[name];
    if (typeof value !== "string" || !known?.form.test(value))
      throw known?.refusal() ?? new HttpRefusal(400, "id", `This is no ${name}`);
  }
}

/** What the row knows of the query; the rest is nobody's. */
export function readQuery(row: RouteRow, url: string): Record<string, string> {
  const question = url.indexOf("?");
  const given = new URLSearchParams(question < 0 ? "" : url.slice(question));
  const read: Record<string, string> = {};
  for (const [name, form] of Object.entries(row.query ?? {})) {
    const value = given.get(name);
    if (value === null) continue;
    const checked = form.safeParse(value);
    if (!checked.success) throw new HttpRefusal(400, name, `This is ${issueWords(checked.error)}`);
    read[name] = checked.data;
  }
  return read;
}

const issueWords = (error: z.ZodError): string => error.issues[0]?.message ?? "of another form";

/** The revision or hash in `If-Match: "..."`, which has to be there. */
export function readIfMatch({ headers }: IncomingMessage): string {
  const header = headers["if-match"];
  if (header === undefined) {
    throw new HttpRefusal(
      428,
      "if-match",
      "Say in If-Match what you are replacing",
      'If-Match: "<revision>"',
    );
  }
  const value = /^"([0-9a-f]{1,128})"$/.exec(header)?.[1];
  if (value === undefined) throw new HttpRefusal(400, "if-match", "If-Match is not a quoted revision");
  return value;
}
