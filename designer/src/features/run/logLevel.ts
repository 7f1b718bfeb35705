import type { LogLine } from "@penstock/codegen/contract";

const WORDS = {
  error: "error|err|fatal|critical|crit|panic|emerg",
  warning: "warning|warn",
} as const;
type Level = keyof typeof WORDS;

/** A level stands near the beginning of a line; further on it is prose. */
const WITHIN = 160;

/** `ERROR`, `[error]`, `error: `, `level=error`, `"level":"error"`, and glog's `E0102 `: not any line that has the word. */
const SAID = (Object.keys(WORDS) as Level[]).map((level) => {
  const words = WORDS[level];
  const marked = String.raw`[[(<](?:${words})[\])>]|\b(?:${words}):(?=\s|$)|\blevel"?\s*[=:]\s*"?(?:${words})\b`;
  return {
    level,
    patterns: [
      new RegExp(String.raw`\b(?:${words.toUpperCase()})\b`),
      new RegExp(marked, "i"),
      new RegExp(level === "error" ? String.raw`^[EF]\d{4} ` : String.raw`^W\d{4} `),
    ],
  };
});

/** How bad a line is: as Penstock says of its own, else as what a program printed says of itself; the first word counts. */
export function levelOf({ stream, text, severity }: LogLine): Level | undefined {
  if (severity !== undefined || stream === "penstock") return severity;
  const head = text.slice(0, WITHIN);
  let [first, found] = [Number.POSITIVE_INFINITY, undefined as Level | undefined];
  for (const { level, patterns } of SAID)
    for (const pattern of patterns) {
      const at = head.search(pattern);
      if (at >= 0 && at < first) [first, found] = [at, level];
    }
  return found;
}
