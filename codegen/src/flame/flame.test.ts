import { expect, test } from "vitest";
import type { Profile } from "../contract/index.js";
import { flameSvg, ownerColor, placeFrames } from "./index.js";

const profile: Profile = {
  binary: "ads-server",
  processes: ["ads-server"],
  seconds: 10,
  samples: 100,
  owners: [
    { kind: "service", name: "GetAd", samples: 30 },
    { kind: "service", name: "LogAd", samples: 10 },
    { kind: "runtime", name: "", samples: 60 },
  ],
  names: ["front", "run", "GetAd::handle", "LogAd::handle", "<script>\"'&\u0001", "models"],
  frames: [
    [-1, 0, 2, 60],
    [0, 1, 2, 60],
    [1, 2, 0, 30],
    [2, 4, 0, 5],
    [1, 3, 1, 10],
    [-1, 5, 2, 40],
  ],
};

test("frames are as wide as their share, above who called them", () => {
  const placed = placeFrames(profile);
  const at = (frame: number) => placed.find((one) => one.frame === frame);
  expect(placed).toHaveLength(profile.frames.length);
  expect(at(0)).toMatchObject({ left: 0, width: 0.6, row: 0, name: "front" });
  expect(at(5)).toMatchObject({ left: 0.6, width: 0.4, row: 0 });
  expect(at(2)).toMatchObject({ left: 0, width: 0.3, row: 2, owner: 0, samples: 30 });
  expect(at(4)?.left).toBeCloseTo(0.3);
});

test("one frame over the whole width has its callers below it, and nothing beside it", () => {
  const placed = placeFrames(profile, 2);
  expect(placed.map(({ frame, left, row }) => [frame, left, row])).toEqual([
    [0, 0, 0],
    [1, 0, 1],
    [2, 0, 2],
    [3, 0, 3],
  ]);
  expect(placed.map(({ width }) => width)).toEqual([1, 1, 1, 5 / 30]);
});

test("what is too narrow is left out with all above it, and an empty profile is empty", () => {
  expect(placeFrames(profile, -1, 0.35).map(({ frame }) => frame)).toEqual([0, 5, 1]);
  expect(placeFrames({ ...profile, samples: 0, frames: [] })).toEqual([]);
});

test("services have colours of their own, which do not go by how much they take", () => {
  const turned = { ...profile, owners: [profile.owners[1]!, profile.owners[0]!, profile.owners[2]!] };
  expect(ownerColor(profile.owners, 0)).toEqual(ownerColor(turned.owners, 1));
  expect(ownerColor(profile.owners, 0)).not.toEqual(ownerColor(profile.owners, 1));
});

test("the page has every frame with its share, and both looks", () => {
  const svg = flameSvg(profile);
  expect(svg.match(/<svg class="f /g)).toHaveLength(profile.frames.length);
  expect(svg).toContain("<title>GetAd::handle: 30 samples, 30.0 %, GetAd</title>");
  expect(svg).toContain(">runtime 60.0 % · GetAd 30.0 % · LogAd 10.0 %<");
  expect(svg).toContain("@media (prefers-color-scheme:dark)");
  expect(svg).not.toMatch(/ (?:lit|dim)"/);
});

test("frames say whole samples, so that a click finds what lies above and below one", () => {
  const frames: Profile["frames"] = [
    [-1, 0, 2, 2],
    [-1, 1, 2, 3],
    [1, 2, 0, 2],
    [1, 3, 1, 1],
    [-1, 5, 2, 2],
  ];
  const svg = flameSvg({ ...profile, samples: 7, frames });
  const said = [...svg.matchAll(/ data-x="(.*?)" data-w="(.*?)" data-r="(.*?)"/g)].map((one) => one.slice(1));
  expect(said.map((numbers) => numbers.join(" ")).sort()).toEqual([
    "0 2 0",
    "2 2 1",
    "2 3 0",
    "4 1 1",
    "5 2 0",
  ]);
  expect(svg).toContain("show({x:0,w:7,r:-1})");
});

test("a line that says whose the time was has an end, however many services there are", () => {
  const owners = Array.from({ length: 40 }, (_, at) => ({
    kind: "service" as const,
    name: `S${at}`,
    samples: 40 - at,
  }));
  expect(flameSvg({ ...profile, owners })).toContain("S7 33.0 % · …<");
});

test("names are text, whatever a binary calls its functions, and nothing is fetched", () => {
  const hostile = "</script><script>alert(1)</script>]]>\uD800";
  const svg = flameSvg({
    ...profile,
    binary: hostile,
    owners: [{ kind: "service", name: hostile, samples: 30 }, ...profile.owners.slice(1)],
    names: profile.names.map((name) => name + hostile),
  });
  expect(svg.match(/<script>/g)).toHaveLength(1);
  expect(svg.match(/<\/script>/g)).toHaveLength(1);
  expect(svg.match(/\]\]>/g)).toHaveLength(1);
  expect(flameSvg(profile)).toContain("&lt;script&gt;&quot;&#39;&amp;\uFFFD");
  expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|href|url\(|@import|src=/);
});

test("frames of the service that is asked for stand out", () => {
  const svg = flameSvg(profile, "LogAd");
  expect(svg.match(/class="f o1 lit"/g)).toHaveLength(1);
  expect(svg.match(/ dim"/g)).toHaveLength(profile.frames.length - 1);
  expect(flameSvg(profile, "Nobody")).toBe(flameSvg(profile));
});
