import { FAULTS } from "./list.mjs";

const cell = (text) => text.replaceAll("\\", "\\\\").replaceAll("|", "\\|");
const code = (text) => (text.includes("`") ? text : text.replaceAll(/([*_<>])/g, "\\$1"));

/** docs/faults.md, made of the tests that were found. */
export function faultsPage(tests) {
  const rows = [...FAULTS].flatMap(([row, fault]) => {
    const own = tests.filter((test) => test.row === row);
    if (own.length === 0) return [];
    const shown = own.map(({ file, title }) => `[${code(cell(title))}](../${file})`);
    return [`| ${row} | ${code(cell(fault))} | ${shown.join("<br>")} |`];
  });
  const without = [...FAULTS.keys()].filter((row) => !tests.some((test) => test.row === row));
  return `# Faults, and the tests that meet them

Made from the names of the tests by \`npm run faults -- --write\`: a test says which row of the fault
list it covers (\`row 17: ...\`, in C++ \`Fault17...\`). \`npm run faults\` runs them all and prints how
many rows passed.

| row | fault | tests |
| --- | ----- | ----- |
${rows.join("\n")}

No test carries the number of these rows yet: ${without.join(", ")}.
`;
}
