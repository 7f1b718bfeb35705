import protobuf from "protobufjs";

/** What names a scope of its own; members of a oneof or of an extension are those of the message around it. */
const NAMED = new Set(["message", "enum", "service", "group"]);
const IN_FRONT = new Set(["export", "local", "optional", "repeated", "required"]);

/** The scope that a statement opens: its name, "" for one that has none of its own. */
function scopeOf(words: readonly string[]): string {
  const at = words.findIndex((word) => !IN_FRONT.has(word));
  return NAMED.has(words[at] ?? "") ? (words[at + 1] ?? "") : "";
}

/**
 * The line of each declaration by its complete name, and of each range of extensions as `message.extensions`: the
 * parser does not keep them. By its own tokens.
 */
export function linesOf(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const tokens = protobuf.tokenize(text, true);
  const scopes: string[] = [];
  let words: string[] = [];
  let inOptions = 0;
  const note = (name: string): void => {
    const full = [...scopes, name].filter(Boolean).join(".");
    if (name !== "" && !lines.has(full)) lines.set(full, tokens.line);
  };
  for (let token = tokens.next(); token !== null; token = tokens.next()) {
    if (token === '"' || token === "'") {
      tokens.next();
      tokens.next();
      continue;
    }
    if (token === "[") inOptions += 1;
    else if (token === "]") inOptions -= 1;
    else if (inOptions > 0) continue;
    else if (token === ";") {
      if (words[0] === "package") scopes.unshift(words.slice(1).join(""));
      words = [];
    } else if (token === "{") {
      scopes.push(scopeOf(words));
      words = [];
    } else if (token === "}") {
      scopes.pop();
      words = [];
    } else {
      words.push(token);
      if (token === "=") note(words.at(-2) ?? "");
      else if (token === "extensions" && words.length === 1) note(token);
      else if (words.at(-2) === "rpc" && words.length === 2) note(token);
      else if (scopeOf(words) === token) note(token);
    }
  }
  return lines;
}
