import type { CatalogueEntry } from "../diagnostics/index.js";
import { ALL_CODES } from "./allCodes.js";

const GROUPS: readonly { codes: RegExp; title: string }[] = [
  { codes: /^PS1/, title: "1xx: the document" },
  { codes: /^PS2/, title: "2xx: names, messages and enums" },
  { codes: /^PS3/, title: "3xx: services and calls" },
  { codes: /^PS4/, title: "4xx: flows" },
  { codes: /^PS5/, title: "5xx: pools, placements and joins" },
  { codes: /^PS6/, title: "6xx: bundles, binaries and addresses" },
  { codes: /^PS7/, title: "7xx: generating, and commands to a running binary" },
  { codes: /^PS8/, title: "8xx: building and running" },
  { codes: /^PS90/, title: "90x: what this version cannot run yet" },
  { codes: /^PS9[1-9]/, title: "99x: the command line" },
];

/** The text of `docs/errors.md`: every code with its meaning, in order. */
export function errorsPage(): string {
  const entries = Object.entries(ALL_CODES).sort(([a], [b]) => (a < b ? -1 : 1));
  const sections = GROUPS.map(({ codes, title }) => {
    const texts = entries.filter(([code]) => codes.test(code)).map(([code, entry]) => entryText(code, entry));
    return texts.length === 0 ? "" : `\n## ${title}\n\n${texts.join("\n")}`;
  });
  return `${HEAD}${sections.join("")}`;
}

const HEAD = `# Codes of problems

<!-- Made by \`npx tsx codegen/tools/writePages.ts\` from the rules and codegen/src/model/diagnostics/catalogue; do not edit. -->

Every problem that the command line, the server or the canvas shows has one of these codes. A code keeps
its meaning for ever. Errors stop generation, warnings do not; where a rule depends on how far a drawing
has come, the text says so.
`;

const entryText = (code: string, { severity, title, explanation, help }: CatalogueEntry): string =>
  `### ${code} ${title}\n\n${severity === "warning" ? "Warning. " : ""}${explanation}\n\nWhat to do: ${help}\n`;
