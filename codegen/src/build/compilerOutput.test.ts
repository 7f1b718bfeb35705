import { expect, test } from "vitest";
import { parseTopology } from "../model/topology/index.js";
import { readCompilerOutput } from "./compilerOutput.js";
import { OutputTail } from "./outputTail.js";
import { problemsOf } from "./problemsOf.js";
import { readNinjaStep, stepSubject } from "./ninjaProgress.js";

const { topology } = parseTopology(
  JSON.stringify({
    penstock: 1,
    name: "ads",
    messages: [{ name: "M" }],
    services: [{ name: "GetAd", request: "M" }],
    flows: [
      {
        name: "Impressions",
        event: "M",
        source: { kind: "rate", perSecond: 1 },
        stages: [{ id: "s", service: "GetAd" }],
      },
    ],
  }),
);
const project = { projectDir: "/p/ads", buildDir: "/p/ads/build/release", topology };
const line = (n: number, kind: string): string => `/p/ads/src/services/get_ad.cpp:${n}:1: ${kind}: text`;
const problems = (text: string): ReturnType<typeof problemsOf> =>
  problemsOf(readCompilerOutput(text.split("\n")), project);

test("should put an error inside a library header on the line of the user's file that led there (gcc)", () => {
  const found = problems(`In file included from /usr/include/c++/12/map:60,
                 from /p/ads/src/services/get_ad.cpp:3:
/usr/include/c++/12/bits/stl_tree.h: In instantiation of 'void f()':
/p/ads/src/services/get_ad.cpp:9:5:   required from here
/usr/include/c++/12/bits/stl_function.h:408:20: error: no match for 'operator<'
  408 |       { return __x < __y; }`);
  expect(found).toMatchObject([
    { code: "PS850", file: "src/services/get_ad.cpp", line: 9, node: "service:GetAd" },
  ]);
});

test("should do so by clang's notes too, and use the first note as help", () => {
  const found = problems(`/usr/include/c++/12/bits/stl_function.h:408:20: error: invalid operands
/p/ads/src/flows/impressions.cpp:7:3: note: in instantiation of function template here`);
  expect(found).toMatchObject([
    {
      file: "src/flows/impressions.cpp",
      line: 7,
      node: "flow:Impressions",
      help: "in instantiation of function template here",
    },
  ]);
});

test("should put an error in an expression of the drawing on its setting", () => {
  const found = problems(`In file included from /usr/include/c++/12/map:60:
topology.json#services/GetAd/node/settings/fields/a%2Fb:1:15: error: 'struct ads::M' has no member named 'x'
/usr/include/c++/12/bits/stl_function.h:408:20: error: no match for 'operator<'
topology.json#services/GetAd/node/settings/condition:1:7: note: in instantiation requested here
generated/services/get_ad.cpp:20:3: error: expected ';'
topology.json#services/Gone/node/settings/condition:1:7: error: of another drawing`);
  expect(found).toMatchObject([
    { pointer: "/services/0/node/settings/fields/a~1b", node: "service:GetAd" },
    { pointer: "/services/0/node/settings/condition", node: "service:GetAd" },
    { pointer: "", file: "generated/services/get_ad.cpp", line: 20, node: "service:GetAd" },
    { pointer: "", message: "of another drawing" },
  ]);
  expect(found[0]?.help).toBe("Correct the C++ of this setting in the drawing.");
});

test.each([
  ["virtual memory exhausted: Cannot allocate memory", "PS857"],
  ["c++: fatal error: Killed signal terminated program cc1plus", "PS857"],
  ["/usr/bin/ld: final link failed: No space left on device", "PS858"],
  ["ninja: fatal: posix_spawn: Resource temporarily unavailable", "PS861"],
  ["ninja: error: opening build log: Read-only file system", "PS863"],
])("should name the trouble behind %j", (line, code) => {
  expect(problems(line).map((one) => one.code)).toContain(code);
});

test("should show each problem once, errors before warnings, and at most a hundred", () => {
  const found = problems([line(1, "warning"), line(2, "error"), line(2, "error")].join("\n"));
  expect(found.map(({ line: at }) => at)).toEqual([2, 1]);
  const many = Array.from({ length: 500 }, (_, n) => line(n, "error")).join("\n");
  expect(problems(many)).toHaveLength(100);
});

test("should not take what a quoted line of source holds for trouble of the machine", () => {
  const found = problems(`${line(12, "error")}
   12 | catch (const std::bad_alloc&) { throw "No space left on device"; }
      |                                 ^`);
  expect(found.map(({ code }) => code)).toEqual(["PS850"]);
  expect(problems("cc1plus: out of memory").map(({ code }) => code)).toEqual(["PS857"]);
});

test("should say of a line that is wrong what the compiler says first, with what follows from it", () => {
  const at = "/p/ads/src/services/get_ad.cpp:9";
  const found = problems(`${at}:5: error: 'Offr' was not declared in this scope
${at}:5: note: suggested alternative: 'Offer'
${at}:10: error: expected ';' before 'best'
${at}:5: error: 'Offr' was not declared in this scope
${at}:30: warning: unused variable 'x'
/p/ads/src/services/get_ad.cpp:12:3: error: 'best' was not declared in this scope`);
  expect(found).toMatchObject([
    {
      line: 9,
      message: "'Offr' was not declared in this scope",
      help: "suggested alternative: 'Offer'. Of the same line: expected ';' before 'best'.",
    },
    { line: 12, message: "'best' was not declared in this scope" },
    { line: 9, severity: "warning" },
  ]);
  const many = Array.from({ length: 6 }, (_, n) => `${at}:${n}: error: number ${n}`).join("\n");
  expect(problems(many)).toMatchObject([
    {
      message: "number 0",
      help: expect.stringMatching(/\. Of the same line: number 1; number 2; number 3; and 2 more\.$/),
    },
  ]);
});

test("should read ninja's steps and name their files", () => {
  expect(readNinjaStep("[3/12] Linking CXX executable app")).toEqual({
    done: 3,
    total: 12,
    what: "Linking CXX executable app",
  });
  expect(readNinjaStep("[x] no")).toBeNull();
  expect(readNinjaStep("[0/2] Re-checking globbed directories...")).toBeNull();
  expect(readNinjaStep("[1/2] Re-running CMake...")).toBeNull();
  expect(stepSubject("Building CXX object CMakeFiles/app.dir/src/services/get_ad.cpp.o")).toBe(
    "src/services/get_ad.cpp",
  );
  expect(stepSubject("Linking CXX executable app")).toBe("app");
});

test("should keep the last megabyte of output, whatever the lines", () => {
  const tail = new OutputTail(1000);
  for (let n = 0; n < 5000; n++) tail.push(`line ${n}`);
  const kept = tail.all();
  expect(kept.at(-1)).toBe("line 4999");
  expect(kept.join("\n").length).toBeLessThanOrEqual(1000);
  tail.push("x".repeat(50_000));
  expect(tail.all()).toHaveLength(1);
});

test("should read what a hostile build prints in the time of its length", () => {
  const services = Array.from({ length: 10_000 }, (_, at) => ({ name: `S${at}`, request: "M" }));
  const large = parseTopology(
    JSON.stringify({ penstock: 1, name: "ads", messages: [{ name: "M" }], services }),
  ).topology;
  const of = (lines: string[]) => problemsOf(readCompilerOutput(lines), { ...project, topology: large });
  // A line of it took hours.
  expect(of(Array<string>(128).fill("a.dir/".repeat(1_365)))).toEqual([]);
  const links = Array.from({ length: 20_000 }, (_, at) => `: undefined reference to \`a::S${at}::handle('`);
  expect(of(links)).toHaveLength(100);
  expect(of(links)[7]).toMatchObject({ code: "PS852", node: "service:S7" });
  const errors = Array.from({ length: 20_000 }, (_, at) => `/p/ads/src/services/s${at}.cpp:1:1: error: no`);
  expect(of(errors)[9]).toMatchObject({ code: "PS850", node: "service:S9" });
});

test("should take a mark of the drawing that is none for a file's name", () =>
  expect(problems("topology.json#services/%zz/GetAd:1:1: error: text")).toEqual([
    expect.objectContaining({ code: "PS850", message: "text" }),
  ]));

test("should name the object file that a linker names, of the words of its line", () => {
  const [found] = problems(
    "ld: CMakeFiles/H.dir/__/__/src/services/get_ad.cpp.o: undefined reference to `x'",
  );
  expect(found).toMatchObject({ file: "src/services/get_ad.cpp", node: "service:GetAd" });
});
