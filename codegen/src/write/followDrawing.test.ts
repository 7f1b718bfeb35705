import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/project.js";
import { ConfinedFolder } from "../disk/index.js";
import { DrawingFollower } from "./followDrawing.js";
import type { DrawnType } from "./renamedNames.js";

const order: DrawnType = { kind: "message", to: "Purchase", members: new Map(), holds: new Map() };
const names = { project: "shop", types: new Map([["Order", order]]), calls: new Map(), flows: new Map() };

test("a word that a rename and the drawing know is followed once, as the drawing has it", () => {
  using folder = temporaryFolder();
  const text = "namespace shop {\nOrder Order_;  // Order\n}\n";
  const source = { path: "a.cpp", oldPath: "a.cpp", words: [["Order", "Other"]] as const, headers: [] };
  const follow = (): string =>
    ConfinedFolder.within(folder.path, (confined) => {
      const moved = [{ ...source, words: [...source.words] }];
      return new DrawingFollower(confined, { moved, names }, () => text).follow(text, moved[0]!).text;
    });
  expect(follow()).toBe("namespace shop {\nOther Order_;  // Other\n}\n");
  writeMessages(folder.path);
  expect(follow()).toBe("namespace shop {\nPurchase Order_;  // Other\n}\n");
});

function writeMessages(dir: string): void {
  const folder = new ConfinedFolder(dir);
  folder.create("generated/messages.hpp", "namespace shop {\nstruct Order {\n};\n}\n");
  folder.close();
}
