import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { apiPage, commandTable, withCommandTable } from "./apiPage.js";
import { COMMAND_METHODS, COMMANDS, commandUsage } from "./commands.js";
import { LIVE_ROWS, ROW_NAMES } from "./liveRows.js";
import { routePath, ROUTES, type RouteRow } from "./routes.js";

describe("the routes", () => {
  it("are each another method or path", () => {
    const asked = Object.values<RouteRow>(ROUTES).map(({ method, path }) => `${method} ${path}`);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it("put ids into their paths, and what was asked behind them", () => {
    expect(routePath("logs", { project: "p/1" }, { binary: "a b" })).toBe(
      "/api/projects/p%2F1/logs?binary=a%20b",
    );
    expect(routePath("logs", { project: "p" }, { binary: undefined })).toBe("/api/projects/p/logs");
    expect(routePath("status", {})).toBe("/api/status");
  });

  it("take a body where they change something, and none where they read", () => {
    for (const { method, body } of Object.values<RouteRow>(ROUTES))
      expect(body !== undefined).toBe(method === "post" || method === "put");
  });
});

describe("the commands", () => {
  test.each(COMMAND_METHODS)("%s has a word for each of its parameters", (method) => {
    const { params, words } = COMMANDS[method];
    const keys = Object.keys((params as unknown as { shape: object }).shape);
    expect(words.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
    expect(commandUsage(method)).toMatch(/^[A-Z]/);
  });
});

test("the rows of a sample that all binaries send are those that are not optional", () => {
  expect(ROW_NAMES.filter((name) => LIVE_ROWS[name].optional !== true)).toEqual([
    "services",
    "implementations",
    "calls",
    "flows",
    "stages",
    "pools",
    "threads",
  ]);
});

const docs = (page: string): string =>
  readFileSync(new URL(`../../../docs/${page}`, import.meta.url), "utf8");

test("docs/api.md is what the contract says", () => {
  expect(docs("api.md")).toBe(apiPage());
});

test("docs/cli.md says of each command of `set` what its row says", () => {
  expect(docs("cli.md")).toContain(`\n\n${commandTable()}\n`);
  expect(withCommandTable(docs("cli.md"))).toBe(docs("cli.md"));
});
