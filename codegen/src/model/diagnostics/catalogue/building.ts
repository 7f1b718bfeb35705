import type { CatalogueEntry } from "./entry.js";

/** 850-871: building a generated project. */
export const BUILDING = {
  PS850: {
    severity: "error",
    title: "Compile error",
    explanation: "The compiler refused a file of the project.",
    help: "Correct the file at the line named.",
  },
  PS851: {
    severity: "warning",
    title: "Compile warning",
    explanation: "The compiler built the file, but doubts it.",
    help: "Look at the line named.",
  },
  PS852: {
    severity: "error",
    title: "Link error",
    explanation: "Every file compiled, but something that one uses is nowhere defined, or defined twice.",
    help: "Define the function named, with exactly the signature of its class in generated/.",
  },
  PS853: {
    severity: "error",
    title: "CMake cannot configure the project",
    explanation: "CMake stopped before anything was compiled.",
    help: "Read CMake's message in the build output; CMakeLists.txt and CMakePresets.json are yours.",
  },
  PS854: {
    severity: "error",
    title: "A build tool is missing",
    explanation: "Building needs CMake, Ninja and a C++20 compiler.",
    help: "Install it with the command named.",
  },
  PS855: {
    severity: "error",
    title: "The runtime library is not built",
    explanation:
      "Generated projects link Penstock's runtime, which is built once for each preset (`fastest` uses that of `release`).",
    help: "Run npm run setup in the Penstock repository, for `dev`, `asan` or `tsan` with `-- --preset NAME`. While that or npm start builds it, a build waits for it.",
  },
  PS856: {
    severity: "error",
    title: "Build timed out",
    explanation: "A build may take 300 seconds; this one was stopped with everything it had started.",
    help: "Look at the last file in the build output: a template that never ends, or too much for this machine.",
  },
  PS857: {
    severity: "error",
    title: "Compiler out of memory",
    explanation: "The compiler met the memory limit of builds, or the machine had no more.",
    help: "Split the file named, or close other programs.",
  },
  PS858: {
    severity: "error",
    title: "Disk full",
    explanation: "The build folder's disk has no space left; the last good binary is kept.",
    help: "Free some space and build again.",
  },
  PS859: {
    severity: "error",
    title: "Another build is running",
    explanation: "A project is built by one process at a time.",
    help: "Wait for it, or cancel it.",
  },
  PS860: {
    severity: "error",
    title: "Nothing to build",
    explanation: "The project has no binary, or has not been generated.",
    help: "Draw a binary with a bundle, then generate.",
  },
  PS861: {
    severity: "error",
    title: "Process limit",
    explanation: "The build was not allowed to start another process.",
    help: "Close other programs of this user, or raise its process limit.",
  },
  PS862: {
    severity: "error",
    title: "Build failed",
    explanation: "Ninja stopped with an error that names no line of a file.",
    help: "Read the end of the build output.",
  },
  PS863: {
    severity: "error",
    title: "Build folder not writable",
    explanation: "The build needs to write the project's build folder.",
    help: "Give this user the right to write it.",
  },
  PS864: {
    severity: "error",
    title: "A library for checks is missing",
    explanation: "Benchmarks are built with Google Benchmark, which CMake did not find.",
    help: "Install it: sudo apt-get install libbenchmark-dev.",
  },
  PS865: {
    severity: "error",
    title: "Generated while it was built",
    explanation:
      "Some objects are of the drawing before and some of the one after; the last good binary is kept.",
    help: "Build again.",
  },
  PS866: {
    severity: "error",
    title: "A link in the build folder, or in its place",
    explanation:
      "What is built is written below the project's own folder, and what was built is read there, wherever the project came from: no link is followed.",
    help: "Remove the link that the message names; Penstock makes a folder there, and a binary is a plain file.",
  },
} as const satisfies Record<string, CatalogueEntry>;
