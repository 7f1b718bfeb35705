const MOST = 1000;

/**
 * How many times as long as usual binaries, servers and compilers are waited for: `PENSTOCK_PATIENCE`, a number from 1 to
 * 1000, for a machine that has little time for them. What is none counts as 1: no verb fails of it.
 */
export function patienceOf(env: NodeJS.ProcessEnv): number {
  const factor = Number(env["PENSTOCK_PATIENCE"] ?? "1");
  return factor >= 1 && factor <= MOST ? factor : 1;
}

/** A time to wait, in any unit, as this process's environment has it. */
export const patiently = (time: number): number => time * patienceOf(process.env);
