import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { filesBelow } from "../test/support/project.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("docs/network.md quotes the errors of calls between binaries as the runtime words them", () => {
  const page = readFileSync(`${root}docs/network.md`, "utf8");
  const texts = [...page.slice(page.indexOf("## What an error")).matchAll(/^\| `([^`]+)`/gm)].map(
    ([, text = ""]) => text,
  );
  expect(texts.length).toBeGreaterThan(8);
  const words = ["call", "net", "tls"]
    .flatMap((room) => [...filesBelow(`${root}runtime-cpp/penstock/${room}`)])
    .filter(([path]) => /(?<!\.test)\.[ch]pp$/.test(path))
    // One literal where a line ends in the midst of one.
    .map(([, text]) => text.replaceAll(/"\s*"/g, ""))
    .join("\n");
  // Names stand for what differs; the system words a refused connection.
  const pieces = texts
    .flatMap((text) => text.split(/: |Connection refused|\b[A-Z]+(?:\/[A-Z]+)?\b/))
    .filter((piece) => piece.trim() !== "");
  expect(pieces.length).toBeGreaterThan(texts.length);
  expect(pieces.filter((piece) => !words.includes(piece))).toEqual([]);
});
