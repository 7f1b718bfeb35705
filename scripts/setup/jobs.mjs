import os from "node:os";

/** Compile jobs by processors and free memory: a heavy C++ file takes up to 1.5 GB. */
export const buildJobs = () =>
  Math.max(1, Math.min(os.availableParallelism(), Math.floor(os.freemem() / 1.5e9) || 1));
