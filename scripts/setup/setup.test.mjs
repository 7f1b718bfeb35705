import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { adviceFor, installLine, missingPackages, withoutCandidate } from "./apt.mjs";
import { contentHash, readStamp, writeStamp } from "./content-hash.mjs";
import { run } from "./child.mjs";
import { buildDesigner, designerFresh, designerHash } from "./designer.mjs";
import { packagesFor } from "./packages.mjs";
import { beginStep } from "./report.mjs";
import { startOptions } from "../start/options.mjs";

const scripts = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
let root;
beforeEach(() => (root = mkdtempSync(path.join(tmpdir(), "penstock-setup-"))));
afterEach(() => rmSync(root, { recursive: true }));

describe("what was built is remembered by content", () => {
  test("times do not matter, contents and names do", () => {
    mkdirSync(path.join(root, "src"));
    const file = path.join(root, "src", "a.cpp");
    writeFileSync(file, "one");
    const before = contentHash(root, ["src"]);
    utimesSync(file, new Date(0), new Date(0));
    expect(contentHash(root, ["src"])).toBe(before);
    writeFileSync(file, "two");
    const after = contentHash(root, ["src"]);
    expect(after).not.toBe(before);
    writeFileSync(path.join(root, "src", "b.cpp"), "");
    expect(contentHash(root, ["src"])).not.toBe(after);
    expect(contentHash(root, ["src"], (name) => !name.endsWith("b.cpp"))).toBe(after);
  });

  test("a stamp is read back, and missing ones are empty", () => {
    expect(readStamp(root, "x")).toBe("");
    writeStamp(root, "x", "abc");
    expect(readStamp(root, "x")).toBe("abc");
  });
});

function put(file, text) {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

test("the designer is built with the React of users, whatever the shell says", async () => {
  put("codegen/package.json", '{"exports": {}}');
  put("designer/index.html", "");
  put("node_modules/vite/bin/vite.js", "console.log(process.env.NODE_ENV)");
  const said = [];
  vi.stubEnv("NODE_ENV", "development");
  try {
    await buildDesigner(root, { progress: (line) => said.push(line) });
  } finally {
    vi.unstubAllEnvs();
  }
  expect(said).toEqual(["production"]);
});

test("the designer is built anew when a room that codegen exports has changed", () => {
  put("designer/dist/index.html", "");
  put("codegen/package.json", '{"exports": {"./flame": "./src/flame/index.ts"}}');
  put("codegen/src/flame/layout.ts", "one");
  put("codegen/src/build/configure.ts", "one");
  writeStamp(root, "designer", designerHash(root));
  put("codegen/src/build/configure.ts", "two");
  expect(designerFresh(root)).toBe(true);
  put("codegen/src/flame/layout.ts", "two");
  expect(designerFresh(root)).toBe(false);
});

test("a step that takes long says how long it usually takes, before it begins", () => {
  const words = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    beginStep("Library", "2 minutes").done();
    beginStep("Quick").done();
    const lines = words.mock.calls.map(([line]) => String(line)).filter((line) => line.startsWith("- "));
    expect(lines).toEqual(["- Library (usually 2 minutes)\n", "- Quick\n"]);
  } finally {
    words.mockRestore();
  }
});

describe("packages", () => {
  test("dpkg is asked: what is not installed is missing", () => {
    expect(missingPackages(["dpkg", "penstock-no-such-package"])).toEqual(["penstock-no-such-package"]);
  });

  test("tests need all that starting needs, and more; nothing pulls in the distribution's Node", () => {
    expect(packagesFor("test")).toEqual(expect.arrayContaining(packagesFor("start")));
    expect(packagesFor("test").filter((name) => /node|npm/.test(name))).toEqual([]);
    expect(installLine(["a", "b"])).toContain("install -y --no-install-recommends a b");
  });

  test.each([
    ["linux", 'ID=fedora\nVERSION_ID="42"', "dnf install"],
    ["linux", "ID=manjaro\nID_LIKE=arch", "pacman"],
    ["linux", 'ID="opensuse-tumbleweed"', "zypper"],
    ["linux", "ID=alpine", "apk add"],
    ["linux", "ID=other", "libboost-dev"],
    ["darwin", "", "brew install"],
  ])("%s with %j is told its own command", (platform, release, words) => {
    expect(adviceFor(platform, release)).toContain(words);
  });
});

/** A folder of programs as PATH: dpkg knows nothing, apt-get is there; sudo only where it is asked for. */
function machineWithoutPackages(programs) {
  const folder = path.join(root, "bin");
  mkdirSync(folder);
  for (const [name, body] of Object.entries({ dpkg: "exit 1", "apt-get": "exit 9", ...programs })) {
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  }
  return folder;
}

/**
 * Runs set-up's packages as a user who is not root, whoever runs the tests. It only says so: another user could
 * perhaps read neither a clone in somebody's home nor a Node that is installed there.
 */
function setUpAsUser(PATH) {
  const user = "data:text/javascript,process.getuid = () => 1000";
  const args = ["--import", user, path.join(scripts, "setup.mjs"), "--packages"];
  return spawnSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, PATH } });
}

describe("a user without rights", () => {
  const line = `apt-get update && apt-get install -y --no-install-recommends ${packagesFor("setup").join(" ")}`;

  test("and without sudo is told the exact line, exit 3", () => {
    const ended = setUpAsUser(machineWithoutPackages({}));
    expect(ended.stderr).toContain(`as root: ${line}\n`);
    expect(ended.status).toBe(3);
  });

  test("whom sudo refuses is told why, and the line, exit 3", () => {
    const ended = setUpAsUser(machineWithoutPackages({ sudo: "echo 'sudo: not you' >&2; exit 1" }));
    expect(ended.stderr).toContain("sudo: not you");
    expect(ended.stderr).toContain("What helps: sudo apt-get update && sudo apt-get install");
    expect(ended.status).toBe(3);
  });

  test("needs no rights when nothing is missing", () => {
    const installed = packagesFor("setup").map(
      (name) => `Package: ${name}\\nStatus: install ok installed\\n`,
    );
    const ended = setUpAsUser(machineWithoutPackages({ dpkg: `printf '${installed.join("\\n")}'` }));
    expect(ended.stderr).toContain("Everything is in place");
    expect(ended.status).toBe(0);
  });
});

describe("npm start's options", () => {
  test("have defaults, and a workspace in the repository", () => {
    expect(startOptions("/r", [])).toMatchObject({
      headless: false,
      workspace: "/r/workspace",
      example: true,
    });
  });

  test.each([[["--port", "x"]], [["--port", "70000"]], [["--prot", "1"]], [["extra"]]])(
    "%j is wrong usage, exit 2",
    (args) => {
      const ended = spawnSync(process.execPath, [path.join(scripts, "start.mjs"), ...args], {
        encoding: "utf8",
      });
      expect(ended.status).toBe(2);
      expect(ended.stderr).toContain("--workspace DIR");
    },
  );
});

test("packages that this system's archive does not have are known from apt-cache's words", () => {
  const policy = [
    "ccache:",
    "  Installed: (none)",
    "  Candidate: 4.8-1",
    "clangd-16:",
    "  Installed: (none)",
    "  Candidate: (none)",
    "",
  ].join("\n");
  expect(withoutCandidate(policy)).toEqual(["clangd-16"]);
});

test("what is no longer wanted is interrupted, or not begun", async () => {
  const waited = new AbortController();
  const running = run("sh", ["-c", "echo begun; while :; do :; done"], {
    signal: waited.signal,
    onLine: () => waited.abort(),
  });
  expect(await running).toEqual({ code: 130, tail: ["begun"] });
  expect(await run("true", [], { signal: waited.signal })).toEqual({ code: 130, tail: [] });
});
