import { useMemo } from "react";
import { useConnection } from "./connection.js";

/** The CPUs of the server's machine, where what it starts runs, by their numbers; undefined while that is not known. */
export function useMachineCpus(): readonly number[] | undefined {
  const cpus = useConnection(({ phase }) => (phase.kind === "ready" ? phase.status.machine.cpus : undefined));
  return useMemo(() => cpus?.map(({ id }) => id), [cpus]);
}
