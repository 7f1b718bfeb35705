import { PositionCounter, type Position } from "../../model/text/index.js";
import { IdlError } from "./error.js";

export interface Comment {
  /** Without its marks, line breaks kept. */
  text: string;
  line: number;
  lastLine: number;
  /** Something else stands before it in its line. */
  trails: boolean;
}

export interface Token extends Position {
  /** `directive`: a line from its `#` on. */
  kind: (typeof KINDS)[number][1] | "end";
  text: string;
  /** The comments since the token before. */
  comments: readonly Comment[];
}

/** One of these is everywhere: {@link SPACE} and so on are their groups. A number has with it what makes it no whole one, so that messages show all of it. */
const WORDS = new RegExp(
  [
    /([\s\uFEFF]+)/,
    /(\/\/[^\n\r]*|\/\*[^]*?\*\/)/,
    /([A-Za-z_][A-Za-z0-9_]*)/,
    /([0-9][0-9A-Za-z_.]*)/,
    /("(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)+')/,
    /(\/\*|")/,
    /(#[^\n\r]*)/,
    /(::|[^])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "uy",
);
const [SPACE, COMMENT, UNCLOSED] = [1, 2, 6] as const;
const KINDS = [
  [3, "name"],
  [8, "mark"],
  [4, "number"],
  [5, "text"],
  [7, "directive"],
] as const;

/** What a comment says: no slashes, no stars down its side. */
function said(comment: string): string {
  const inside = comment.startsWith("//")
    ? comment.replace(/^\/\/+[!<]*/, "")
    : comment.slice(2, -2).replace(/^[*!]+<?/, "");
  const text = inside
    .split(/\r\n|\r|\n/)
    .map((line, at) => (at === 0 ? line : line.replace(/^\s*\*+/, "")).replace(/^ /, "").trimEnd())
    .join("\n");
  let [from, to] = [0, text.length];
  while (text[from] === "\n") from += 1;
  while (to > from && text[to - 1] === "\n") to -= 1;
  return text.slice(from, to);
}

const linesOf = (text: string): number => text.split(/\r\n|\r|\n/).length - 1;

/** The words of an IDL file, with the comments before each, and the end. @throws {IdlError} something is not closed */
export function tokensOf(text: string): Token[] {
  const counter = new PositionCounter(text);
  const tokens: Token[] = [];
  let comments: Comment[] = [];
  let lineOfLast = 0;
  WORDS.lastIndex = 0;
  for (;;) {
    const at = WORDS.lastIndex;
    const groups = WORDS.exec(text);
    if (groups !== null && groups[SPACE] !== undefined) continue;
    const { line, column } = counter.at(at);
    if (groups === null) {
      tokens.push({ line, column, kind: "end", text: "", comments });
      return tokens;
    }
    const unclosed = groups[UNCLOSED];
    if (unclosed !== undefined)
      throw new IdlError(
        { line, column },
        `a ${unclosed === '"' ? "text" : "comment"} that is closed`,
        "none",
      );
    const comment = groups[COMMENT];
    if (comment !== undefined) {
      const lastLine = line + linesOf(comment);
      comments.push({ text: said(comment), line, lastLine, trails: line === lineOfLast });
      continue;
    }
    const [group, kind] = KINDS.find(([one]) => groups[one] !== undefined)!;
    tokens.push({ line, column, kind, text: groups[group]!, comments });
    comments = [];
    lineOfLast = line;
  }
}
