import { ERROR_CODE, type GeneratorPlan } from "../plan/index.js";
import { cppString } from "./escape/cpp.js";

/** C++ that makes a value: `::penstock::nodes::uniform<std::int32_t>(1, 6)`. */
export function generatedValue(value: GeneratorPlan): string {
  const { field } = value;
  if (field.cppType !== ERROR_CODE) return plainValue(value);
  return `static_cast<${ERROR_CODE}>(${plainValue({ ...value, field: { ...field, cppType: "std::int32_t" } })})`;
}

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
  if (way.kind === "choice") {
    const values = way.values.map((value) => cppLiteral(value, field));
    const element = field.isString ? "std::string_view" : cppType;
    return `::penstock::nodes::choice(std::to_array<${element}>({${values.join(", ")}}))`;
  }
  throw new Error("an expression is the user's own text");
}

/** Of a value, which an optional field takes as it is. */
const heldType = ({ cppType, isOptional }: GeneratorPlan["field"]): string =>
  isOptional ? cppType.replace(/^std::optional<(.*)>$/, "$1") : cppType;

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
