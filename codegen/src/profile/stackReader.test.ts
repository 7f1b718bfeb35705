import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { StackReader, type RecordedStack } from "./stackReader.js";
import { RECORDING } from "./testing/fakePerf.js";

function read(text: string): RecordedStack[] {
  const stacks: RecordedStack[] = [];
  const reader = new StackReader((stack) => stacks.push(stack));
  for (const line of text.split("\n")) reader.push(line);
  reader.end();
  return stacks;
}

test("reads every stack of a recording, innermost function first", () => {
  const text = readFileSync(RECORDING, "utf8");
  const stacks = read(text);
  expect(stacks).toHaveLength(text.split("\n\n").length - 1);
  expect(stacks.reduce((sum, { frames }) => sum + frames.length, 0)).toBe(text.match(/^\t/gm)?.length);
  const [first] = stacks;
  expect(first?.thread).toBe("front-0");
  expect(first?.frames[0]).toEqual({ name: "_dl_find_object@plt", kernel: false });
  expect(first?.frames.map(({ name }) => name)).toContain("ads::GetAd::handle");
  expect(first?.frames.at(-1)).toEqual({ name: "clone3", kernel: false });
  const kernel = stacks.flatMap(({ frames }) => frames.filter((frame) => frame.kernel));
  expect(kernel).toHaveLength(text.match(/\(\[kernel\.kallsyms\]\)/g)?.length ?? 0);
});

test("takes names, threads and files of any form, and leaves out what is no stack", () => {
  const stacks = read(
    [
      "# a comment",
      "\t  12 nobody's (/lib/x.so)",
      "my thread (2)  7 1.000001: cycles:",
      "\t 1a2b a::(anonymous namespace)::b(int) [clone .actor] (/home/me (old)/app (deleted))",
      "\t 3c4d [unknown] ([vdso])",
      "\tffffffff81000000 do_syscall_64 ([kernel.kallsyms])",
      "WARNING: something",
      "\t 5e6f after (/lib/x.so)",
      "",
      "empty  8 1.000002:",
      "",
    ].join("\n"),
  );
  expect(stacks).toEqual([
    {
      thread: "my thread (2)",
      frames: [
        { name: "a::(anonymous namespace)::b(int) [clone .actor]", kernel: false },
        { name: "[unknown]", kernel: false },
        { name: "do_syscall_64", kernel: true },
      ],
    },
  ]);
});

test("names that were made to fill the memory or the time are cut, and no head is looked for in what is none", () => {
  const [stack] = read(`x  1 1.0:\n\t 1 ${"<".repeat(60_000)} (/app)\nx${" ".repeat(60_000)}y\n`);
  expect(stack?.frames[0]?.name).toHaveLength(1_024);
});

test("cuts a stack that has no end", () => {
  const [stack] = read(`x  1 1.0:\n${"\t 1 again (/app)\n".repeat(10_000)}`);
  expect(stack?.frames).toHaveLength(256);
});
