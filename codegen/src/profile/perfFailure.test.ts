import { expect, test } from "vitest";
import { perfFailure } from "./perfFailure.js";

test.each([
  [
    "Error:\nAccess to performance monitoring and observability operations is limited.\nConsider adjusting /proc/sys/kernel/perf_event_paranoid",
    "perf may not record here: the kernel refuses it (kernel.perf_event_paranoid is 3)",
    "sudo sysctl kernel.perf_event_paranoid=1",
  ],
  [
    "The sys_perf_event_open() syscall returned with 1 (Operation not permitted) for event (cpu-clock).",
    "perf may not record here: the kernel refuses it (kernel.perf_event_paranoid is 3)",
    "--cap-add PERFMON",
  ],
  [
    "The sys_perf_event_open() syscall returned with 38 (Function not implemented) for event (cycles).",
    "perf cannot record here: this kernel or container does not have perf_event_open",
    "seccomp",
  ],
  [
    "Permission error mapping pages.\nConsider increasing /proc/sys/kernel/perf_event_mlock_kb,",
    "perf may not record here: other recordings",
    "perf_event_mlock_kb",
  ],
  ["WARNING: perf not found for kernel 6.8.0-45", "perf is not installed", "linux-perf"],
  [
    "Couldn't create thread/CPU maps: No such process",
    "the process ended before it could be recorded",
    "again",
  ],
  ["\nsomething new went wrong\nmore", "perf failed: something new went wrong", "by hand"],
  ["", "perf failed: it said nothing", "by hand"],
])("%j is said as %j", (words, message, help) => {
  const { problem } = perfFailure(words, "3");
  expect(problem.message).toContain(message);
  expect(problem.help).toContain(help);
  expect(problem).toMatchObject({ code: "PS899", severity: "error" });
});
