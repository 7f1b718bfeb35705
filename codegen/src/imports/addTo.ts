import type { Bundle, Topology } from "../model/topology/index.js";
import { legalName } from "../model/validate/index.js";
import { alreadyThere } from "./alreadyThere.js";
import { refOf, type Described, type Renamed, type Thing } from "./described/described.js";
import { giveNames, TakenNames, wishesFor } from "./giveNames.js";
import { namedEnum, namedMessage, namedService, protoNameOf, shortDoc } from "./named.js";
import type { ImportReport } from "./report.js";

export interface Added {
  topology: Topology;
  report: ImportReport;
}

/**
 * The topology with what is described added at the end of its lists. Nothing that is drawn is changed: what is there in
 * the same words is used, and a name that is taken gets its scope in front (`SpansStatus`), then a number.
 */
export function addTo(topology: Topology, described: Described): Added {
  const kept = alreadyThere(topology, described);
  const names = giveNames(topology, described, kept);
  const nameOf = (from: string): string => names.get(from) ?? from;
  const isNew = ({ from }: Thing<unknown>): boolean => !kept.has(from);
  const asAdded = ({ from }: Thing<unknown>): Renamed => ({ from, to: nameOf(from) });

  const messages = described.messages.filter(isNew);
  const enums = described.enums.filter(isNew);
  const services = described.services.filter(isNew);
  const { bundles, bundleNames } = newBundles(topology, described, nameOf);
  const madeMessages = messages.map(({ from, item }) => namedMessage(item, from, nameOf));
  const inProto = new Set(
    topology.enums.flatMap(({ name, values }) => values.map((value) => protoNameOf(name, value))),
  );
  const madeEnums = enums.map(({ from, item }) => namedEnum(item, from, nameOf(from), inProto));

  return {
    topology: {
      ...topology,
      messages: [
        ...topology.messages,
        ...madeMessages.map(({ item }, at) => ({ ...item, name: nameOf(messages[at]!.from) })),
      ],
      enums: [...topology.enums, ...madeEnums.map(({ item }) => item)],
      services: [
        ...topology.services,
        ...services.map(({ from, item }) => ({ ...namedService(item, nameOf), name: nameOf(from) })),
      ],
      bundles: [...topology.bundles, ...bundles],
    },
    report: {
      messages: messages.map(asAdded),
      enums: enums.map(asAdded),
      services: services.map(asAdded),
      bundles: bundleNames,
      kept: [...kept].map(([from, to]) => ({ from, to })),
      renamed: [...described.renamed, ...[...madeMessages, ...madeEnums].flatMap(({ renamed }) => renamed)],
      leftOut: described.leftOut,
      notes: [...described.notes, ...packedOtherwise(topology, described, kept)],
    },
  };
}

/** Of messages that are there already, lists that the file has in other bytes, which readers take as well. */
const packedOtherwise = (
  { messages }: Topology,
  described: Described,
  kept: ReadonlyMap<string, string>,
): string[] =>
  described.messages.flatMap(({ from, item }) => {
    const drawn = messages.find(({ name }) => name === kept.get(from));
    return item.fields.flatMap(({ tag, packed }) => {
      const same = drawn?.fields.find((field) => field.tag === tag);
      return same === undefined || same.packed === packed
        ? []
        : [
            `${drawn!.name}.${same.name} stays ${same.packed === false ? "unpacked" : "packed"} as drawn; the file has it ${packed === false ? "unpacked" : "packed"}`,
          ];
    });
  });

/** Bundles but those whose services are together in one of the wished name already. */
function newBundles(
  topology: Topology,
  described: Described,
  nameOf: (from: string) => string,
): { bundles: Bundle[]; bundleNames: Renamed[] } {
  const taken = new TakenNames(topology.bundles.map(({ name }) => name));
  const bundles: Bundle[] = [];
  const bundleNames: Renamed[] = [];
  for (const thing of described.bundles) {
    const { doc = "", ...item } = thing.item;
    const services = item.services.map((service) => nameOf(refOf(service) ?? service));
    const wishes = wishesFor(thing);
    const names = wishes.map((wish) => legalName("bundle", wish));
    const isThere = topology.bundles.some(
      (there) => names.includes(there.name) && services.every((service) => there.services.includes(service)),
    );
    if (isThere) continue;
    const name = taken.take("bundle", wishes);
    const short = shortDoc(doc);
    bundles.push({ ...item, name, services, ...(short === "" ? {} : { doc: short }) });
    bundleNames.push({ from: thing.from, to: name });
  }
  return { bundles, bundleNames };
}
