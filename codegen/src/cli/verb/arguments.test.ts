import { expect, test } from "vitest";
import { parseArguments } from "./arguments.js";
import type { Command } from "./command.js";

test("values and positionals may begin with a minus and a digit", () => {
  const command: Command = {
    usage: "NUMBER",
    doc: "",
    positionals: { min: 1, max: 1 },
    options: {
      out: { type: "string", value: "FILE", doc: "" },
      set: { type: "string", value: "NUMBER", many: true, doc: "" },
    },
    examples: [],
    run: () => Promise.resolve(0),
  };
  const read = parseArguments("t", command, ["-3", "--out", "-1.json", "--set", "-2", "--set=-4"]);
  expect(read).toEqual({ positionals: ["-3"], values: { out: "-1.json", set: ["-2", "-4"] } });
});
