/** How a section ended: counted tests, and what to read when some failed. */
export const outcome = (passed, failed, output = "") => ({ passed, failed, output });

/** A tool that left no report has failed, whatever it printed. */
export const broken = (what, tail) => outcome(0, 1, `${what}\n${tail.slice(-60).join("\n")}`);

/** What a report says, unless the tool that wrote it failed of something that is not in it. */
export const believed = (counted, tool, code, tail) =>
  code !== 0 && counted.failed === 0
    ? broken(`${tool} ended with ${code}, though no test had failed`, tail)
    : counted;
