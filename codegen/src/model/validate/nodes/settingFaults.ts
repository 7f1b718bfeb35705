import { quote, quoteList, type ProblemDetails } from "../../diagnostics/index.js";
import {
  baseUrlFault,
  counts,
  fieldFits,
  isRpcMethod,
  isVariable,
  sqlFault,
  sqlStatement,
  textPieces,
  urlFault,
  type NodePorts,
  type SettingFormat,
  type SettingSchema,
} from "../../manifests/index.js";
import { LONGEST_TEXT } from "../../settings/index.js";
import { FAILURE, FASTEST_RATE, type Message, type TopologyIndex } from "../../topology/index.js";
import { isHttpPath, isInside } from "./paths.js";
import type { Codes, Place, RuleContext } from "../rule/rule.js";
import { expressionFault } from "./expressionFault.js";
import { generatorFault } from "./generatorFault.js";

/** What is wrong with a setting, whoever it is of. */
export const SETTING_CODES = {
  PS321: {
    severity: "error",
    title: "Unknown setting of a node or source",
    explanation: "The manifest has no such setting; ignoring it would drop what was meant.",
    help: "Remove it, or use a setting that `penstock nodes` lists.",
  },
  PS322: {
    severity: "error",
    title: "Setting of a node or source is missing",
    explanation: "It cannot work without this setting, and there is no value that would suit everybody.",
    help: "Add the setting.",
  },
  PS323: {
    severity: "error",
    title: "Setting of a node or source of the wrong type or range",
    explanation: "The manifest says which values a setting takes.",
    help: "Use a value that the manifest allows.",
  },
  PS324: {
    severity: "error",
    title: "Setting of a node names no such field or value",
    explanation:
      "The setting names a field of the request or response, or a value of its enum, that is not there or cannot be used there.",
    help: "Choose a field or value that is there.",
  },
  PS325: {
    severity: "error",
    title: "Not one C++ expression",
    explanation:
      "The expression is put into generated code. Its brackets and quotes are closed, it has no comment, no raw string, no line for the preprocessor, and no `;` outside of a lambda's body.",
    help: "Write one C++ expression.",
  },
} satisfies Codes;
type SettingCode = keyof typeof SETTING_CODES;

/** Checks the settings of one node, or one source, against its manifest. */
export class SettingChecker {
  constructor(
    private readonly context: Pick<RuleContext<SettingCode>, "report" | "didYouMean">,
    /** The rule's: settings may name them. */
    private readonly codes: Codes,
    private readonly index: TopologyIndex,
    private readonly ports: NodePorts,
  ) {}

  check(schema: SettingSchema, value: unknown, place: Place): void {
    const key = quote(String(place[place.length - 1]));
    if (!isOfType(schema, value)) {
      const wanted = WORDS[schema.type];
      this.fault(this.codeOf(schema), place, `${key} is ${kindOf(value)}, not ${wanted}`, {
        help: `Write ${wanted}.`,
      });
    } else if (typeof value === "string") this.text(schema, value, place, key);
    else if (typeof value === "number") this.number(schema, value, place, key);
    else if (Array.isArray(value)) this.list(schema, value, place, key);
    else if (typeof value === "object" && value !== null)
      this.object(schema, value as Record<string, unknown>, place);
  }

  private object(schema: SettingSchema, value: Record<string, unknown>, place: Place): void {
    if (schema.additionalProperties !== undefined) {
      for (const [key, item] of Object.entries(value)) {
        const names = schema.propertyNames;
        if (names !== undefined) this.named(names.format, names.fieldTypes, key, [...place, key]);
        if (schema.additionalProperties.format === "generator") this.generator(key, item, place);
        else this.check(schema.additionalProperties, item, [...place, key]);
      }
      return;
    }
    const properties = schema.properties ?? {};
    for (const [key, item] of Object.entries(value)) {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (property !== undefined) {
        // Of one that does not count the form has no row, and nothing is generated from it.
        if (counts(property, properties, value)) this.check(property, item, [...place, key]);
      } else
        this.fault(
          "PS321",
          [...place, key],
          `There is no setting ${quote(key)}`,
          this.context.didYouMean(key, Object.keys(properties)),
        );
    }
    for (const key of schema.required ?? [])
      if (!Object.hasOwn(value, key) && counts(properties[key] ?? { type: "string" }, properties, value))
        this.fault("PS322", place, `The setting ${quote(key)} is missing`);
  }

  private generator(name: string, value: unknown, place: Place): void {
    const field = this.ports.response?.fields.find((candidate) => candidate.name === name);
    const fault = field && generatorFault(value, field, this.index);
    if (fault !== undefined)
      this.fault(
        fault.code === "expression" ? "PS325" : "PS323",
        [...place, name, ...fault.inner],
        fault.message,
      );
  }

  private list(schema: SettingSchema, value: readonly unknown[], place: Place, key: string): void {
    const { minItems = 0, maxItems = 1000, items } = schema;
    if (value.length < minItems || value.length > maxItems)
      this.fault("PS323", place, `${key} has ${value.length} entries, not ${minItems} to ${maxItems}`);
    if (items !== undefined) value.forEach((item, at) => this.check(items, item, [...place, at]));
  }

  private number(schema: SettingSchema, value: number, place: Place, key: string): void {
    const isRate = schema.format === "rate";
    const { minimum = isRate ? 0 : -Infinity, maximum = isRate ? FASTEST_RATE : Infinity } = schema;
    if (value >= minimum && value <= maximum) return;
    const range =
      maximum === Infinity
        ? `at least ${minimum}`
        : minimum === -Infinity
          ? `at most ${maximum}`
          : `${minimum} to ${maximum}`;
    this.fault(this.codeOf(schema), place, `${key} is ${value}, not ${range}`, { help: `Use ${range}.` });
  }

  private text(schema: SettingSchema, value: string, place: Place, key: string): void {
    if (schema.enum !== undefined && !schema.enum.includes(value)) {
      const details = {
        help: `Use one of ${quoteList(schema.enum)}.`,
        ...this.context.didYouMean(value, schema.enum),
      };
      this.fault(
        this.codeOf(schema),
        place,
        `${key} is ${quote(value)}, not one of ${quoteList(schema.enum)}`,
        details,
      );
      return;
    }
    const { minLength = 0, maxLength = LONGEST_TEXT } = schema;
    if (value.length < minLength || value.length > maxLength) {
      const what = minLength === 1 && value === "" ? "is empty" : `has ${value.length} characters`;
      this.fault(this.codeOf(schema), place, `${key} ${what}, not ${minLength} to ${maxLength} characters`);
      return;
    }
    if (schema.format !== undefined)
      this.named(schema.format, schema.fieldTypes, value, place, this.codeOf(schema));
  }

  private named(
    format: SettingFormat,
    types: readonly string[] | undefined,
    value: string,
    place: Place,
    code: SettingCode = "PS323",
  ): void {
    const { request, decides } = this.ports;
    if (format === "cpp-expression") {
      const fault = expressionFault(value);
      if (fault !== undefined) this.fault("PS325", place, `The expression ${quote(value)} ${fault}`);
    } else if (format === "field-of-request") this.field(request, types, value, place);
    else if (format === "field-of-response") this.result(types, value, place);
    else if (format === "enum-value" && decides !== undefined && !decides.values.includes(value)) {
      const message = `${quote(value)} is no value of ${quote(decides.field.type)}`;
      this.fault("PS324", place, message, this.context.didYouMean(value, decides.values));
    } else if (format === "path" && !isInside(value)) {
      const help = "Write a path such as out/orders.jsonl, from the folder that the binary is started in.";
      this.fault(code, place, `${quote(value)} is no file below the folder of the project`, { help });
    } else if (format === "http-path" && !isHttpPath(value)) {
      this.fault(code, place, `${quote(value)} is no path that requests can have`, {
        help: "Use a path such as `/mo`.",
      });
    } else if (format === "environment-variable" && !isVariable(value)) {
      // Not quoted: it may be what was to be kept out of the drawing.
      this.fault(code, place, "This is no name of an environment variable", {
        help: "Use letters, digits, _, - and dots, such as ORDERS_PASSWORD; what it holds is given to the binary where it runs.",
      });
    } else if (format === "text") this.textWithFields(value, place);
    else if (format === "url") this.url(value, place);
    else if (format === "base-url") this.baseUrl(value, place);
    else if (format === "rpc-method" && !isRpcMethod(value)) {
      const help = "Write its package, service and name such as shop.Prices/GetPrice.";
      this.fault(code, place, `${quote(value)} is no full name of a method`, { help });
    } else if (format === "sql") this.statement(value, place);
  }

  /** A field of the response that the node writes: an error code is an int32 by the wire, and no figure. */
  private result(types: readonly string[] | undefined, value: string, place: Place): void {
    const { response } = this.ports;
    if (response?.name === FAILURE && value === "code" && types?.includes("int32") && !types.includes("enum"))
      this.fault("PS324", place, `The field "code" of ${quote(FAILURE)} is an error code`, {
        help: "Choose a field that holds a number.",
      });
    else this.field(response, types, value, place);
  }

  private url(value: string, place: Place): void {
    const fault = urlFault(value);
    const help = "Write a URL such as http://127.0.0.1:8080/orders/{id}.";
    if (fault !== undefined) this.fault("PS323", place, `The URL ${quote(value)} ${fault}`, { help });
    this.fieldsIn(value, place);
  }

  private baseUrl(value: string, place: Place): void {
    const fault = baseUrlFault(value);
    const help = "Write a URL such as http://127.0.0.1:8080/twirp.";
    if (fault !== undefined) this.fault("PS323", place, `The URL ${quote(value)} ${fault}`, { help });
  }

  private statement(value: string, place: Place): void {
    const fault = sqlFault(value);
    if (fault !== undefined) this.fault("PS323", place, `The statement ${fault}`);
    for (const name of new Set(sqlStatement(value).parameters)) this.parameter(name, place);
  }

  private parameter(name: string, place: Place): void {
    const { request } = this.ports;
    const field = request?.fields.find((candidate) => candidate.name === name);
    if (field === undefined) return this.field(request, ["any"], name, place);
    const many = field.repeated === true || field.length !== undefined;
    const isMessage = this.index.messages.has(field.type) || field.type === FAILURE;
    if (many || isMessage || field.type === "buffer")
      this.fault(
        "PS324",
        place,
        `The field ${quote(name)} of ${quote(request?.name ?? "")} is no value that a statement takes`,
        {
          help: "Choose a field that holds one value.",
        },
      );
  }

  private textWithFields(value: string, place: Place): void {
    const pieces = textPieces(value);
    if (pieces === undefined) {
      const help = "Write {{ and }} for braces that stand for themselves.";
      this.fault("PS323", place, `${quote(value)} has a brace without its partner`, { help });
      return;
    }
    this.fieldsIn(value, place);
  }

  private fieldsIn(text: string, place: Place): void {
    for (const piece of textPieces(text) ?? [])
      if ("field" in piece) this.field(this.ports.request, undefined, piece.field, place);
  }

  private field(
    message: Message | undefined,
    types: readonly string[] | undefined,
    name: string,
    place: Place,
  ): void {
    // A message that does not exist is reported where it is named.
    if (message === undefined) return;
    const field = message.fields.find((candidate) => candidate.name === name);
    if (field === undefined) {
      const names = message.fields.map((candidate) => candidate.name);
      const details = this.context.didYouMean(name, names);
      this.fault("PS324", place, `${quote(message.name)} has no field ${quote(name)}`, details);
    } else if (types?.[0] !== "any" && !fieldFits(field, types, this.index)) {
      const what = `The field ${quote(name)} of ${quote(message.name)}`;
      if (field.optional === true && fieldFits({ ...field, optional: false }, types, this.index)) {
        const help = "Choose a field that is always there, or take its `optional` away.";
        this.fault("PS324", place, `${what} may be left out`, { help });
        return;
      }
      const help =
        types === undefined
          ? "Choose a field that holds one value."
          : types.includes("list-of-message")
            ? "Choose a repeated field of a message."
            : `Choose a field of ${quoteList(types)}.`;
      const is =
        field.repeated || field.length !== undefined
          ? "holds several values"
          : `is of type ${quote(field.type)}`;
      this.fault("PS324", place, `${what} ${is}`, { help });
    }
  }

  private fault(code: SettingCode, place: Place, message: string, details: ProblemDetails = {}): void {
    this.context.report(code, place, message, details);
  }

  /** What is wrong with a value is a setting's own code, where it has one. */
  private codeOf({ code = "" }: SettingSchema): SettingCode {
    return Object.hasOwn(this.codes, code) ? (code as SettingCode) : "PS323";
  }
}

function isOfType({ type }: SettingSchema, value: unknown): boolean {
  if (type === "integer") return Number.isSafeInteger(value);
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
}

const WORDS: Readonly<Record<SettingSchema["type"], string>> = {
  string: "a string",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? `the string ${quote(value)}` : JSON.stringify(value);
}
