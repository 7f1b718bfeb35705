import { threadList, threadName, type Pool } from "@penstock/codegen/topology";
import type { PoolFigures } from "../../../kernel/live/figures/figures.js";
import { useMachineCpus } from "../../../kernel/connection/useMachineCpus.js";
import { cpusFault, parseCpus, writtenCpus } from "../../../kernel/document/cpus.js";
import { drawnName } from "../../../kernel/live/liveStore.js";
import { setPins } from "../../../kernel/run/setPins.js";
import { useProject } from "../../../kernel/server/projectStore.js";
import { Input } from "../../../kernel/ui/index.js";

/** Which CPUs each thread may run on: as drawn, and as the kernel says while it runs. */
export function PinTable({
  binary,
  pool,
  figures,
}: {
  binary: string;
  pool: Pool;
  figures: PoolFigures | null;
}) {
  const machine = useMachineCpus();
  // What something else started may run on another host.
  const isHere = useProject(
    ({ binaries }) =>
      !binaries.some(
        (one) => drawnName(one.binary) === binary && one.processes?.some(({ attached }) => attached),
      ),
  );
  return (
    <table className="pin-table">
      <thead>
        <tr>
          <th>Thread</th>
          <th>CPUs</th>
          <th>{figures ? "Actual" : ""}</th>
        </tr>
      </thead>
      <tbody>
        {threadList(pool.threads).map((thread, index) => {
          const actual = figures?.threads[index];
          const asked = thread.cpus ?? [];
          const met = actual && (asked.length === 0 || sameCpus(asked, actual.actual));
          return (
            <tr key={index}>
              <td className="mono">{threadName(pool.name, index)}</td>
              <td>
                <Input
                  mono
                  aria-label={`CPUs of ${threadName(pool.name, index)}`}
                  placeholder="any"
                  value={writtenCpus(asked)}
                  // Where it does not run yet, the drawing may be for another machine.
                  faultOf={(text) => cpusFault(text, actual && isHere ? machine : undefined)}
                  // `0`, `0-3`, `1, 4`, empty: anywhere; at once where it runs.
                  onCommit={(text) =>
                    void setPins(binary, pool.name, index, parseCpus(text) ?? [], actual !== undefined)
                  }
                />
              </td>
              <td className="mono" style={{ color: met === false ? "var(--bad)" : "var(--ok)" }}>
                {actual ? `${writtenCpus(actual.actual)} ${met ? "✓" : "✗"}` : ""}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const sameCpus = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((cpu) => b.includes(cpu));
