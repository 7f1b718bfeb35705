import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { EditorState, type Extension } from "@codemirror/state";
import {
  callArgument,
  FAILURE_MESSAGE,
  type Message,
  type Service,
  type Topology,
} from "@penstock/codegen/topology";
import { documentStore } from "../../kernel/document/index.js";

/** One thing that may stand at the cursor. */
export interface DrawnCompletion {
  label: string;
  /** What it is: the type of a field, what a call takes and gives. */
  detail: string;
  /** Written instead of the label. */
  apply?: string;
  type: "property" | "method" | "class" | "enum" | "variable";
}

const messageOf = (topology: Topology, name: string | undefined): Message | undefined =>
  name === FAILURE_MESSAGE.name
    ? FAILURE_MESSAGE
    : topology.messages.find((message) => message.name === name);

const fieldsOf = (message: Message | undefined): DrawnCompletion[] =>
  (message?.fields ?? []).map(({ name, type, repeated, optional, key }) => ({
    label: name,
    detail: key !== undefined ? `${key} → ${type}` : repeated ? `${type}[]` : optional ? `${type}?` : type,
    type: "property",
  }));

/** Callees with their argument, which is the handler's own request where that is what they take. */
const callsOf = (topology: Topology, service: Service): DrawnCompletion[] =>
  service.calls.flatMap((name): DrawnCompletion[] => {
    const callee = topology.services.find((item) => item.name === name);
    if (!callee) return [];
    const call = `${name}(${callArgument(service, callee)})`;
    return [
      {
        label: name,
        detail: `${callee.request} → ${callee.response ?? "void"}`,
        apply: service.kind === "sync-remote" ? `${call}.get()` : call,
        type: "method",
      },
    ];
  });

/** The message that a variable of the text holds: the request, one that names its type, or an answer. */
function typeOfVariable(
  topology: Topology,
  service: Service,
  text: string,
  name: string,
): string | undefined {
  if (name === "request") return service.request;
  const declared = [...text.matchAll(new RegExp(`\\b([A-Z]\\w*)(?:\\s*[&*]+\\s*|\\s+)${name}\\b`, "g"))]
    .map((match) => match[1])
    .findLast((type) => messageOf(topology, type));
  if (declared) return declared;
  const asked = [
    ...text.matchAll(new RegExp(`\\bauto[&\\s]+${name}\\s*=\\s*(?:co_await\\s+)?calls\\.(\\w+)\\(`, "g")),
  ].at(-1)?.[1];
  return topology.services.find((item) => item.name === asked)?.response;
}

/** Follows `a.b.c` through fields that are messages. */
function typeOfPath(
  topology: Topology,
  first: string | undefined,
  path: readonly string[],
): string | undefined {
  let type = first;
  for (const step of path) {
    const field = messageOf(topology, type)?.fields.find(({ name }) => name === step);
    type = field?.repeated ? undefined : field?.type;
  }
  return type;
}

/**
 * What the drawing knows that may stand behind `before` (the text up to the cursor) in the handler of a
 * service: callees behind `calls.`, fields behind a message and in its braces, values of enums, the names of
 * all of them. `word` is how much of it is typed already. No compiler is asked. O(length of the text): it may be a
 * stranger's.
 */
export function drawnCompletions(
  topology: Topology,
  service: Service,
  before: string,
): { word: string; options: DrawnCompletion[] } {
  const enumValue = /\b([A-Z]\w*)::(\w*)$/.exec(before);
  if (enumValue) {
    const values = topology.enums.find(({ name }) => name === enumValue[1])?.values ?? [];
    return {
      word: enumValue[2] ?? "",
      options: values.map(({ name, number }) => ({ label: name, detail: String(number), type: "enum" })),
    };
  }
  const member = /(?<![\w.])([A-Za-z_]\w*(?:\.\w+)*)\.(\w*)$/.exec(before);
  if (member) {
    const [first = "", ...path] = (member[1] ?? "").split(".");
    const word = member[2] ?? "";
    if (first === "calls") return { word, options: path.length === 0 ? callsOf(topology, service) : [] };
    const type = typeOfPath(topology, typeOfVariable(topology, service, before, first), path);
    return { word, options: fieldsOf(messageOf(topology, type)) };
  }
  const designated = /(\b\w+)?(?<!\s)\s*\{(?:[^{}]*,)?\s*\.(\w*)$/.exec(before);
  if (designated) {
    const named = messageOf(topology, designated[1]);
    const answer = designated[1]?.endsWith("return") ? messageOf(topology, service.response) : undefined;
    return { word: designated[2] ?? "", options: fieldsOf(named ?? answer) };
  }
  const word = /(?<!\w)\w*$/.exec(before)?.[0] ?? "";
  if (word === "" || /[.:]\w*$/.test(before)) return { word, options: [] };
  return {
    word,
    options: [
      { label: "request", detail: service.request, type: "variable" },
      ...(service.calls.length > 0
        ? [{ label: "calls", detail: "the drawn calls", type: "variable" } as const]
        : []),
      ...topology.messages.map(({ name }) => ({ label: name, detail: "message", type: "class" }) as const),
      ...topology.enums.map(({ name }) => ({ label: name, detail: "enum", type: "enum" }) as const),
    ],
  };
}

/**
 * For the editor: `serviceName` says whose handler is open, if any one's. The source is one function for
 * the editor's life: CodeMirror forgets what it asked of one that is another at each keystroke.
 */
export function drawnCompletion(serviceName: () => string | undefined): Extension {
  const autocomplete = (context: CompletionContext): CompletionResult | null => {
    const { topology } = documentStore.getState();
    const name = serviceName();
    const service = topology.services.find((item) => item.name === name);
    if (!service) return null;
    const { word, options } = drawnCompletions(topology, service, context.state.sliceDoc(0, context.pos));
    if (options.length === 0) return null;
    return { from: context.pos - word.length, options, validFor: /^\w*$/ };
  };
  const data = [{ autocomplete }];
  return EditorState.languageData.of(() => data);
}
