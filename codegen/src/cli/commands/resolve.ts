import { suggest } from "../../model/diagnostics/index.js";
import { indexTopology, type Topology, type TopologyIndex } from "../../model/topology/index.js";
import { doorsOf } from "../../run/index.js";
import { CALL_GRACE_MS } from "../../live/index.js";
import { announcedPlaces, type CalledAt } from "../binaries/announcedPlaces.js";
import { askBinary } from "../binaries/askBinary.js";
import { pidHere } from "../binaries/pidHere.js";
import { runningProcesses } from "../binaries/runningBinaries.js";
import {
  isPublished,
  listeningAt,
  nameThere,
  readAddress,
  type ServiceAddress,
} from "../binaries/serviceAddress.js";
import type { Command } from "../verb/command.js";
import { EXIT, type ExitCode } from "../verb/exitCode.js";
import { Failure, usageFailure } from "../verb/failure.js";
import { patiently } from "../verb/patience.js";
import type { Output } from "../terminal/output.js";
import { readDrawnProject } from "../project/drawing.js";
import { projectPlace } from "../project/projectArgument.js";
import { listedPlaces } from "../registry/listedPlaces.js";

/** `ProduceAd`, `models-server/ProduceAd` */
function readTarget(target: string): { binary: string | undefined; service: string } {
  const [, binary, service] = /^(?:([^/]+)\/)?([^/]+)$/.exec(target) ?? [];
  if (service === undefined)
    throw usageFailure(
      `${JSON.stringify(target)} names no service`,
      "It is a service, or a binary and a service of it: models-server/ProduceAd.",
    );
  return { binary, service };
}

/** Who serves a service, in the order of the drawing: the first one is asked. */
function servedBy(
  index: TopologyIndex,
  { binary, service }: ReturnType<typeof readTarget>,
): readonly string[] {
  if (!index.services.has(service)) {
    const near = suggest(service, [...index.services.keys()]);
    throw usageFailure(
      `there is no service ${JSON.stringify(service)}`,
      near === undefined ? "`penstock validate` checks the drawing." : `Did you mean ${near}?`,
    );
  }
  const serving = index.binariesOfService.get(service) ?? [];
  if (serving.length === 0)
    throw new Failure(
      EXIT.failed,
      "PS757",
      `no binary serves ${service}`,
      "Put it into a bundle, and the bundle into a binary.",
    );
  if (binary !== undefined && !serving.includes(binary))
    throw usageFailure(`${binary} does not serve ${service}`, `${serving.join(", ")} does.`);
  return serving;
}

/** The other binaries of the drawing that call it, from a service or as a stage. */
const callersOf = ({ flows }: Topology, index: TopologyIndex, service: string): string[] => {
  const asking = [
    ...(index.callers.get(service) ?? []).flatMap((caller) => index.binariesOfService.get(caller) ?? []),
    ...flows
      .filter(({ stages }) => stages.some((stage) => stage.service === service))
      .flatMap(({ name }) => index.binariesOfFlow.get(name) ?? []),
  ];
  const serving = index.binariesOfService.get(service) ?? [];
  return [...new Set(asking)].filter((binary) => !serving.includes(binary));
};

/** Of an address: who listens there, and whether the service is there. */
async function resolveAddress({ at, wireName }: ServiceAddress, output: Output): Promise<ExitCode> {
  const running = await listeningAt(at, undefined);
  const { binary, processes } = running;
  const found = await askBinary(running, async ({ schema, live }) => {
    if (nameThere(schema, wireName) !== wireName) return "drawn";
    return (await isPublished(live, wireName, patiently(CALL_GRACE_MS))) ? "published" : "nothing";
  });
  const there = processes.map((one) => ({ name: one.name, pid: one.attached ? null : one.pid }));
  const ok = found !== "nothing";
  output.document({ ok, problems: [], binary, wireName, is: found, processes: there });
  for (const { name, pid } of there)
    output.result(`${at} leads to ${name}${pid === null ? ", which is attached" : ` (process ${pid})`}`);
  if (ok) output.result(`  ${wireName} is ${found} there`);
  else output.refusal(`${binary} has no service ${wireName}: it neither is drawn nor published now.`);
  return ok ? EXIT.done : EXIT.failed;
}

/** `penstock resolve`: where the name of a service leads, and why not elsewhere. */
export const command: Command = {
  usage: "[PROJECT] [BINARY/]SERVICE|ADDRESS",
  doc: "Says which binary is asked for a service, under which name, where its processes listen for the other\nbinaries of the project, or are announced or listed to, and who else serves it without being asked. Ends with 3 when nobody listens.\nOf an address, tcp://HOST:PORT/BUNDLE/SERVICE or binary://BINARY/BUNDLE/SERVICE, it says which process of this host\nlistens there, and whether the service is drawn, or published, there.",
  positionals: { min: 1, max: 2 },
  options: {},
  examples: [
    "penstock resolve ads ProduceAd",
    "penstock resolve models-server/ProduceAd",
    "penstock resolve tcp://127.0.0.1:7400/Models/ProduceAd",
  ],
  async run({ positionals, output }) {
    const address = positionals.length === 1 ? readAddress(positionals[0] ?? "") : undefined;
    if (address !== undefined) return resolveAddress(address, output);
    const { dir } = projectPlace(positionals.length > 1 ? positionals[0] : undefined);
    const target = readTarget(positionals.at(-1) ?? "");
    const topology = await readDrawnProject(dir);
    const index = indexTopology(topology);
    const { service } = target;
    const serving = servedBy(index, target);
    const [asked = ""] = serving;
    const binary = target.binary ?? asked;
    const others = serving.filter((name) => name !== binary);
    const held = index.binaries.get(binary)?.item.bundles ?? [];
    const bundle = topology.bundles.find(
      ({ name, services }) => held.includes(name) && services.includes(service),
    );
    const callers = callersOf(topology, index, service);

    const running = await runningProcesses(dir, binary);
    const started = running.filter((one) => !one.attached);
    const guests = await Promise.all(
      running.filter((one) => one.attached).map(async (one) => ({ ...one, pid: await pidHere(one) })),
    );
    const drawn = index.binaries.get(binary)?.item;
    const listed = drawn && (await listedPlaces(dir, drawn));
    const told: (CalledAt & { why?: string }) | undefined =
      listed ?? (drawn && (await announcedPlaces(topology.name, drawn)));
    const said = listed === undefined ? "announced" : "listed";
    const isTold = told === undefined || told.places.length > 0;
    const doors = isTold
      ? await doorsOf(
          dir,
          { name: binary, listen: drawn?.listen ?? [] },
          [...started, ...guests].flatMap(({ pid }) => pid ?? []),
          told?.places,
        )
      : [];
    const listensAt = (pid: number): string[] =>
      doors.filter((door) => door.pid === pid).map(({ place }) => place);
    const processes = started.map(({ name, pid }) => ({ name, pid, listens: listensAt(pid) }));
    // Of one on another host it is not known where it listens.
    const attached = guests.map(({ name, control, pid }) => ({
      name,
      control,
      ...(pid === undefined ? {} : { pid, listens: listensAt(pid) }),
    }));
    const unknown = doors.filter(({ pid, isOpen }) => pid === null && isOpen).map(({ place }) => place);
    const elsewhere = doors.filter(({ isOpen }) => told !== undefined && !isOpen).map(({ place }) => place);
    const known = [...processes, ...attached].flatMap(({ listens }) => listens ?? []);
    const listening = [...known, ...unknown, ...elsewhere];
    const wireName = `${bundle?.name ?? ""}/${service}`;
    const ok = listening.length > 0;
    output.document({
      ok,
      problems: [],
      service,
      binary,
      wireName,
      processes,
      attached,
      unknown,
      elsewhere,
      callers,
      others,
    });
    output.result(`${service} leads to ${binary}, as ${wireName}`);
    const nowhere = isTold
      ? "listens nowhere"
      : told.misfit === undefined
        ? `is not ${said}`
        : "is not announced where it is called";
    for (const { name, pid, listens } of processes)
      output.result(
        `  ${name} (process ${pid}) ${listens.length === 0 ? nowhere : `at ${listens.join(", ")}`}`,
      );
    for (const { name, control, pid, listens } of attached)
      output.result(
        listens === undefined
          ? `  ${name} is attached at ${control}, and where it listens for others is not known`
          : `  ${name} (process ${pid}), attached, ${listens.length === 0 ? nowhere : `at ${listens.join(", ")}`}`,
      );
    for (const place of unknown) output.result(`  a process started by hand at ${place}`);
    for (const place of elsewhere) output.result(`  ${said} at ${place}, not on this host`);
    if (told?.misfit !== undefined) output.refusal(`Nobody calls it: ${told.misfit}.`);
    if (told?.why !== undefined) {
      const login = told.why.includes("Authorization")
        ? "; it is asked as PENSTOCK_NATS_USER and _PASSWORD, or _TOKEN, of this shell say"
        : "";
      output.refusal(`Nobody says where it is: ${told.why}${login}.`);
    }
    for (const other of others)
      output.note(
        other === asked
          ? `${other} serves it too, and is the one that is asked: it comes first in the drawing.`
          : `${other} serves it too and is not asked: ${asked} comes first in the drawing.`,
      );
    if (callers.length > 0) output.note(`Called by ${callers.join(", ")}.`);
    else output.note(`No other binary calls it, so that ${binary} offers it to none.`);
    if (ok) return EXIT.done;
    if (running.length === 0 && told?.misfit === undefined)
      output.refusal(`${binary} is not running: \`penstock run\` starts it.`);
    return EXIT.environment;
  },
};
