const SHOWN = 64;

/**
 * A user's text inside a message: quoted, with control, bidirectional and other invisible characters
 * escaped (a right-to-left override must not turn the message round) and cut to a readable length.
 */
export function quote(text: string): string {
  if (text.length <= SHOWN && /^[ -~]*$/.test(text)) return `"${text}"`;
  const characters = Array.from(text.slice(0, 4 * SHOWN));
  const shown = characters
    .slice(0, SHOWN)
    .join("")
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (hidden) => `\\u{${(hidden.codePointAt(0) ?? 0).toString(16)}}`);
  return `"${shown}${characters.length > SHOWN ? "…" : ""}"`;
}

/** A way through named things, `A → B → A`, its middle left out where it is long. */
export function quoteWay(names: readonly string[], most = 8): string {
  const shown = names.length > most ? [...names.slice(0, most - 1), "…", ...names.slice(-1)] : names;
  return shown.map((name) => quote(name).slice(1, -1)).join(" → ");
}

/** `"a", "b" and 3 more`: a list of names that stays one line. */
export function quoteList(texts: readonly string[], most = 6): string {
  const shown = texts.slice(0, most).map(quote);
  if (texts.length > most) return `${shown.join(", ")} and ${texts.length - most} more`;
  return shown.length < 2
    ? shown.join("")
    : `${shown.slice(0, -1).join(", ")} and ${shown[shown.length - 1]}`;
}
