import { expect, test } from "vitest";
import { notHandedOn } from "./notHandedOn.js";

test("what binaries read, and their fence keeps from them, is said with what hands it on", () => {
  const named = ["SHOP_PASSWORD"];
  expect(notHandedOn(named, {})).toBeNull();
  expect(notHandedOn([], { SHOP_PASSWORD: "x" })).toBeNull();
  expect(notHandedOn(named, { SHOP_PASSWORD: "x", PENSTOCK_SANDBOX_ENV: "SHOP_PASSWORD" })).toBeNull();
  expect(notHandedOn(named, { SHOP_PASSWORD: "x" })).toBe(
    "SHOP_PASSWORD is set here and not handed on to a project that came from elsewhere: add it to PENSTOCK_SANDBOX_ENV",
  );
  expect(notHandedOn(named, { SHOP_PASSWORD: "x", PENSTOCK_NATS_TOKEN: "y" })).toMatch(
    /^SHOP_PASSWORD, PENSTOCK_NATS_TOKEN are set here .* add them to PENSTOCK_SANDBOX_ENV$/,
  );
});
