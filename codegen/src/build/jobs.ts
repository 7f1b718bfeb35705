import { availableParallelism, freemem } from "node:os";

/** A C++ compiler needs about this much; more at once than fit would swap. */
const BYTES_PER_JOB = 700 * 1024 ** 2;

/** How many compilers may run at once: the CPUs, or what the free memory holds. */
export const buildJobs = (): number =>
  Math.max(1, Math.min(availableParallelism(), Math.floor(freemem() / BYTES_PER_JOB)));
