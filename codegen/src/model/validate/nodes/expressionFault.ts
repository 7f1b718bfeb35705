const LONGEST = 4000;

/** Tokens after which the next one is looked at; a raw string before the identifier it begins with. */
const TOKENS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["space", /\s+/y],
  ["comment", /\/[/*]/y],
  ["raw", /(?:u8|[uUL])?R"/y],
  ["number", /\.?\d(?:[eEpP][+-]|'?[\w.])*/y],
  ["word", /[A-Za-z_]\w*/y],
  ["text", /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'/y],
  ["quote", /["']/y],
  ["digraph", /<%|%>|%:|<:(?!:)/y],
  ["open", /[([{]/y],
  ["close", /[)\]}]/y],
  ["end", /;/y],
  ["operator", /[-+*/%^&|~!=<>?:.,]/y],
];
const CLOSES: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

/**
 * Why a text cannot stand where generated code wants one C++ expression, undefined when it can. A
 * look at its outside only: brackets, quotes, comments, lines of the preprocessor. Whether it means
 * something is the compiler's business. O(n).
 */
export function expressionFault(text: string): string | undefined {
  if (text.trim() === "") return "is empty";
  if (text.length > LONGEST) return `is longer than ${LONGEST} characters`;
  if (HIDDEN.test(text)) return "has a control or invisible character";
  if (/^[ \t]*(?:#|%:)/m.test(text)) return "has a line for the preprocessor";
  if (/(?:\\|\?\?\/)[ \t]*(?:\n|$)/.test(text)) return "has a line that ends with a backslash";
  const open: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [name, token] = tokenAt(text, at);
    if (name === "comment") return "has a comment";
    if (name === "raw") return "has a raw string";
    if (name === "quote") return `has a ${token} without its partner`;
    if (name === "digraph") return `has ${token}; write the bracket itself`;
    if (name === "end" && open.at(-1) !== "{") return "has a ; outside of a lambda's body";
    if (name === "other") return `has the character ${token}`;
    if (name === "open") open.push(token);
    if (name === "close" && CLOSES[open.pop() ?? ""] !== token)
      return `has a ${token} that closes nothing of its kind`;
    at += token.length;
  }
  return open.length === 0 ? undefined : `has a ${open.at(-1)} that is never closed`;
}

function tokenAt(text: string, at: number): readonly [name: string, token: string] {
  for (const [name, pattern] of TOKENS) {
    pattern.lastIndex = at;
    const token = pattern.exec(text)?.[0];
    if (token !== undefined) return [name, token];
  }
  return ["other", String.fromCodePoint(text.codePointAt(at) ?? 0)];
}
