import { expect, it } from "vitest";
import { emptyTopology } from "../../kernel/document/index.js";
import { adsTopology } from "../../testing/ads.js";
import { whatIsMissing } from "./whatIsMissing.js";

it("names what an empty drawing needs before it can run", () => {
  const empty = emptyTopology("new");
  expect(whatIsMissing(empty)).toMatch(/^It needs a service, a bundle .* and a binary/);
  expect(whatIsMissing({ ...empty, binaries: adsTopology().binaries })).toMatch(/^It needs a service:/);
  expect(whatIsMissing({ ...adsTopology(), binaries: [] })).toMatch(/^It needs a binary:/);
  expect(whatIsMissing(adsTopology())).toBeUndefined();
});
