const row = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;

/** A table of Markdown: `left` columns of words, then figures; or the columns that are words. */
export function table(left, head, rows) {
  const isWords = (column) => (Array.isArray(left) ? left.includes(column) : column < left);
  const rule = row(head.map((_, column) => (isWords(column) ? "---" : "---:")));
  return [row(head), rule, ...rows.map(row)].join("\n");
}

/** A page of Markdown: a paragraph, a heading or a table each. */
export const page = (blocks) => `${blocks.join("\n\n")}\n`;

/** For the terminal: columns as wide as their widest cell; numbers to the right, but for the first two. */
export function aligned(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((cells) => cells[column].length)));
  const padded = (cell, column) => (column < 2 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]));
  return rows.map((cells) => cells.map(padded).join("  ").trimEnd()).join("\n");
}
