import { threadList, threadName, type Pool } from "@penstock/codegen/topology";
import type { PoolFigures } from "../../../kernel/live/figures/figures.js";
import { Input, toast } from "../../../kernel/ui/index.js";
import { setPins } from "../../../kernel/run/setPins.js";
import { parseCpus, writtenCpus } from "../../../kernel/document/cpus.js";

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
                  onCommit={(text) => void pinThread(binary, pool.name, index, text, actual !== undefined)}
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

/** Pins a thread to what was typed (`0`, `0-3`, `1, 4`, empty: anywhere), at once where it runs. */
export async function pinThread(
  binary: string,
  pool: string,
  index: number,
  text: string,
  running: boolean,
): Promise<void> {
  const cpus = parseCpus(text);
  if (!cpus) {
    toast(`“${text}” is no list of CPUs`, {
      tone: "warn",
      body: "Write 0, 0-3 or 1, 4; nothing for any CPU.",
    });
    return;
  }
  await setPins(binary, pool, index, cpus, running);
}
