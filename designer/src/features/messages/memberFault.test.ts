import { expect, it } from "vitest";
import { memberFault } from "./memberFault.js";

it("takes a name that nothing beside it has", () => {
  expect(memberFault("field", "text", ["id", "texts"])).toBeUndefined();
});

it("refuses the name of another one, however it is written, since the two would be renamed as one", () => {
  expect(memberFault("field", "text", ["id", "text"])).toBe("text is there already");
  expect(memberFault("field", "user_id", ["userId"])).toBe("userId is there already");
  expect(memberFault("enum value", "PAID", ["FREE", "PAID"])).toBe("PAID is there already");
});

it("says first what no name may be", () => {
  expect(memberFault("field", "int", [])).toMatch(/Try /);
});
