import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { paintFor } from "./paint.js";
import { terminalJson, terminalText } from "./terminalText.js";

const RED = paintFor(true, {}).red("bad");

test.each([
  ["a title", "\u001b]0;owned\u0007", "\\u001b]0;owned\\u0007"],
  ["the cursor", "ok\u001b[2K\u001b[1Aevil", "ok\\u001b[2K\\u001b[1Aevil"],
  ["a line that overwrites itself", "error\rfine", "error\\u000dfine"],
  ["controls of eight bits", "\u009b2J\u009d52;c;eA==\u009c", "\\u009b2J\\u009d52;c;eA==\\u009c"],
  ["a bell, a backspace, a NUL", "\u0007\b\u0000\u007f", "\\u0007\\u0008\\u0000\\u007f"],
  ["letters in another order", "\u202etxt.exe\u2066", "\\u202etxt.exe\\u2066"],
  ["colours of others", "\u001b[38;5;9;8mhidden\u001b[0m", "hidden"],
  ["lines, tabs and other letters", "a\tb\r\nc ü 名\n", "a\tb\nc ü 名\n"],
])("%s: written as it is read", (_, text, written) => {
  expect(terminalText(text, true)).toBe(written);
  expect(terminalText(text, false)).toBe(written);
});

test("paint's colours stay on a terminal and go elsewhere", () => {
  expect(terminalText(`${RED}\u001b[2J`, true)).toBe(`${RED}\\u001b[2J`);
  expect(terminalText(`${RED}\u001b[2J`, false)).toBe("bad\\u001b[2J");
});

test("JSON has no control character and means the same", () => {
  const value = { message: "\u009b2J\u001b]0;x\u0007\u202e\u007f" };
  expect(terminalJson(value)).toMatch(/^[\u0020-\u007e]*$/);
  expect(JSON.parse(terminalJson(value))).toEqual(value);
});

test("nothing of the command line writes past it", () => {
  const folder = fileURLToPath(new URL("../", import.meta.url));
  const writing = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .filter((file) =>
      /\b(?:stdout|stderr|stream)\.write\(|console\./.test(readFileSync(`${folder}/${file}`, "utf8")),
    );
  // The first has the help's and the version's own words only.
  expect(writing.sort()).toEqual(["main.ts", "tables/liveTable.ts", "terminal/output.ts"]);
});
