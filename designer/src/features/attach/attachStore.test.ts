import { topologySchema } from "@penstock/codegen/topology";
import { expect, it } from "vitest";
import { offeredAddress } from "./attachStore.js";

const drawn = (...controls: string[]) =>
  topologySchema.parse({
    penstock: 1,
    name: "shop",
    binaries: controls.map((control, at) => ({ name: `b${at}`, control })),
  });

it("offers the address that is drawn of the selected binary, or of the only one", () => {
  const two = drawn("127.0.0.1:9901", "127.0.0.1:9902");
  expect(offeredAddress(two, "binary:b1")).toBe("127.0.0.1:9902");
  expect(offeredAddress(two, "pool:b0/front")).toBe("127.0.0.1:9901");
  expect(offeredAddress(two, "service:Price")).toBe("");
  expect(offeredAddress(drawn("127.0.0.1:9901"), "")).toBe("127.0.0.1:9901");
  expect(offeredAddress(drawn("127.0.0.1:0"), "binary:b0")).toBe("");
});
