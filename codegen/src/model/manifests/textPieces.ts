/** A part of a text: words as they are, or the name of a field whose value stands there. */
export type TextPiece = { literal: string } | { field: string };

const PIECE = /\{\{|\}\}|\{([^{}]*)\}|[{}]/g;

/**
 * The parts of a text such as `order {id}`; `{{` and `}}` are braces. Undefined when a brace has no
 * partner.
 */
export function textPieces(text: string): TextPiece[] | undefined {
  const pieces: TextPiece[] = [];
  let literal = "";
  let last = 0;
  for (const match of text.matchAll(PIECE)) {
    literal += text.slice(last, match.index);
    last = match.index + match[0].length;
    if (match[0] === "{{" || match[0] === "}}") literal += match[0][0] ?? "";
    else if (match[1] === undefined) return undefined;
    else {
      if (literal !== "") pieces.push({ literal });
      literal = "";
      pieces.push({ field: match[1].trim() });
    }
  }
  literal += text.slice(last);
  if (literal !== "") pieces.push({ literal });
  return pieces;
}

/** The text with `{from}` as `{to}`. */
export const renamePiece = (text: string, from: string, to: string): string =>
  text.replace(PIECE, (piece, field: string | undefined) => (field?.trim() === from ? `{${to}}` : piece));
