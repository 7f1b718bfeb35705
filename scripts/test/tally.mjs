/** How a section ended: counted tests, and what to read when some failed. */
export const outcome = (passed, failed, output = "") => ({ passed, failed, output });

/** A tool that left no report has failed, whatever it printed. */
export const broken = (what, tail) => outcome(0, 1, `${what}\n${tail.slice(-60).join("\n")}`);
