import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sandboxObstacle } from "../../src/process/index.js";
import { fakePerf } from "../../src/profile/testing/fakePerf.js";
import { until } from "../support/build.js";
import { documentOf } from "./penstock.js";
import { RunningFake } from "./runningFake.js";

const ads = JSON.parse(
  readFileSync(new URL("../../../examples/ads/topology.json", import.meta.url), "utf8"),
) as { binaries: { name: string }[] };
// What runs is the pretended binary; what is recorded of it is what was once recorded of the real one.
const fake = RunningFake.during({ ...ads, binaries: [{ ...ads.binaries[0], name: "app" }] });

const place = (name: string): string => path.join(fake.penstock.folder, name);
const asked = (name: string): string => readFileSync(path.join(place(name), "asked-record"), "utf8");
const profile = (PATH: string, ...args: string[]) =>
  fake.penstock.run(["profile", fake.dir, ...args], { env: { PATH } });

test("says who takes the CPU time, and draws it in the project", async () => {
  const PATH = fakePerf(place("kept"), "kept");
  const ended = await profile(PATH);
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stdout.split("\n").map((line) => line.replace(/ +#*$/, "").replace(/ {2,}/, "  "))).toEqual([
    "GetAd  22.8 %",
    "ProduceAd  14.0 %",
    "CountError  1.8 %",
    "source of Impressions  1.8 %",
    "runtime  31.6 %",
    "kernel  28.1 %",
    "",
  ]);
  const svg = path.join(fake.dir, "build/profile/app.svg");
  expect(ended.stderr).toContain(`recording for 10 s\nreading the stacks\n${svg}`);
  expect(readFileSync(svg, "utf8")).toContain("GetAd::handle: 13 samples, 22.8 %, GetAd");
  expect(asked("kept")).toMatch(/^record .*--call-graph dwarf,8192 .* -p \d+ -- sleep 10\n$/);
});

test("--json, --seconds, --svg and --folded", async () => {
  const PATH = fakePerf(place("files"), "kept");
  const [svg, folded] = [place("a.svg"), place("a.folded")];
  const ended = await profile(PATH, "--json", "--seconds", "3", "--svg", svg, "--folded", folded);
  const { ok, problems, binary, samples, seconds, shares, files } = documentOf(ended);
  expect({ ok, problems, binary, samples, seconds, files }).toEqual({
    ...{ ok: true, problems: [], binary: "app", samples: 57, seconds: 3 },
    files: { svg, folded },
  });
  expect((shares as unknown[])[0]).toEqual({ kind: "service", name: "GetAd", samples: 13 });
  expect(asked("files")).toMatch(/ -- sleep 3\n$/);
  expect(readFileSync(svg, "utf8")).toMatch(/^<svg [^]*<\/svg>\n$/);
  const lines = readFileSync(folded, "utf8").trimEnd().split("\n");
  expect(lines.reduce((sum, line) => sum + Number(/ (\d+)$/.exec(line)?.[1]), 0)).toBe(57);
});

test("a project from elsewhere is read behind the fence, with the same result", async () => {
  const PATH = fakePerf(place("fenced"), "kept");
  fake.penstock.trust(fake.dir, false);
  const ended = await profile(PATH, "--json");
  fake.penstock.trust(fake.dir);
  expect(documentOf(ended)).toMatchObject({ ok: true, samples: 57 });
  // Behind the fence it could not write down what it was asked.
  const fenced = (await sandboxObstacle()) === "";
  expect(existsSync(path.join(place("fenced"), "asked-script"))).toBe(!fenced);
  expect(existsSync(path.join(place("kept"), "asked-script"))).toBe(true);
});

test("a recording that ends early, with the process or for its size, is shown as far as it goes", async () => {
  const ended = await profile(fakePerf(place("short"), "short"), "--json", "--seconds", "60");
  expect(documentOf(ended)).toMatchObject({ ok: true, samples: 57 });
  expect(documentOf(ended)["seconds"]).toBeLessThanOrEqual(60);
});

test("a binary that slept is no failure, but said", async () => {
  const ended = await profile(fakePerf(place("nothing"), "nothing"), "--json");
  expect(ended.code).toBe(0);
  expect(documentOf(ended)).toMatchObject({ ok: true, samples: 0, problems: [{ code: "PS898" }] });
});

test("perf that is missing or may not record is the environment's fault, with what helps", async () => {
  const refused = await profile(fakePerf(place("refused"), "refused"));
  expect(refused).toMatchObject({ code: 3, stdout: "" });
  expect(refused.stderr).toContain("error PS899: perf may not record here");
  expect(refused.stderr).toContain("sudo sysctl kernel.perf_event_paranoid=1");
  const missing = await profile(path.dirname(process.execPath).replace(/\/bin$/, "/nothing"), "--json");
  expect(missing.code).toBe(3);
  const { ok, problems } = documentOf(missing);
  expect(ok).toBe(false);
  expect(problems[0]).toMatchObject({ code: "PS899", message: expect.stringContaining("not installed") });
  expect(problems[0]?.help).toContain("linux-perf");
});

test("a slip of the keyboard records nothing", async () => {
  const PATH = fakePerf(place("slip"), "kept");
  expect(await profile(PATH, "--seconds", "0")).toMatchObject({ code: 2 });
  expect(await profile(PATH, "--seconds", "61")).toMatchObject({ code: 2 });
  const other = await profile(PATH, "--binary", "ap");
  expect(other).toMatchObject({ code: 3 });
  expect(other.stderr).toContain("Did you mean app?");
  expect(existsSync(path.join(place("slip"), "asked-record"))).toBe(false);
});

test("Ctrl-C ends perf, and leaves nothing behind", async () => {
  const PATH = fakePerf(place("endless"), "endless");
  const TMPDIR = place("temporary");
  mkdirSync(TMPDIR);
  const { child, ended } = fake.penstock.start(["profile", fake.dir, "--json"], { env: { PATH, TMPDIR } });
  await until("it records", async () => existsSync(path.join(place("endless"), "asked-record")));
  child.kill("SIGINT");
  const end = await ended;
  expect(end.code).toBe(130);
  expect(documentOf(end)).toMatchObject({ ok: false, problems: [] });
  expect(readdirSync(TMPDIR)).toEqual([]);
});
