import { expect, it } from "vitest";
import { unwrittenPart } from "./Editor.js";

it("marks what stands for the answer of an unwritten handler, and nothing of a written one", () => {
  const text =
    'Sum Addition::handle(const Terms& request) {\n  penstock::throw_unimplemented("Addition");\n}\n';
  const { anchor, head } = unwrittenPart(text)!;
  expect(text.slice(anchor, head)).toBe('penstock::throw_unimplemented("Addition");');
  expect(unwrittenPart("Sum Addition::handle(const Terms& request) { return {}; }")).toBeUndefined();
});
