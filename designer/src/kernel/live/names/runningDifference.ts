import type { LiveSchema } from "@penstock/codegen/contract";
import type { Binary, Topology } from "@penstock/codegen/topology";

/** How the names of what runs stand to those of what is drawn; figures are there for what both have. */
export interface RunningDifference {
  /** Drawn under another name than it runs by. */
  renamed: { drawn: string; runs: string }[];
  /** Drawn, and in no binary that runs. */
  missing: string[];
  /** Drawn, and not in the binary yet: another one runs it, and has the figures. */
  elsewhere: { name: string; binary: string }[];
  /** In the binary, and not drawn. */
  gone: string[];
}

/** A running binary: what it says of itself, in its own names and in those that are drawn. */
export interface RunningModel {
  own: LiveSchema;
  drawn: LiveSchema;
}

/** Of the drawn binaries that run: services, flows, and stages of flows that both have. */
export function runningDifference(
  topology: Topology,
  running: (binary: string) => RunningModel | undefined,
): RunningDifference {
  const difference: RunningDifference = { renamed: [], missing: [], elsewhere: [], gone: [] };
  const drawnAnywhere = new Set(namesOf(topology));
  for (const binary of topology.binaries) {
    const model = running(binary.name);
    if (!model) continue;
    const [own, known] = [namesOf(model.own), namesOf(model.drawn)];
    for (const [index, name] of known.entries()) {
      const runs = own[index] ?? name;
      if (!drawnAnywhere.has(name)) difference.gone.push(runs);
      else if (last(name) !== last(runs)) difference.renamed.push({ drawn: name, runs });
    }
    const there = new Set(known);
    for (const name of namesOf(partOf(topology, binary))) {
      if (there.has(name)) continue;
      const other = topology.binaries.find((one) => has(running(one.name), name));
      if (other) difference.elsewhere.push({ name, binary: other.name });
      else difference.missing.push(name);
    }
  }
  const gone = new Set(difference.gone);
  const missing = new Set(difference.missing);
  return {
    renamed: difference.renamed,
    elsewhere: difference.elsewhere.filter(
      ({ name }) => !difference.elsewhere.some((one) => one.name === flowOf(name)),
    ),
    missing: difference.missing.filter((name) => !missing.has(flowOf(name))),
    gone: difference.gone.filter((name) => !gone.has(flowOf(name))),
  };
}

const has = (model: RunningModel | undefined, name: string): boolean =>
  model !== undefined && namesOf(model.drawn).includes(name);

/** Stages are named with their flow: `Impressions/log`. */
const flowOf = (name: string): string => (name.includes("/") ? name.slice(0, name.indexOf("/")) : "");
const last = (name: string): string => name.slice(name.indexOf("/") + 1);

type Named = {
  services: readonly { name: string }[];
  flows: readonly { name: string; stages: readonly { id: string }[] }[];
};
const namesOf = ({ services, flows }: Named): string[] => [
  ...services.map(({ name }) => name),
  ...flows.flatMap(({ name, stages }) => [name, ...stages.map(({ id }) => `${name}/${id}`)]),
];

/** What a binary has of what is drawn. */
function partOf({ services, flows, bundles }: Topology, binary: Binary): Named {
  const inIt = bundles.filter(({ name }) => binary.bundles.includes(name));
  return {
    services: services.filter(({ name }) => inIt.some((bundle) => bundle.services.includes(name))),
    flows: flows.filter(({ name }) => inIt.some((bundle) => bundle.flows.includes(name))),
  };
}

const MOST = 3;
const listed = (names: readonly string[]): string =>
  names.length > MOST
    ? `${names.slice(0, MOST).join(", ")} and ${names.length - MOST} more`
    : names.join(", ");

/** In a line for the canvas; "" where the names are the same. */
export function differenceLine({ renamed, missing, elsewhere, gone }: RunningDifference): string {
  const owners = [...new Set(elsewhere.map(({ binary }) => binary))];
  const parts = [
    ...(renamed.length > 0 ? [listed(renamed.map(({ drawn, runs }) => `${drawn} runs as ${runs}`))] : []),
    ...(missing.length > 0
      ? [`no figures of ${listed(missing)}, which the running binary does not have`]
      : []),
    ...owners.map((owner) => {
      const names = elsewhere.filter(({ binary }) => binary === owner).map(({ name }) => name);
      return `${listed(names)} still ${names.length === 1 ? "runs" : "run"} in ${owner}`;
    }),
    ...(gone.length > 0
      ? [`${listed(gone)} ${gone.length === 1 ? "runs but is" : "run but are"} no longer drawn`]
      : []),
  ];
  return parts.length === 0 ? "" : `Running differs from drawn: ${parts.join("; ")}.`;
}
