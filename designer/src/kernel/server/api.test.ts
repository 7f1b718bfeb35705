import { afterEach, expect, it, vi } from "vitest";
import { ApiFailure, ask } from "./api.js";
import { askEarly, forgetEarly } from "./early.js";
import { dropToken, keepToken } from "./session.js";

afterEach(() => {
  forgetEarly();
  dropToken();
  history.replaceState(null, "", "/");
  vi.unstubAllGlobals();
});

/** An answer of which the first half came. */
const cutOff = (): Response =>
  new Response(
    new ReadableStream({
      pull: (stream) => {
        stream.enqueue(new TextEncoder().encode('{"id":'));
        stream.error(new TypeError("network error"));
      },
    }),
  );
const failure = (): Promise<ApiFailure> =>
  ask("project", { project: "p1" }).then(
    (answer) => expect.fail(`answered ${JSON.stringify(answer)}`),
    (error: unknown) => error as ApiFailure,
  );

it("says of an answer that was cut off that the server does not answer, and how to start it", async () => {
  vi.stubGlobal("fetch", async () => cutOff());
  const { code, help } = await failure();
  expect([code, help]).toEqual(["unreachable", "Start it again: npm start"]);
});

it("says of an answer that is not of Penstock that it cannot be read", async () => {
  vi.stubGlobal("fetch", async () => new Response("<html>a proxy's page</html>"));
  expect((await failure()).code).toBe("unreadable");
});

it("knows an answer without words", async () => {
  vi.stubGlobal("fetch", async () => new Response(""));
  expect(await ask("status", {})).toBeNull();
});

it("asks anew when what was asked early was cut off", async () => {
  const answers = [cutOff, cutOff, cutOff, () => Response.json({ id: "p1" })];
  vi.stubGlobal("fetch", async () => answers.shift()?.());
  keepToken("t");
  history.replaceState(null, "", "/?project=p1");
  askEarly();
  expect(await ask("project", { project: "p1" })).toEqual({ id: "p1" });
});
