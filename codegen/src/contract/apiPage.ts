import { z } from "zod";
import { COMMAND_METHODS, COMMANDS, commandUsage, type CommandMethod } from "./commands.js";
import { ASKED_ROWS, cellNames, LIVE_ROWS, TRACE_ROWS, type RowKind } from "./liveRows.js";
import { REQUEST_METHODS, REQUESTS, type RequestMethod } from "./requests.js";
import { ROUTES, type RouteRow } from "./routes.js";
import { SOCKET_PATH } from "./names.js";
import { clientMessageSchema, serverMessageSchema } from "./socket.js";

interface JsonSchema {
  type?: string;
  const?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

const jsonSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { unrepresentable: "any", io: "input" }) as JsonSchema;

/** `{name, example?}`: keys with `?` where they may be left out; `[...]` is a list. */
function shape({ type, properties, required = [], items, anyOf }: JsonSchema): string {
  if (properties)
    return `{${Object.keys(properties)
      .map((key) => (required.includes(key) ? key : `${key}?`))
      .join(", ")}}`;
  if (items) return `[${shape(items)}]`;
  const named = anyOf?.map(shape).filter((text) => text !== "any");
  if (named && named.length > 0) return named.join(" or ");
  return type === "object" ? "{...}" : (type ?? "any");
}

const code = (text: string): string => `\`${text}\``;

function routeText({ method, path, does, body, answer, ifMatch, query, open }: RouteRow): string {
  const asked = body === undefined ? "" : shape(jsonSchema(body));
  const extras = [
    asked === "" || asked === "any" ? "" : `Takes ${code(asked)}.`,
    ...Object.keys(query ?? {}).map((name) => `May be asked with ${code(`?${name}=NAME`)}.`),
    ifMatch ? `${code("If-Match")} names the ${ifMatch} that is replaced.` : "",
    open ? "Needs no token." : "",
    `Answers ${code(shape(jsonSchema(answer)))}.`,
  ];
  return `- ${code(`${method.toUpperCase()} ${path}`)} ${does}. ${extras.filter(Boolean).join(" ")}`;
}

const messageText = (schema: z.ZodType): string => {
  const { properties = {} } = jsonSchema(schema);
  const { type, ...rest } = properties;
  const keys = Object.keys(rest);
  return `- ${code(String(type?.const))}${keys.length === 0 ? "" : `: ${keys.map(code).join(", ")}`}`;
};

type Asked = Record<"params" | "result", z.ZodType> & { does: string };
const askedText = (usage: string, { does, params, result }: Asked): string =>
  `- ${code(usage)} ${does}. Parameters ${code(shape(jsonSchema(params)))}, result ${code(shape(jsonSchema(result)))}.`;
const commandText = (method: CommandMethod): string =>
  askedText(`${method} ${commandUsage(method)}`, COMMANDS[method]);
const requestText = (method: RequestMethod): string => askedText(method, REQUESTS[method]);

const rowText = (name: string, row: RowKind): string =>
  `- ${code(`${name}${row.optional ? "?" : ""}`)} ${code(`[${cellNames(row).join(", ")}]`)}: ${row.says}.`;
const rowTexts = (rows: Readonly<Record<string, RowKind>>): string =>
  Object.entries(rows)
    .map(([name, row]) => rowText(name, row))
    .join("\n");

/** The table of `docs/cli.md`: what `penstock set` is given, and what that does. */
export function commandTable(): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const rows = COMMAND_METHODS.map((method) => [
    cell(code(`${method} ${commandUsage(method)}`)),
    cell(COMMANDS[method].does),
  ]);
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (texts: readonly string[], fill: string): string =>
    `| ${texts.map((text, at) => text.padEnd(widths[at] ?? 0, fill)).join(" | ")} |\n`;
  return [line(["command", "does"], " "), line(["", ""], "-"), ...rows.map((row) => line(row, " "))].join("");
}

/** `docs/cli.md` with that table under its heading. */
export const withCommandTable = (page: string): string =>
  page.replace(/(?<=^## Commands of `set`\n\n(?:<!--.*-->\n\n)?)(?:\|.*\n)+/m, () => commandTable());

/** The text of `docs/api.md`: what server, browser and binary say to each other. */
export const apiPage = (): string => `# What server, browser and binary say to each other

<!-- Made by \`npx tsx codegen/tools/writePages.ts\` from codegen/src/contract; do not edit. -->

For tools that talk to the designer's server as its page does. The server listens on this machine only; every
request but the sign-in carries \`Authorization: Bearer TOKEN\`, changes carry the server's own \`Origin\`, and bodies
are JSON. What is not 2xx is \`{error: {code, message, help, problems?}}\`; [errors.md](errors.md) has the codes of
problems. A key with \`?\` may be left out. \`GET /healthz\` needs no token and answers \`{ok}\`, 200 once requests are taken
and 503 before and while the server ends.

## Routes

${Object.values<RouteRow>(ROUTES).map(routeText).join("\n")}

## Socket

\`WS ${SOCKET_PATH}\` with the subprotocols \`penstock\` and \`token.TOKEN\`. A browser says:

${clientMessageSchema.options.map(messageText).join("\n")}

and is told about the project it opened, states at once, then changes; samples are the latest ones, and a slow
browser skips some:

${serverMessageSchema.options.map(messageText).join("\n")}

## Samples of a running binary

On \`WS /live\` of its control port a binary says a \`schema\`, which gives every id its name, and again when threads, pins
or rates change; then a \`sample\` at every interval. Its lists have rows of these cells, in this order. Counters are
totals since the start of the process; times are microseconds unless the name says otherwise, \`p50\` to \`mean\` those of
the last second; \`null\` stands for no figure yet. What has \`?\` is left out by binaries built before it was sent, or
while there is nothing to say.

${rowTexts(LIVE_ROWS)}

\`traces?\` has of each flow the sampled event that ended last, while that is not long ago; it may come again, with calls
that ended since: \`[flow, startedMs, totalUs, outcome, steps, calls?]\`, when it was emitted on the clock of \`t\` (with the flow
this names the event) and how it ended, \`completed\`, \`failed\` or \`dropped\`. Its lists have rows, too:

${rowTexts(TRACE_ROWS)}

## Commands to a running binary

JSON-RPC 2.0 on \`WS /live\` of its control port, and \`penstock set\`:

${COMMAND_METHODS.map(commandText).join("\n")}

What changes no setting is asked there, too, and \`penstock set\` has no words for it:

${REQUEST_METHODS.map(requestText).join("\n")}

The end of a \`service.call\` has rows as samples have, with names in the place of ids:

${rowTexts(ASKED_ROWS)}
`;
