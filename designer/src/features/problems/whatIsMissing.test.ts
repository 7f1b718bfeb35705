import { expect, it } from "vitest";
import { emptyTopology } from "../../kernel/document/index.js";
import { adsTopology } from "../../testing/ads.js";
import { whatIsMissing } from "./whatIsMissing.js";

it("names what an empty drawing needs before it can run", () => {
  const empty = emptyTopology("new");
  expect(whatIsMissing(empty)).toMatch(/^A service, a bundle .* and a binary/);
  expect(whatIsMissing({ ...empty, binaries: adsTopology().binaries })).toMatch(/^A service:/);
  expect(whatIsMissing({ ...adsTopology(), binaries: [] })).toMatch(/^A binary:/);
  expect(whatIsMissing(adsTopology())).toBeUndefined();
});
