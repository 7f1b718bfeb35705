const BEGIN = "<!-- Figures: drawn by `npm run carving`; do not edit. -->\n<!-- prettier-ignore-start -->\n";
const END = "\n<!-- prettier-ignore-end -->";

/** The page with other figures between its marks. @throws {Error} when it has none */
export function withFigures(page, figures) {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error("docs/carving.md has lost the marks around its figures");
  return `${page.slice(0, from + BEGIN.length)}\n${figures}\n${page.slice(to)}`;
}
