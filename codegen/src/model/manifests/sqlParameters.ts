/** A statement as a database takes it, and the fields that are bound to its `?`, in their order. */
export interface SqlStatement {
  sql: string;
  parameters: string[];
}

/**
 * `SELECT ... WHERE id = :id` with `?` in the place of each `:field`. What stands in quotes or in a
 * comment is left alone, `::` and `:=` too.
 */
export function sqlStatement(text: string): SqlStatement {
  const parameters: string[] = [];
  const sql = text.replace(PIECE, (piece: string, name: string | undefined) => {
    if (name === undefined) return piece;
    parameters.push(name);
    return "?";
  });
  return { sql, parameters };
}

/** The statement with `:from` as `:to`. */
export const renameParameter = (text: string, from: string, to: string): string =>
  text.replace(PIECE, (piece, name: string | undefined) => (name === from ? `:${to}` : piece));

/** Texts, names in quotes, comments, and the two uses of a colon that are none of ours; else a parameter. */
const PIECE =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|--[^\n]*|\/\*[\s\S]*?\*\/|::|:=|:([A-Za-z_][A-Za-z0-9_]*)/g;

/** Why a statement cannot be taken; undefined when it can. */
export function sqlFault(text: string): string | undefined {
  const bare = text.replace(PIECE, (piece: string, name: string | undefined) => (name ? piece : " "));
  if (bare.trim() === "") return "is empty";
  if (/;\s*\S/.test(bare)) return "holds more than one statement";
  if (/['"`]/.test(bare)) return "has a quote without its partner";
  if (bare.includes("?")) return "has a ?: name the field instead, as in :id";
  return undefined;
}
