import { ERROR_CODE, type GeneratorPlan } from "../plan/index.js";
import { cppString } from "./escape/cpp.js";

/** C++ that makes a value: `::penstock::nodes::uniform<std::int32_t>(1, 6)`. What it chooses from is choiceTable(). */
export function generatedValue(value: GeneratorPlan): string {
  const made = plainValue(value);
  return value.field.cppType === ERROR_CODE ? `static_cast<${ERROR_CODE}>(${made})` : made;
}

/** The table that a value is chosen from, made by the compiler: what it is called, and what it is. */
export function choiceTable({ field, way }: GeneratorPlan): { name: string; text: string } | undefined {
  if (way.kind !== "choice") return undefined;
  const values = way.values.map((value) => cppLiteral(value, field));
  const element = field.isString ? "std::string_view" : heldType(field);
  return { name: tableName(field), text: `std::to_array<${element}>({${values.join(", ")}})` };
}

const tableName = ({ name }: GeneratorPlan["field"]): string => `choices_${name}`;

function plainValue({ field, way }: GeneratorPlan): string {
  const cppType = heldType(field);
  if (way.kind === "uniform") {
    const bounds = [way.least, way.greatest].map((bound) => cppNumber(bound, field.type));
    return `::penstock::nodes::uniform<${cppType}>(${bounds.join(", ")})`;
  }
  if (way.kind === "sequence") {
    const start = way.start === 0 ? "" : `${way.start} + `;
    return field.type === "uint64" && start === "" ? "sequence" : `static_cast<${cppType}>(${start}sequence)`;
  }
  if (way.kind === "choice") return `::penstock::nodes::choice(${tableName(field)})`;
  throw new Error("an expression is the user's own text");
}

/** Of a value, which an optional field takes as it is; an error code is made as its number. */
function heldType({ cppType, isOptional }: GeneratorPlan["field"]): string {
  if (cppType === ERROR_CODE) return "std::int32_t";
  return isOptional ? cppType.replace(/^std::optional<(.*)>$/, "$1") : cppType;
}

function cppLiteral(value: string | number | boolean, field: GeneratorPlan["field"]): string {
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") return cppNumber(value, field.type);
  return field.isEnum ? `${heldType(field)}::${value}` : cppString(value);
}

/** A number as a literal of its type; what JSON prints, C++ reads. */
function cppNumber(value: number, type: string): string {
  if (type !== "float" && type !== "double") return type.startsWith("u") ? `${value}U` : String(value);
  const text = String(value);
  const real = /[.e]/.test(text) ? text : `${text}.0`;
  return type === "float" ? `${real}F` : real;
}
