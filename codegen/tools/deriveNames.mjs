// Derives the C++ names that a topology must not use and writes them into src/model/validate/names/data:
//   node codegen/tools/deriveNames.mjs
// Needs g++, clang++ (CLANGXX, default clang++-16), libc6-dev, libgtest-dev and libbenchmark-dev. Macros
// are `<compiler> -dM -E` over every header of libstdc++ and POSIX; names at global scope are found by
// asking a compiler which identifiers of the preprocessed headers cannot become a namespace.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const POSIX = `aio arpa/inet assert complex cpio ctype dirent dlfcn errno fcntl fenv float fmtmsg fnmatch ftw glob
  grp iconv inttypes iso646 langinfo libgen limits locale math monetary mqueue net/if netdb netinet/in netinet/tcp
  nl_types poll pthread pwd regex sched search semaphore setjmp signal spawn stdarg stdbool stddef stdint stdio
  stdlib string strings sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem sys/shm sys/socket sys/stat
  sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname sys/wait syslog tar termios tgmath time
  ulimit unistd utime utmpx wchar wctype wordexp uchar threads`;
const LINUX = `alloca byteswap endian err error execinfo getopt link malloc sys/epoll sys/eventfd sys/ioctl
  sys/param sys/prctl sys/random sys/signalfd sys/syscall sys/sysinfo sys/sysmacros sys/timerfd ucontext`;
const NOT_FOR_CPP20 = new Set([
  "bits",
  "debug",
  "decimal",
  "experimental",
  "ext",
  "parallel",
  "pstl",
  "tr1",
  "tr2",
]);

const keywords = new Set(
  readFileSync(
    join(dirname(fileURLToPath(import.meta.url)), "../src/model/validate/names/keywords.ts"),
    "utf8",
  ).match(/\w+/g),
);
const clang = process.env.CLANGXX ?? "clang++-16";
const compilers = ["g++", clang];
const modes = ["-std=c++20", "-std=gnu++20"];
const version = execFileSync("g++", ["-dumpversion"], { encoding: "utf8" }).trim().split(".")[0];
const cpp = readdirSync(`/usr/include/c++/${version}`).filter(
  (name) => !NOT_FOR_CPP20.has(name) && !name.endsWith(".h"),
);
const system = `${POSIX} ${LINUX}`.split(/\s+/).map((name) => `${name}.h`);
const tests = ["gtest/gtest.h", "benchmark/benchmark.h"];
const folder = mkdtempSync(join(tmpdir(), "penstock-names-"));
const fits = (name) => /^[A-Za-z][A-Za-z0-9_]*$/.test(name) && !name.includes("__") && name.length <= 64;

function run(compiler, args, text) {
  const file = join(folder, "all.cpp");
  writeFileSync(file, text);
  return spawnSync(compiler, [...args, file], { encoding: "utf8", maxBuffer: 1 << 30 });
}
const includes = (headers) => headers.map((name) => `#include <${name}>\n`).join("");

/** Headers that compile by themselves with this compiler. */
const usable = (compiler, headers) =>
  headers.filter(
    (name) => run(compiler, ["-std=gnu++20", "-fsyntax-only", "-w"], includes([name])).status === 0,
  );

function macrosOf(compiler, mode, headers) {
  const { stdout } = run(compiler, [mode, "-dM", "-E", "-w"], includes(headers));
  return stdout
    .split("\n")
    .map((line) => line.split(/[ (]/)[1])
    .filter((name) => name !== undefined && fits(name));
}

const macros = new Set();
const testMacros = new Set();
const globals = new Set();
for (const compiler of compilers) {
  const fine = usable(compiler, [...cpp, ...system]);
  for (const mode of modes) {
    for (const header of fine) for (const name of macrosOf(compiler, mode, [header])) macros.add(name);
    for (const name of macrosOf(compiler, mode, [...fine, ...tests])) testMacros.add(name);
  }
  // Identifiers that mean something else at global scope: `namespace x {}` is an error there.
  const words = new Set(
    run(compiler, ["-std=gnu++20", "-E", "-P", "-w"], includes(fine)).stdout.match(/\b[a-z][a-z0-9_]*\b/g) ??
      [],
  );
  const lines = [...words].filter((name) => fits(name) && !macros.has(name) && !keywords.has(name));
  const limit = compiler === "g++" ? "-fmax-errors=0" : "-ferror-limit=0";
  const before = includes(fine);
  const offset = before.split("\n").length - 1;
  const { stderr } = run(
    compiler,
    ["-std=gnu++20", "-fsyntax-only", "-w", limit],
    before + lines.map((name) => `namespace ${name} {}\n`).join(""),
  );
  if (process.env.DEBUG) console.error(stderr.slice(0, 3000));
  for (const [, line] of stderr.matchAll(/all\.cpp:(\d+):\d+: error/g)) {
    const name = lines[Number(line) - offset - 1];
    if (name !== undefined) globals.add(name);
  }
}
for (const name of macros) testMacros.delete(name);
rmSync(folder, { recursive: true });

function wrap(names) {
  const lines = [];
  let line = " ";
  for (const name of [...names].sort((a, b) => (a < b ? -1 : 1))) {
    if (line.length + name.length + 1 > 108) {
      lines.push(line);
      line = " ";
    }
    line += ` ${name}`;
  }
  return [...lines, line].join("\n");
}
const data = join(dirname(fileURLToPath(import.meta.url)), "..", "src", "model", "validate", "names", "data");
const made = `// Made by \`node codegen/tools/deriveNames.mjs\` (g++ ${version}, ${clang}, -std=c++20 and -std=gnu++20); do not edit.\n`;
const write = (file, about, constant, names) =>
  writeFileSync(
    join(data, file),
    `${made}\n/** ${about} */\nexport const ${constant} = \`\n${wrap(names)}\n\`;\n`,
  );
write(
  "macros.ts",
  "Macros of the C++ library, POSIX, Linux and the compilers, as `<compiler> -dM -E` lists them.",
  "MACROS",
  macros,
);
write(
  "testMacros.ts",
  "Macros that the headers of the generated tests and benches add.",
  "TEST_MACROS",
  testMacros,
);
write(
  "globals.ts",
  "Names that these headers declare at global scope, so that no namespace can have them.",
  "GLOBALS",
  globals,
);
console.log(`${macros.size} macros, ${testMacros.size} of tests, ${globals.size} globals`);
