import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { binaryFence } from "./binaryFence.js";
import { runFolder } from "./runFolder.js";

afterEach(() => vi.unstubAllEnvs());

test("a project has a folder of its user's, short enough for sockets, unless told another one", () => {
  const long = `/home/somebody/${"a/".repeat(200)}`;
  const own = mkdtempSync("/tmp/penstock-run-");
  onTestFinished(() => rmSync(own, { recursive: true }));
  const there = runFolder(long, { XDG_RUNTIME_DIR: own });
  expect(there.slice(own.length)).toMatch(/^\/penstock\/[0-9a-f]{16}$/);
  expect(runFolder(`${long}b`, { XDG_RUNTIME_DIR: own })).not.toBe(there);
  expect(runFolder(long, {})).toMatch(/^\/tmp\/penstock-\d+\/[0-9a-f]{16}$/);
  // As runtime-cpp/penstock/net/remote/discovery/directory.test.cpp has it.
  expect(runFolder("/nowhere/shop", {})).toMatch(/\/e481fce0fa2e1a4a$/);
  // None, or that of whom one was before.
  for (const other of ["run", `${own}/gone`])
    expect(runFolder(long, { XDG_RUNTIME_DIR: other })).toBe(runFolder(long, {}));
  expect(runFolder(long, { PENSTOCK_RUN: "/srv/run" })).toBe("/srv/run");
});

test("a fence makes it for the user alone, and lets a binary write there", () => {
  const root = mkdtempSync(join(tmpdir(), "penstock-run-"));
  try {
    vi.stubEnv("XDG_RUNTIME_DIR", root);
    vi.stubEnv("PENSTOCK_RUN", "");
    const projectDir = join(root, "project");
    mkdirSync(projectDir);
    const folder = runFolder(projectDir);
    expect(binaryFence(projectDir).writable).toContain(folder);
    for (const made of [join(root, "penstock"), folder]) expect(statSync(made).mode & 0o777).toBe(0o700);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test.each([
  ["a link", "folder", (folder: string, root: string) => symlinkSync(join(root, "elsewhere"), folder)],
  ["open to others", "folder", (folder: string) => (mkdirSync(folder), chmodSync(folder, 0o755))],
  ["a link", "parent", (folder: string, root: string) => symlinkSync(join(root, "elsewhere"), folder)],
  ["open to others", "parent", (folder: string) => (mkdirSync(folder), chmodSync(folder, 0o755))],
])("a fence does not open one that is %s (the %s), nor makes anything there", (_, which, place) => {
  const root = mkdtempSync(join(tmpdir(), "penstock-run-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  vi.stubEnv("XDG_RUNTIME_DIR", root);
  vi.stubEnv("PENSTOCK_RUN", "");
  const projectDir = join(root, "project");
  mkdirSync(projectDir);
  mkdirSync(join(root, "elsewhere"), { mode: 0o700 });
  const folder = runFolder(projectDir);
  const parent = dirname(folder);
  if (which === "folder") mkdirSync(parent, { mode: 0o700 });
  place(which === "folder" ? folder : parent, root);
  expect(binaryFence(projectDir).writable).toEqual([join(projectDir, "build/data")]);
  if (which === "parent") expect(existsSync(folder)).toBe(false);
});

test("a fence opens the folder that it is told, whoever may enter the one around it", () => {
  const root = mkdtempSync(join(tmpdir(), "penstock-run-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  chmodSync(root, 0o755);
  vi.stubEnv("PENSTOCK_RUN", join(root, "run"));
  expect(binaryFence(root).writable).toContain(join(root, "run"));
});
