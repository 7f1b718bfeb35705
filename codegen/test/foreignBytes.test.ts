import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { Penstock } from "./cli/penstock.js";
import { compileMessages, runTool } from "./support/build.js";

const penstock = new Penstock();
afterAll(() => penstock.cleanUp());
const SUPPORT = fileURLToPath(new URL("./support/", import.meta.url));

/** What `foreign.cpp` writes, as protoc says it. */
const TRIP = String.raw`cents: -1
last {
}
older {
  empty: 0
  rest: 0
  marks: 1
  marks: -2
  sizes: -1
  sizes: 5
}
seats: 0
balance: -300
state: STATE_LOST
tickets: "\000\377"
notes: ""
notes: "two"
stops_by_name {
  key: "north"
  value {
    states: STATE_LOST
    states: STATE_UNKNOWN
  }
}
packed_numbers: 1
packed_numbers: 0
packed_numbers: 300
doors: true
doors: false
doors: true
lengths: -1.5
prices: 0.5
prices: 0
times: -2
times: 0
codes: 0
codes: 7
steps: -1
steps: 0
steps: -9223372036854775808
counts: 1
counts: -1
counts: 0
counts: 300
stops {
  delay: -5
  states: STATE_LATE
  states: STATE_LOST
  place: "gr\303\274n"
}
stops {
}
stops {
  delay: 0
  states: STATE_UNKNOWN
}
id: 1
`;

test("bytes of a file that others wrote are those of protoc, both ways", async () => {
  const dir = penstock.project("foreign", { penstock: 1, name: "trips" });
  for (const args of [
    ["import", `${SUPPORT}foreign.proto`, dir, "--yes"],
    ["generate", dir],
  ])
    expect(await penstock.run(args)).toMatchObject({ code: 0 });
  const program = `${dir}/foreign`;
  compileMessages(`${SUPPORT}foreign.cpp`, `${dir}/generated`, program);
  const protoc = (mode: string, input: Buffer): Buffer =>
    runTool("protoc", [`--proto_path=${SUPPORT}`, `--${mode}=far.trips.v1.Trip`, "foreign.proto"], input);
  const theirs = protoc("encode", Buffer.from(TRIP));
  const ours = runTool(program, ["write"], Buffer.alloc(0));
  expect(protoc("decode", ours).toString()).toBe(TRIP);
  expect(ours.toString("hex")).toBe(theirs.toString("hex"));
  expect(runTool(program, ["check"], theirs).toString()).toBe("equal\n");
});
