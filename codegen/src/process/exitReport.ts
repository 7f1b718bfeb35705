import { constants } from "node:os";

export interface Exit {
  code: number | null;
  signal: string | null;
}

/** A sandbox reports the signal that killed its program as 128 + its number, like a shell. */
export function unwrapExit(exit: Exit, sandboxed: boolean): Exit {
  if (!sandboxed || exit.code === null || exit.code <= 128) return exit;
  const number = exit.code - 128;
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return name === undefined ? exit : { code: null, signal: name };
}

/** In brackets after "crashed": the signal, or the exit code. */
export const exitCause = ({ code, signal }: Exit): string => signal ?? `exit ${code ?? "unknown"}`;
