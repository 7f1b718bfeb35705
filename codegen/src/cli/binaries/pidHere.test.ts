import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFake } from "../../run/testing/makeFake.js";
import { forwarded, startByHand } from "../../run/testing/startByHand.js";
import { pidHere } from "./pidHere.js";

const token = "by-hand";

test("an attached process of this host is known by who holds its control port, one behind a forwarded port is not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "penstock-here-"));
  const byHand = await startByHand(await makeFake(folder, {}), { binary: "app", token });
  onTestFinished(async () => {
    await byHand.end();
    await rm(folder, { recursive: true });
  });
  const entry = { project: folder, binary: "app", control: byHand.control, token, attached: true } as const;
  expect(await pidHere(entry)).toBe(byHand.pid);
  expect(await pidHere({ ...entry, token: "another" })).toBeUndefined();
  const port = await forwarded(byHand.control);
  onTestFinished(() => port.close());
  expect(await pidHere({ ...entry, control: port.control, host: byHand.control })).toBeUndefined();
});
