import { LAST_CPU } from "@penstock/codegen/topology";

/** CPUs from `0-2, 5`; empty for none said; undefined when it is no such list. */
export function parseCpus(text: string): number[] | undefined {
  const cpus = new Set<number>();
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    if (/^any$/i.test(part)) continue;
    const range = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (!range) return undefined;
    const first = Number(range[1]);
    const last = Number(range[2] ?? range[1]);
    if (first > last || last > LAST_CPU) return undefined;
    for (let cpu = first; cpu <= last; cpu++) cpus.add(cpu);
  }
  return [...cpus].sort((a, b) => a - b);
}

/** `0-2, 5`: neighbours as a range. */
export function writtenCpus(cpus: readonly number[]): string {
  const sorted = [...cpus].sort((a, b) => a - b);
  const runs: [number, number][] = [];
  for (const cpu of sorted) {
    const last = runs.at(-1);
    if (last && cpu === last[1] + 1) last[1] = cpu;
    else runs.push([cpu, cpu]);
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(", ");
}

/** Why a text is no list of CPUs, or of none that `machine` has where that is known; undefined when it is. */
export function cpusFault(text: string, machine?: readonly number[]): string | undefined {
  const cpus = parseCpus(text);
  if (!cpus) return `Write 0, 0-3 or 1, 4, at most ${LAST_CPU}; nothing for any CPU.`;
  const absent = machine ? cpus.filter((cpu) => !machine.includes(cpu)) : [];
  if (!machine || absent.length === 0) return undefined;
  return `This machine has no CPU ${writtenCpus(absent)}, it has ${writtenCpus(machine)}.`;
}
