import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runTool } from "../../src/build/index.js";
import { processStartTime, sandboxed, sandboxObstacle } from "../../src/process/index.js";
import { BinaryProcess } from "../../src/run/binaryProcess.js";
import type { Ready } from "../../src/run/output/readyLine.js";
import { until } from "../../src/server/testing/until.js";

/** What a fenced program sees: neither sockets of others, nor our environment, nor what lies beside programs. */

let root: string;
const servers: Server[] = [];
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "penstock-fence-")));
  vi.stubEnv("HOME", join(root, "home"));
  vi.stubEnv("XDG_STATE_HOME", join(root, "state"));
  mkdirSync(join(root, "home"));
  mkdirSync(join(root, "project"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(servers.splice(0).map((one) => new Promise((resolve) => one.close(resolve))));
  rmSync(root, { recursive: true, force: true });
});

/** True where programs can be fenced; elsewhere the reason has been said, and there is no fence to look into. */
async function canFence(): Promise<boolean> {
  const obstacle = await sandboxObstacle();
  if (obstacle !== "") expect(obstacle).toMatch(/bwrap|PENSTOCK_SANDBOX/);
  return obstacle === "";
}

const fence = (network: boolean) => ({
  readable: [join(root, "project")],
  writable: [],
  network,
});

/** What a shell in the fence prints. */
const inFence = (script: string, network = false): string => {
  const [program = "", ...args] = sandboxed(["/bin/sh", "-c", script], fence(network));
  return execFileSync(program, args, { encoding: "utf8" });
};

function listen(path: string): Promise<void> {
  const server = createServer((socket) => socket.end("reached"));
  servers.push(server);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => resolve());
  });
}

test.each([
  ["a build", false],
  ["a running binary", true],
])("should let %s reach no socket in /tmp, /var/tmp or the user's runtime folder", async (_what, network) => {
  if (!(await canFence())) return;
  const folders = ["/tmp", "/var/tmp"].map((folder) => mkdtempSync(join(folder, "penstock-socket-")));
  const runtime = join(root, "runtime");
  mkdirSync(runtime);
  vi.stubEnv("XDG_RUNTIME_DIR", runtime);
  try {
    for (const folder of [...folders, runtime]) {
      const socket = join(folder, "s");
      await listen(socket);
      const connect = `require("node:net").connect(${JSON.stringify(socket)})
        .on("data", (data) => console.log(String(data))).on("error", ({ code }) => console.log(code))`;
      writeFileSync(join(root, "project", "connect.cjs"), connect);
      expect(inFence(`"${process.execPath}" ${root}/project/connect.cjs`, network)).toBe("ENOENT\n");
    }
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
});

test("should give a fenced program a /tmp, /var/tmp and /run of its own", async () => {
  if (!(await canFence())) return;
  expect(inFence("ls -A /tmp /var/tmp; echo $TMPDIR; touch /tmp/x /var/tmp/x /run/x && echo made")).toContain(
    "made",
  );
  expect(inFence("find /run -type s")).toBe("");
  expect(inFence("find /run -type s", true)).toBe("");
});

test("should let a build share neither the network nor its abstract sockets", async () => {
  if (!(await canFence())) return;
  const ours = execFileSync("readlink", ["/proc/self/ns/net"], { encoding: "utf8" });
  expect(inFence("readlink /proc/self/ns/net")).not.toBe(ours);
  expect(inFence("readlink /proc/self/ns/net", true)).toBe(ours);
});

test("should show the folders of PATH, and never what lies above them", async () => {
  if (!(await canFence())) return;
  const home = join(root, "home");
  for (const folder of [".local/bin", ".local/share/keyrings", "tools/bin", "elsewhere"])
    mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, ".local/share/keyrings/login"), "secret");
  writeFileSync(join(home, ".local/bin/mine"), "#!/bin/sh\necho ran\n", { mode: 0o755 });
  symlinkSync("/usr/bin", join(home, "linked"));
  const before = process.env["PATH"] ?? "";
  vi.stubEnv("PATH", `${home}/.local/bin:${home}/tools/bin:${home}/linked:${before}`);
  expect(inFence(`mine; ls -A ${home} ${home}/.local; test -x ${home}/linked/env && echo linked`)).toBe(
    `ran\n${home}:\n.local\nlinked\ntools\n\n${home}/.local:\nbin\nlinked\n`,
  );
  vi.stubEnv("PENSTOCK_SANDBOX_FOLDERS", join(home, "elsewhere"));
  expect(inFence(`ls -A ${home}`)).toContain("elsewhere");
});

test("should show a compiler that is installed in a home folder its own parts, and nothing else there", async () => {
  if (!(await canFence())) return;
  const prefix = join(root, "home", "gcc");
  for (const folder of ["bin", "lib/gcc", "libexec", "include", "share/cmake-3.30", "share/private", "notes"])
    mkdirSync(join(prefix, folder), { recursive: true });
  writeFileSync(join(prefix, "lib/gcc/answer"), "42\n");
  const script = `#!/bin/sh\ncat "$(dirname "$0")/../lib/gcc/answer"\n`;
  writeFileSync(join(prefix, "bin/mine++"), script, { mode: 0o755 });
  vi.stubEnv("CXX", join(prefix, "bin/mine++"));
  expect(inFence(`$CXX; ls -A ${prefix} ${prefix}/share`)).toBe(
    `42\n${prefix}:\nbin\ninclude\nlib\nlibexec\nshare\n\n${prefix}/share:\ncmake-3.30\n`,
  );
});

/** What a program prints that is run as a build runs CMake. */
async function toolPrints(command: string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const lines: string[] = [];
  const end = await runTool({
    command,
    cwd: join(root, "project"),
    env: { PATH: process.env["PATH"], ...env },
    sandbox: fence(false),
    signal: new AbortController().signal,
    deadline: performance.now() + 120_000,
    onLine: (line) => lines.push(line),
  });
  expect(end).toBe("ok");
  return lines;
}

test("should show a build the folders that the user names, which it is not told", async () => {
  if (!(await canFence())) return;
  const named = join(root, "home", "named");
  mkdirSync(named);
  writeFileSync(join(named, "toolchain.cmake"), "");
  const command = ["/bin/sh", "-c", `ls "${named}"; env`];
  const seen = await toolPrints(command, { PENSTOCK_SANDBOX_FOLDERS: named });
  expect(seen).toContain("toolchain.cmake");
  expect(seen.join("\n")).not.toContain("PENSTOCK_SANDBOX_FOLDERS");
});

test("should hide no folder for a runtime folder that there is not", () => {
  vi.stubEnv("XDG_RUNTIME_DIR", undefined);
  expect(sandboxed(["/bin/true"], fence(false))).not.toContain(process.cwd());
});

test("should give fenced programs of our environment what compilers need, and what the user names", async () => {
  const run = (env: NodeJS.ProcessEnv): Promise<string[]> => toolPrints(["/usr/bin/env"], env);
  const env = {
    CXXFLAGS: "-O1",
    LC_ALL: "C.UTF-8",
    CMAKE_PREFIX_PATH: "/opt/x",
    GITHUB_TOKEN: "secret",
    PENSTOCK_CONTROL_TOKEN: "secret",
    DBUS_SESSION_BUS_ADDRESS: "unix:secret",
    SSH_AUTH_SOCK: "/secret",
    DB_PASSWORD: "secret",
  };
  const seen = await run(env);
  expect(seen).toEqual(
    expect.arrayContaining(["CXXFLAGS=-O1", "LC_ALL=C.UTF-8", "CMAKE_PREFIX_PATH=/opt/x"]),
  );
  expect(seen.join("\n")).not.toContain("secret");
  const more = await run({ ...env, PENSTOCK_SANDBOX_ENV: "DB_PASSWORD, OTHER" });
  expect(more).toContain("DB_PASSWORD=secret");
  expect(more.filter((line) => line.includes("secret"))).toHaveLength(1);
});

/** A shell script as a fenced binary of the project; what it prints, and its ready line. */
async function fencedBinary(script: string): Promise<{
  process: BinaryProcess;
  lines: string[];
  ready: Promise<Ready>;
}> {
  const executable = join(root, "project", "app");
  writeFileSync(executable, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const lines: string[] = [];
  let tell: (ready: Ready) => void = () => undefined;
  const ready = new Promise<Ready>((resolve) => (tell = resolve));
  const started = await BinaryProcess.start({
    binary: "app",
    name: "app",
    executable,
    args: [],
    cwd: join(root, "project"),
    token: "its-own",
    runFolder: join(root, "run"),
    keysFolder: join(root, "keys"),
    sandbox: fence(true),
    detached: false,
    onLine: (_stream, line) => lines.push(line),
    onReady: tell,
  });
  return { process: started, lines, ready };
}

const SAY_READY = `printf '{"event":"ready","binary":"app","pid":%d,"control":"127.0.0.1:1"}\\n'`;

/** Whether some process of this machine has this word among its arguments. */
const runsWith = (word: string): boolean =>
  readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(word);
    } catch {
      return false;
    }
  });

test("should give a fenced binary its token, and of our environment no more than a build gets", async () => {
  if (!(await canFence())) return;
  vi.stubEnv("GITHUB_TOKEN", "secret");
  vi.stubEnv("LC_ALL", "C.UTF-8");
  const { process, lines } = await fencedBinary("env");
  expect(await process.exited).toEqual({ code: 0, signal: null });
  expect(lines).toEqual(expect.arrayContaining(["LC_ALL=C.UTF-8", "PENSTOCK_CONTROL_TOKEN=its-own"]));
  expect(lines.join("\n")).not.toContain("secret");
});

test("should let a fenced binary neither see nor signal the processes of others", async () => {
  if (!(await canFence())) return;
  const ours = process.pid;
  const { process: binary, lines } = await fencedBinary(
    `kill -0 ${ours} && echo reached; test -e /proc/${ours} && echo seen; kill -0 $$ && echo own`,
  );
  await binary.exited;
  expect(lines).toContain("own");
  expect(lines).not.toContain("reached");
  expect(lines).not.toContain("seen");
});

test("should end with a fenced binary what it started in a session of its own", async () => {
  if (!(await canFence())) return;
  const long = `${100_000_000 + process.pid}`;
  const script = `setsid sh -c 'trap "" TERM HUP; exec sleep ${long}' >/dev/null 2>&1 &
until grep -q ${long} /proc/$!/cmdline; do :; done
${SAY_READY} $$
exec sleep ${long}`;
  const { process: binary, ready } = await fencedBinary(script);
  expect((await ready).pid).toBe(binary.pid);
  await until("both sleep", () => runsWith(long));
  await binary.stop(5_000);
  await until("nothing of it is left", () => !runsWith(long));
});

test("should stop a fenced binary that named another process as itself, which is gone", async () => {
  if (!(await canFence())) return;
  const long = `${200_000_000 + process.pid}`;
  const { process: binary, ready } = await fencedBinary(
    `sleep ${long} &\n${SAY_READY} $!\nwhile wait; do sleep ${long}; done`,
  );
  const { pid } = await ready;
  expect(pid).not.toBe(binary.groupId);
  process.kill(pid, "SIGKILL");
  await until("it is gone", () => processStartTime(pid) === null);
  await binary.stop(100);
  await until("nothing of it is left", () => !runsWith(long));
});
