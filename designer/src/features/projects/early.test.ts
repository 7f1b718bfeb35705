import { routePath } from "@penstock/codegen/contract";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ask } from "../../kernel/server/api.js";
import { askEarly, forgetEarly } from "../../kernel/server/early.js";
import { dropToken, keepToken } from "../../kernel/server/session.js";

const asked: string[] = [];
let status = 200;
beforeEach(() => {
  asked.length = 0;
  status = 200;
  vi.stubGlobal("fetch", (path: string) => {
    asked.push(path);
    return Promise.resolve(new Response(JSON.stringify({ path }), { status }));
  });
  history.replaceState(null, "", "/?project=p1");
});
afterEach(() => {
  forgetEarly();
  dropToken();
  history.replaceState(null, "", "/");
  vi.unstubAllGlobals();
});

it("asks for what opening takes before anybody wants it, and once", async () => {
  keepToken("t");
  askEarly();
  const project = "p1";
  expect(asked).toEqual([
    routePath("status", {}),
    routePath("project", { project }),
    routePath("nodes", { project }),
  ]);
  expect([
    await ask("status", {}),
    await ask("project", { project: "p1" }),
    await ask("nodes", { project: "p1" }),
  ]).toHaveLength(3);
  expect(asked).toHaveLength(3);
  // A second time it is asked anew.
  await ask("project", { project: "p1" });
  expect(asked.slice(3)).toEqual(["/api/projects/p1"]);
});

it("asks for nothing without a token", () => {
  askEarly();
  expect(asked).toEqual([]);
});

it("asks again where the early answer was none", async () => {
  keepToken("t");
  status = 401;
  askEarly();
  await Promise.resolve();
  status = 200;
  await ask("project", { project: "p1" });
  expect(asked.slice(3)).toEqual(["/api/projects/p1"]);
});

it("shows no start screen on the way to the project in the address", async () => {
  vi.resetModules();
  const { openedStore } = await import("./openProject.js");
  expect(openedStore.getState().opened).toEqual({ kind: "loading", project: "p1" });
});
