import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/project.js";
import { ConfinedFolder } from "../disk/index.js";
import { DrawingFollower } from "./followDrawing.js";
import type { RenamedNames } from "./renamedNames.js";

const names: RenamedNames = {
  project: "shop",
  types: new Map([["Order", { kind: "message", to: "Purchase", members: new Map(), holds: new Map() }]]),
  calls: new Map(),
  flows: new Map(),
};

/** What becomes of a text with a word that is to be another one, where that message was generated. */
function followed(generated: string): string {
  using folder = temporaryFolder();
  mkdirSync(join(folder.path, "generated"));
  writeFileSync(
    join(folder.path, "generated/messages.hpp"),
    `namespace shop {\nstruct ${generated} {\n};\n}\n`,
  );
  const text = "namespace shop {\nOrder Order_;  // Order\n}\n";
  const source = { path: "a.cpp", oldPath: "a.cpp", words: [["Order", "Other"] as const], headers: [] };
  return ConfinedFolder.within(folder.path, (confined) => {
    const follower = new DrawingFollower(confined, { moved: [source], names }, () => text);
    return follower.follow(text, source).text;
  });
}

test("a word that a rename and the drawing know is followed once, as the drawing has it", () => {
  expect(followed("Item")).toBe("namespace shop {\nOther Order_;  // Other\n}\n");
  expect(followed("Order")).toBe("namespace shop {\nPurchase Order_;  // Other\n}\n");
});
