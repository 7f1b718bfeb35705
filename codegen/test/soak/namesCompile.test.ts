import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { nameFault, nameLists, type NameKind } from "../../src/model/validate/index.js";

const folder = mkdtempSync(join(tmpdir(), "penstock-names-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What user code and generated code may include around the names. */
// prettier-ignore
const HEADERS = [
  "algorithm", "any", "array", "atomic", "bit", "chrono", "coroutine", "csignal", "cstdio", "filesystem", "functional",
  "future", "iostream", "memory", "mutex", "numbers", "random", "ranges", "regex", "string", "thread", "vector",
  "arpa/inet.h", "dirent.h", "fcntl.h", "math.h", "netdb.h", "netinet/in.h", "netinet/tcp.h", "poll.h",
  "pthread.h", "pwd.h", "sched.h", "search.h", "semaphore.h", "signal.h", "sys/epoll.h", "sys/mman.h", "sys/param.h",
  "sys/resource.h", "sys/select.h", "sys/socket.h", "sys/stat.h", "sys/sysinfo.h", "sys/time.h", "sys/un.h", "sys/wait.h",
  "syslog.h", "termios.h", "time.h", "unistd.h", "utmpx.h", "gtest/gtest.h", "benchmark/benchmark.h",
];
const INCLUDES = HEADERS.map((header) => `#include <${header}>\n`).join("");

/** Every word of those headers, and every word of the lists: the names most likely to break something. */
function dangerousWords(asker: string): string[] {
  const file = join(folder, `headers-${asker}.cpp`);
  writeFileSync(file, INCLUDES);
  const { stdout, status, stderr } = spawnSync("g++", ["-std=c++20", "-E", "-P", "-w", file], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const words = stdout.match(/\b[A-Za-z][A-Za-z0-9_]*\b/g) ?? [];
  return [...new Set([...words, ...Object.values(nameLists()).flat()])];
}

/** One translation unit that uses each legal name where generated code would. */
function translationUnit(words: readonly string[]): { text: string; names: number } {
  let names = 0;
  const legal = (kind: NameKind): string[] => words.filter((word) => nameFault(kind, word) === undefined);
  const lines = (kind: NameKind, line: (name: string, id: string) => string): string =>
    legal(kind)
      .map((name) => line(name, `x__${names++}`))
      .join("\n");
  const text = `${INCLUDES}
namespace x__types {
${lines("field", (name, id) => `struct ${id} { std::string ${name}; }; inline void use(${id}& v) { v.${name} = v.${name} + "x"; }`)}
${lines("enum value", (name, id) => `enum class ${id} : std::int32_t { ${name} = 0 }; inline int use(${id} v) { switch (v) { case ${id}::${name}: return 1; } return 0; }`)}
${lines("message", (name, id) => `struct ${name} { int x = 0; friend bool operator==(const ${name}&, const ${name}&) = default; }; inline ${name} ${id}() { return ::x__types::${name}{1}; }`)}
}
namespace x__services {
${lines("service", (name, id) => `class ${name}; class ${name} final { public: int handle(); }; inline int ${name}::handle() { return 1; } struct ${id} { ::x__services::${name}* ${name}; };`)}
}
struct x__outer {
${lines("implementation", (name) => `class ${name}; class ${name} { public: int handle() { return 1; } };`)}
};
${lines("project", (name, id) => `namespace ${name} { struct x__ad {}; } inline ::${name}::x__ad ${id}() { return {}; }`)}
`;
  return { text, names };
}

describe("row 67: names that the rules let through", () => {
  const compilers = [
    ["g++", "-std=c++20"],
    ["clang++-16", "-std=gnu++20"],
  ] as const;
  // Both at once: each of them is busy on one processor for a long time.
  it.concurrent.each(compilers)("compile wherever generated code uses them (%s)", async (compiler, mode) => {
    const { text, names } = translationUnit(dangerousWords(compiler));
    expect(names).toBeGreaterThan(5000);
    const file = join(folder, `names-${compiler}.cpp`);
    writeFileSync(file, text);
    const outcome = await promisify(execFile)(compiler, [mode, "-fsyntax-only", "-w", file]).then(
      () => "",
      (error: Error & { stderr: string }) => error.stderr || String(error),
    );
    expect(outcome.slice(0, 4000)).toBe("");
  });
});
