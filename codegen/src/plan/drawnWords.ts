import type { NodeRef } from "../model/topology/index.js";
import { problem, suggest, type Problem, type SuggestionBudget } from "../model/diagnostics/index.js";
import type { Rename } from "./followRenames.js";
import type { ProjectPlan, SourcePlan } from "./projectPlan.js";

/** What a file of the user's may name, by the drawing. */
export interface DrawnNames {
  calls: string[];
  flows: string[];
  request: string;
  fields: string[] | undefined;
  types: ReadonlySet<string>;
}

/** What a file names that is not drawn. */
export interface NotDrawn {
  kind: "call" | "flow" | "field" | "message";
  word: string;
  line: number;
  column: number;
}

/** The names that are drawn for the handler of `source`; undefined for files that have none (of flows). */
export function drawnNames(plan: ProjectPlan, source: SourcePlan): DrawnNames | undefined {
  const service = plan.services.find(({ node }) => node === source.node);
  if (service === undefined) return undefined;
  const request = service.requestType.startsWith("::") ? service.requestType.split("::").at(-1)! : "";
  const message = plan.messages.find(({ name }) => name === request);
  return {
    calls: service.calls.map(({ callee }) => callee),
    flows: service.inlets.map(({ flow }) => flow),
    request: message === undefined ? "" : request,
    fields: message?.fields.map(({ name }) => name),
    types: new Set([...plan.messages, ...plan.enums].map(({ name }) => name)),
  };
}

/** What else says which name is meant. */
interface Beside {
  plan: ProjectPlan;
  renames: readonly Rename[];
  /** Calls of the handler that its file does not name. */
  unnamedCalls: readonly string[];
  /** For all words of all files. */
  budget: SuggestionBudget;
}

/**
 * What most likely took the place of a word that is not drawn: what it was renamed to, else the one drawn call that
 * the file does not name yet, else the name that is nearly the same.
 */
export function nameInstead(
  { kind, word }: NotDrawn,
  names: DrawnNames,
  { plan, renames, unnamedCalls, budget }: Beside,
): string | undefined {
  if (kind === "message") return names.request;
  if (kind === "field") return suggest(word, names.fields ?? [], budget);
  const things = kind === "call" ? plan.services : plan.flows;
  // It is there, but no longer drawn for this handler: what the handler should do instead only its author knows.
  if (things.some(({ name }) => name === word)) return undefined;
  const known = kind === "call" ? names.calls : names.flows;
  const renamed = renames.reduce(
    (name, rename) =>
      rename.kind === (kind === "call" ? "service" : "flow") && rename.from === name ? rename.to : name,
    word,
  );
  if (known.includes(renamed)) return renamed;
  if (kind === "call" && unnamedCalls.length === 1) return unnamedCalls[0];
  return suggest(word, known, budget);
}

/** A word of a file that may mean what is called otherwise by now, and may mean something else. */
export interface Doubtful {
  word: string;
  line: number;
  column: number;
  /** What it may be now: a type, or in one (`of`, else ""). */
  meant: readonly { thing: string; of: string; to: string }[];
  /** It can be nothing else of the drawing. */
  isLikely: boolean;
}

/** What to say about it; a file that is no node's has no `node`. */
export function doubtfulProblem(
  { word, line, column, meant }: Doubtful,
  file: string,
  node: NodeRef | undefined,
): Problem {
  const who = node === undefined ? file : `The code of ${ownerOf(node)}`;
  const now = meant.map(({ thing, of, to }) => `the ${thing} ${word}${of && ` of ${of}`} is ${to} now`);
  const help = meant.map(
    ({ thing, of, to }) => `to ${to} where it is ${of === "" ? `the ${thing}` : `that of ${of}`}`,
  );
  return problem("PS710", "", `${who} says ${word}, and ${now.join(", ")}.`, {
    file,
    line,
    column,
    ...(node === undefined ? {} : { node }),
    help: `Change it ${help.join(", ")}.`,
  });
}

const ownerOf = (node: NodeRef): string => node.slice(node.indexOf(":") + 1);

/** What to say about it. */
export function notDrawnProblem(
  { kind, word, line, column }: NotDrawn,
  source: Pick<SourcePlan, "node">,
  file: string,
  instead: string | undefined,
): Problem {
  const owner = ownerOf(source.node);
  const says = {
    call: `calls ${word}, which is not drawn as a call of it`,
    flow: `pushes into ${word}, which is not drawn as a flow it may feed`,
    field: `reads the field ${word}, which its request does not have`,
    message: `takes the message ${word}, which is not drawn`,
  }[kind];
  const help =
    instead === undefined
      ? { call: "Draw the call, or take it out of the handler." }[kind as "call"]
      : `Change it to ${instead} in the handler.`;
  return problem("PS710", "", `The code of ${owner} ${says}.`, {
    file,
    line,
    column,
    node: source.node,
    ...(help === undefined ? {} : { help }),
  });
}
