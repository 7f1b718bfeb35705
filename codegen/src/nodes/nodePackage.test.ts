import { expect, test } from "vitest";
import { standardNodes } from "./loadNodes.js";
import { variablesRead } from "./nodePackage.js";

test("the variables that nodes read are those that their settings name, where those count", () => {
  const packages = standardNodes();
  const drawn = (...nodes: { type: string; settings: Record<string, string> }[]) =>
    variablesRead({ services: nodes.map((node) => ({ node })) as never }, packages);
  const named = { passwordVariable: "SHOP_PASSWORD" };
  const type = "sql-query";
  expect(drawn({ type, settings: { ...named, database: "mariadb" } })).toEqual(["SHOP_PASSWORD"]);
  expect(drawn({ type, settings: named }, { type: "no-such", settings: named })).toEqual([]);
  expect(variablesRead({ services: [{}] as never }, packages)).toEqual([]);
});
