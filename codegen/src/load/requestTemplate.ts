/** `{{n}}`: the number of the request, from 1; `{{ms}}`: milliseconds since the epoch. */
const PLACES = /\{\{(n|ms)\}\}/;

/**
 * Makes the bodies of numbered requests from a text: two events of a load need not be the same. Each is
 * encoded once it is due; a text without places is encoded once for all.
 */
export function bodyMaker(template: string): (number: number) => Buffer {
  const parts = template.split(PLACES);
  if (parts.length === 1) {
    const fixed = Buffer.from(template, "utf8");
    return () => fixed;
  }
  // Odd parts are what the places are called.
  return (number) =>
    Buffer.from(
      parts
        .map((part, index) => (index % 2 === 0 ? part : part === "n" ? String(number) : String(Date.now())))
        .join(""),
      "utf8",
    );
}
