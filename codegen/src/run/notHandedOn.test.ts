import { expect, test } from "vitest";
import { notHandedOn } from "./notHandedOn.js";

const password = { type: "string", format: "environment-variable", default: "" } as const;
const nodes = [
  { type: "sql-query", settings: { type: "object" as const, properties: { password }, required: [] } },
];
const drawn = (settings: Record<string, string>) => ({
  services: [
    { name: "Plain", request: "M" },
    { name: "Reads", request: "M", node: { type: "sql-query", settings } },
  ] as never[],
});

test("what binaries read, and their fence keeps from them, is said with what hands it on", () => {
  const reads = drawn({ password: "SHOP_PASSWORD" });
  expect(notHandedOn(reads, nodes, {})).toBeNull();
  expect(notHandedOn(drawn({}), nodes, { SHOP_PASSWORD: "x" })).toBeNull();
  expect(notHandedOn(reads, nodes, { SHOP_PASSWORD: "x", PENSTOCK_SANDBOX_ENV: "SHOP_PASSWORD" })).toBeNull();
  expect(notHandedOn(reads, nodes, { SHOP_PASSWORD: "x" })).toBe(
    "SHOP_PASSWORD is set here and not handed on to a project that came from elsewhere: add it to PENSTOCK_SANDBOX_ENV",
  );
  expect(notHandedOn(reads, nodes, { SHOP_PASSWORD: "x", PENSTOCK_NATS_TOKEN: "y" })).toMatch(
    /^SHOP_PASSWORD, PENSTOCK_NATS_TOKEN are set here .* add them to PENSTOCK_SANDBOX_ENV$/,
  );
});
