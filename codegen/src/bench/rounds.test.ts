import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BenchProgram } from "./rounds.js";

test("a program that names benchmarks without end fills no memory with them", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "penstock-rounds-")));
  try {
    const executable = join(folder, "benches");
    writeFileSync(executable, "#!/bin/sh\nyes GetAd | head -n 100000\n", { mode: 0o755 });
    const names = await BenchProgram.with(
      {
        executable,
        projectDir: folder,
        buildDir: folder,
        readable: [],
        env: process.env,
        signal: new AbortController().signal,
        patience: 100,
      },
      (program) => program.names(),
    );
    expect(names).toHaveLength(10_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
