import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nothingStarts, startObstacles } from "./startObstacle.js";

const address = "127.0.0.1:0";
const ENV = { PENSTOCK_HTTP_TOKEN: "" };

let dir: string;
beforeEach(() => {
  for (const name of ["PENSTOCK_KEYS", "PENSTOCK_HTTP_TOKEN", "PENSTOCK_HTTP_TOKEN_FILE"])
    vi.stubEnv(name, "");
  dir = mkdtempSync(join(tmpdir(), "penstock-obstacle-"));
  mkdirSync(join(dir, "generated/config"), { recursive: true });
  mkdirSync(join(dir, "keys"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});
const configure = (name: string, configuration: object): void =>
  writeFileSync(join(dir, "generated/config", `${name}.json`), JSON.stringify(configuration));

test("a binary that asks for a token nobody named, or whose keys are not there, would not start", async () => {
  configure("asks", { http: { address, auth: "bearer" } });
  configure("locked", { http: { address, tls: "keys" } });
  expect(await startObstacles("asks", dir, ENV)).toMatchObject([{ code: "PS874", node: "binary:asks" }]);
  const token = "0123456789abcdef";
  for (const env of [
    { PENSTOCK_HTTP_TOKEN: token },
    { PENSTOCK_HTTP_TOKEN: "x", PENSTOCK_HTTP_TOKEN_FILE: "x" },
  ])
    expect(await startObstacles("asks", dir, env)).toEqual([]);
  for (const bad of [token.slice(1), `${token} `, `${token}ä`]) {
    const [refused] = await startObstacles("asks", dir, { PENSTOCK_HTTP_TOKEN: bad });
    expect(refused).toMatchObject({ code: "PS874" });
    expect(refused?.message).toContain("PENSTOCK_HTTP_TOKEN is shorter than 16 characters");
  }
  // What is fenced is not given it.
  vi.stubEnv("PENSTOCK_HTTP_TOKEN_FILE", "tokens");
  expect(await startObstacles("asks", dir, {})).toMatchObject([
    {
      code: "PS874",
      message:
        "asks was not started: PENSTOCK_HTTP_TOKEN_FILE is not handed on to a project that came from elsewhere",
      help: "Add PENSTOCK_HTTP_TOKEN_FILE to PENSTOCK_SANDBOX_ENV, and the file to PENSTOCK_SANDBOX_FOLDERS, where it is started from.",
    },
  ]);
  vi.stubEnv("PENSTOCK_HTTP_TOKEN_FILE", "");
  writeFileSync(join(dir, "keys/ca.crt"), "");
  const noKeys = {
    code: "PS897",
    message: `locked was not started: ${join(dir, "keys")} has no locked.crt, locked.key`,
  };
  expect(await startObstacles("locked", dir, ENV)).toMatchObject([noKeys]);
  configure("locked", { http: { address, auth: "bearer", tls: "keys" } });
  expect(await startObstacles("locked", dir, ENV)).toMatchObject([{ code: "PS874" }, noKeys]);
  for (const file of ["locked.crt", "locked.key"]) writeFileSync(join(dir, "keys", file), "");
  expect(await startObstacles("locked", dir, { PENSTOCK_HTTP_TOKEN: token })).toEqual([]);
});

test("nothing starts where each of them would not", async () => {
  configure("asks", { http: { address, auth: "bearer" } });
  configure("calls", { listen: [`tls://${address}`] });
  configure("free", {});
  const codes = async (...names: string[]) => (await nothingStarts(names, dir, ENV)).map(({ code }) => code);
  expect(await codes("asks", "calls")).toEqual(["PS874", "PS897"]);
  expect(await codes("asks", "free")).toEqual([]);
  expect(await codes("unread")).toEqual([]);
  expect(await codes()).toEqual([]);
});
