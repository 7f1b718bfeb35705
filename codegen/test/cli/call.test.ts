import { describe, expect, test } from "vitest";
import { documentOf } from "./penstock.js";
import { RunningFake } from "./runningFake.js";

const { run, penstock } = RunningFake.during({
  penstock: 1,
  name: "fake",
  messages: [{ name: "M" }],
  services: [{ name: "GetAd", request: "M" }],
  bundles: [{ name: "All", services: ["GetAd"] }],
  binaries: [{ name: "app", bundles: ["All"] }],
});

describe("penstock call", () => {
  test("prints what the service answers, and with --json the document", async () => {
    const plain = await run("call", "app/GetAd", '{"a": [1, "2"]}');
    expect(plain.stderr).toContain("GetAd: answered after 1.3 ms");
    expect(plain.code).toBe(0);
    expect(JSON.parse(plain.stdout)).toEqual({ echo: { a: [1, "2"] }, deadlineMs: 10_000 });
    const json = await run("call", "app/GetAd", "{}", "--deadline", "250", "--project", "DIR", "--json");
    expect(json.code).toBe(0);
    expect(documentOf(json)).toEqual({
      ok: true,
      problems: [],
      binary: "app",
      service: "GetAd",
      answer: { echo: {}, deadlineMs: 250 },
      tookMs: 1.25,
    });
  });

  test("takes the request from stdin", async () => {
    const { code, stdout } = await penstock.run(["call", "app/GetAd", "-"], { input: '{"from": "stdin"}' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ echo: { from: "stdin" } });
  });

  test("ends with 1 when the service answers with an error", async () => {
    const plain = await run("call", "app/GetAd", '{"fail": "not_found"}');
    expect(plain.code).toBe(1);
    expect(plain.stdout).toBe("");
    expect(plain.stderr).toContain("GetAd: not_found: as asked");
    const json = await run("call", "app/GetAd", '{"fail": "not_found"}', "--json");
    expect(json.code).toBe(1);
    expect(documentOf(json)).toMatchObject({
      ok: false,
      error: { code: "not_found", message: "as asked" },
    });
  });

  test.each([
    [["GetAd", "{}"], 2, "names no service"],
    [["app/GetAdd", "{}"], 2, "Did you mean app/GetAd?"],
    [["app/GetAd", "{"], 2, "is no JSON (line 1, column 1)"],
    [["app/GetAd", "{}", "--deadline", "60001"], 2, "from 1 to 60000"],
    [["ap/GetAd", "{}"], 3, "Did you mean app?"],
    [["hello-server/GetAd", "{}"], 3, "What runs: app."],
    [["127.0.0.1:80/GetAd", "{}"], 3, "An address begins with tcp://"],
  ])("%j ends with %i: %s", async (args, code, words) => {
    const ended = await run("call", ...args);
    expect(ended.stderr).toContain(words);
    expect(ended.code).toBe(code);
  });
});
