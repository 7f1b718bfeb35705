const LONGEST = 120;
/** Arguments of a template longer than this say less than they hide. */
const LONGEST_ARGUMENTS = 32;

/** `a<b<c>>` without the contents of brackets that are too long. */
function shortArguments(name: string): string {
  const opened: { text: number; name: number }[] = [];
  let text = "";
  for (let at = 0; at < name.length; at++) {
    const sign = name[at]!;
    text += sign;
    // Operators have signs of their own: `operator<<`, `operator->`.
    if (sign === "<" && !/operator<{0,2}$/.test(text.slice(-11, -1)))
      opened.push({ text: text.length, name: at });
    if (sign !== ">" || text.endsWith("->")) continue;
    const from = opened.pop();
    if (from && at - from.name - 1 > LONGEST_ARGUMENTS) text = `${text.slice(0, from.text)}…>`;
  }
  return text;
}

/**
 * A function's name as it is shown: without namespaces of the project, what every name has, and arguments of templates
 * that fill lines.
 */
export function frameName(name: string, namespaces: readonly string[]): string {
  const plain = name
    .replaceAll("(anonymous namespace)::", "")
    .replace(
      /std::(?:__cxx11::)?basic_string<char, std::char_traits<char>, std::allocator<char> ?>/g,
      "std::string",
    )
    .replace(/ \[clone [^\]]*\]/g, "")
    .replace(/\.(?:actor|destroy|frame)\b.*$/, "")
    .replace(new RegExp(`(^|[^\\w:])(?:::)?(?:${namespaces.join("|")})::`, "g"), "$1");
  const short = shortArguments(plain);
  return short.length > LONGEST ? `${short.slice(0, LONGEST - 1)}…` : short;
}
