import Handlebars from "handlebars";
import type { ExpressionPlan, GeneratorPlan, NodeFieldPlan, NodeMessagePlan } from "../plan/index.js";
import { cppComment, cppString } from "./escape/cpp.js";
import { COLUMN_LIMIT } from "./escape/wrapWords.js";
import { choiceTable, generatedValue } from "./generatedValue.js";

/** A template of a node's package that cannot be used; the message says where. */
export class NodeTemplateError extends Error {
  constructor(
    readonly type: string,
    readonly file: string,
    message: string,
    /** It went on for too long, or took too much memory, and was ended. */
    readonly isTooMuch = false,
  ) {
    super(message);
  }
}

/** Stands for the number of the line after it until the text is whole; no text of a user may hold it. */
const NEXT_LINE = "\u0001";

/**
 * Templates of nodes may come with a project, so they get less than those of the house: values and
 * a few helpers, no partial, no decorator, nothing of a prototype, no name that is not there.
 */
const engine = Handlebars.create();
interface Options {
  data: { root: { file: string; request: NodeMessagePlan } };
}
const castField = (field: NodeFieldPlan, to: NodeFieldPlan): string =>
  field.cppType === to.cppType
    ? `request.${field.name}`
    : `static_cast<${to.cppType}>(request.${field.name})`;
const copiedField = (field: NodeFieldPlan, { data }: Options): string =>
  castField(data.root.request.fields.find(({ name }) => name === field.name) ?? field, field);
const HELPERS = {
  cppString: (text: string) => cppString(text),
  cppComment: (text: string, indent: number) => cppComment(text, Math.min(indent, MOST_INDENT)),
  eq: (one: unknown, other: unknown) => one === other,
  // Whether one of several lists holds something; the last argument is Handlebars' own.
  any: (...lists: unknown[]) => lists.slice(0, -1).some((list) => Array.isArray(list) && list.length > 0),
  not: (value: unknown) => value === false || value === null,
  // The user's lines between marks by which the compiler's errors are led back to them.
  expression: (value: ExpressionPlan, indent: number, options: Options) =>
    userLines(value, indent, options.data.root.file),
  // The statement that gives a field of the response its value.
  made: (value: GeneratorPlan, options: Options) => madeField(value, "response", options.data.root.file),
  // A field of the request as a value of another's type.
  cast: (field: NodeFieldPlan, to: NodeFieldPlan) => castField(field, to),
  // What a copied field of the response is assigned: the request's field of the same name.
  copied: (field: NodeFieldPlan, options: Options) => copiedField(field, options),
  // The same, moved where that is cheaper.
  moved: (field: NodeFieldPlan, options: Options) =>
    field.isMovable ? `std::move(request.${field.name})` : copiedField(field, options),
};

/** What one template may still do; rendering is synchronous, so one count serves all. */
let turnsLeft = 0;
let charactersLeft = 0;
function charge(made: unknown, times = 1): void {
  charactersLeft -= typeof made === "string" ? times * made.length : 0;
  if (charactersLeft < 0) throw new Error(`it makes more than ${MOST_CHARACTERS} characters`);
}

// What a helper makes is counted too, and it is slower work: helpers in helpers double a text with every level.
for (const [name, helper] of Object.entries(HELPERS))
  engine.registerHelper(name, (...values: unknown[]) => {
    charge(values[0], 4);
    const made = (helper as (...values: unknown[]) => unknown)(...values);
    charge(made, 4);
    return made;
  });
const eachOf = engine.helpers["each"] as Handlebars.HelperDelegate;
engine.registerHelper("each", function (this: unknown, list: unknown, options: Handlebars.HelperOptions) {
  const turn = (context: unknown, more?: Handlebars.RuntimeOptions): string => {
    if (--turnsLeft < 0) throw new Error(`it goes round more than ${MOST_TURNS} times`);
    const made = options.fn(context, more);
    charge(made);
    return made;
  };
  return eachOf.call(this, list, { ...options, fn: Object.assign(turn, options.fn) }) as string;
});

/** `holder.field = value;` in the body of a function, behind what it chooses from; its text goes through `numbered`. */
export function madeField(value: GeneratorPlan, holder: string, file: string): string {
  const head = `  ${holder}.${value.field.name} =`;
  if (value.way.kind === "expression") return head + userLines(value.way.expression, 6, file);
  const table = choiceTable(value);
  const lines =
    table === undefined ? "" : `${fitted(`  static constexpr auto ${table.name} =`, table.text)}\n`;
  return lines + fitted(head, generatedValue(value));
}

const fitted = (head: string, text: string): string =>
  head.length + text.length + 2 <= COLUMN_LIMIT ? `${head} ${text};` : `${head}\n      ${text};`;

function userLines({ expression, place }: ExpressionPlan, indent: number, file: string): string {
  const lines = expression.trim().split("\n");
  return [
    "",
    `#line 1 "topology.json#${place}"`,
    `${lines.map((line) => " ".repeat(Math.min(indent, MOST_INDENT)) + line).join("\n")};`,
    `#line ${NEXT_LINE} "${file}"`,
  ].join("\n");
}

/** What a template may not have. */
class Limits extends Handlebars.Visitor {
  override PartialStatement(): void {
    throw new Error("a template of a node has no partials");
  }
  override PartialBlockStatement(): void {
    throw new Error("a template of a node has no partials");
  }
  override Decorator(): void {
    throw new Error("a template of a node has no decorators");
  }
  override DecoratorBlock(): void {
    throw new Error("a template of a node has no decorators");
  }
}

const compiled = new Map<string, HandlebarsTemplateDelegate>();
const MOST_CHARACTERS = 1_000_000;
const MOST_TURNS = 100_000;
const MOST_INDENT = 40;

/** A template of a node's package and what it is to be rendered with; `context.file` is what it makes. */
export interface NodeTemplateUse {
  type: string;
  name: "handler.hbs" | "state.hbs";
  text: string;
  context: { file: string };
}

/** Renders a template of a node's package. Throws a NodeTemplateError. */
export function renderNodeTemplate({ type, name, text, context }: NodeTemplateUse): string {
  try {
    const template = compiled.get(text) ?? compile(text);
    compiled.set(text, template);
    turnsLeft = MOST_TURNS;
    // Text inside several loops is counted by each of them.
    charactersLeft = 8 * MOST_CHARACTERS;
    const made = template(context, {
      allowProtoPropertiesByDefault: false,
      allowProtoMethodsByDefault: false,
    });
    if (made.length > MOST_CHARACTERS) throw new Error(`it makes more than ${MOST_CHARACTERS} characters`);
    return numbered(made);
  } catch (error) {
    throw new NodeTemplateError(type, name, error instanceof Error ? error.message : String(error));
  }
}

function compile(text: string): HandlebarsTemplateDelegate {
  const program = Handlebars.parse(text);
  new Limits().accept(program);
  return engine.compile(program, {
    noEscape: true,
    strict: true,
    knownHelpers: Object.fromEntries(Object.keys(HELPERS).map((helper) => [helper, true])),
    knownHelpersOnly: true,
  });
}

/** The text with the numbers of its own lines behind each expression. */
export const numbered = (text: string): string =>
  text.includes(NEXT_LINE)
    ? text
        .split("\n")
        .map((line, at) => line.replace(`#line ${NEXT_LINE} `, `#line ${at + 2} `))
        .join("\n")
    : text;
