import { outcome } from "./tally.mjs";

/** More failures than these are a defect and no bad luck; nothing is run again. */
export const FEW = 3;

/**
 * Runs tests, and once more, alone, the files of the few that failed: on a machine that others use,
 * clocks stand still and ports are taken. What passes only then passes, and is named (decision 0022).
 *
 * `runOnce(files)` runs these files, all when there are none, and gives the count of passed tests,
 * the failures with file, title and text, and what broke the run as such.
 */
export async function withSecondTry(runOnce) {
  const first = await runOnce([]);
  const { passed, failures } = first;
  if (first.broken !== undefined || failures.length === 0 || failures.length > FEW) return told(first);
  const second = await runOnce([...new Set(failures.map(({ file }) => file))]);
  if (second.broken !== undefined) return told({ ...first, broken: second.broken });
  const still = failures.filter((failure) => second.failures.some((other) => isSame(failure, other)));
  const others = second.failures.filter((failure) => !failures.some((other) => isSame(failure, other)));
  const recovered = failures.filter((failure) => !still.includes(failure));
  return told(
    // What passed first and fails when run alone has failed, too.
    { passed: passed + recovered.length - others.length, failures: [...still, ...others] },
    recovered,
  );
}

const isSame = (one, other) => one.file === other.file && one.title === other.title;

function told({ passed, failures, broken }, recovered = []) {
  const parts = [
    ...recovered.map(({ text }) => `passed at the second try only: ${text}`),
    ...failures.map(({ text }) => text),
    ...(broken === undefined ? [] : [broken]),
  ];
  return outcome(passed, failures.length + (broken === undefined ? 0 : 1), parts.join("\n\n"));
}
