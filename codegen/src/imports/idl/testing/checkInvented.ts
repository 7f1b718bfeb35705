import type { Random } from "../../../model/topology/testing/random.js";
import { IdlError } from "../error.js";
import { parseIdl } from "../parseIdl.js";
import { typeText, type IdlFile, type Member, type Type } from "../syntax.js";
import { inventedFile, spoiled } from "./invented.js";

const memberText = ({ name, type }: Member): string =>
  `${typeText({ of: type.of })} ${name}${type.length === undefined ? "" : `[${type.length}]`}`;
const returned = (of: Type["of"] | undefined): string => (of === undefined ? "void" : typeText({ of }));

/** What a file says, as an invented one says it. */
export const sayingsOf = ({ definitions }: IdlFile): string[] =>
  definitions.map((definition) => {
    const inside =
      definition.kind === "struct"
        ? definition.members.map(memberText)
        : definition.operations.map(
            ({ name, returns, parameters }) =>
              `${returned(returns)} ${name}(${parameters.map((one) => `${one.direction} ${memberText(one)}`).join(", ")})`,
          );
    return `${definition.kind} ${definition.path.join("::")}{${inside.join("; ")}}`;
  });

/** Reads an invented file and spoiled ones: what is wrong with how they are read. */
export function checkInvented(random: Random): string[] {
  const { text, said } = inventedFile(random);
  const read = parseIdl(text);
  const wrong: string[] = [];
  if (JSON.stringify(sayingsOf(read)) !== JSON.stringify(said) || read.leftOut.length > 0)
    wrong.push(`read as ${JSON.stringify(read.leftOut)} ${sayingsOf(read).join("\n")}:\n${text}`);
  for (let round = 0; round < 4; round++) wrong.push(...whatIsWrong(spoiled(random, text)));
  return wrong;
}

function whatIsWrong(text: string): string[] {
  const lines = text.split(/\r\n|\r|\n/);
  const isIn = (line: number): boolean => line >= 1 && line <= lines.length;
  try {
    const { leftOut } = parseIdl(text);
    return leftOut.some(({ line, name, reason }) => !isIn(line) || name === "" || reason === "")
      ? [`left out nowhere: ${JSON.stringify(leftOut)}\n${text}`]
      : [];
  } catch (error) {
    if (!(error instanceof IdlError)) throw error;
    const { line, column, message } = error;
    const width = Array.from(lines[line - 1] ?? "").length;
    return isIn(line) && column >= 1 && column <= width + 1 && !/undefined|NaN/.test(message)
      ? []
      : [`refused at ${line}:${column} of ${lines.length} lines: ${message}\n${text}`];
  }
}
