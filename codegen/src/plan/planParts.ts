import type { BinaryPlan, PartPlan, ServicePlan } from "./projectPlan.js";

/**
 * Services that are registered in one file. Each takes 47 ms of the compiler (g++ 12), and a file 1.7 s before the first one,
 * of which the handlers' precompiled header saves most: main() of 200 services took more than 10 s, on one processor of
 * however many there are, and again for each call that was drawn.
 */
const MOST_IN_A_FILE = 48;

type Registered = Pick<BinaryPlan, "services" | "calls" | "flows" | "offers" | "inlets">;

/** The files that register the services of a binary for its main(); none where main() does so itself. */
export function planParts(file: string, { services, calls }: Registered): PartPlan[] {
  if (services.length <= MOST_IN_A_FILE) return [];
  const cuts = Array.from({ length: Math.ceil(services.length / MOST_IN_A_FILE) }, (_, at) =>
    services.slice(at * MOST_IN_A_FILE, (at + 1) * MOST_IN_A_FILE),
  );
  return cuts.map((cut, at): PartPlan => {
    const names = new Set(cut.map(({ name }) => name));
    return {
      name: `${at + 1}_of_${file}`,
      source: `binaries/${file}/services_${at + 1}.cpp`,
      services: cut,
      calls: calls.filter(({ caller }) => names.has(caller)),
    };
  });
}

/** The services whose handlers main() names. */
export function namedInMain(
  { services, flows, offers, inlets }: Registered,
  parts: readonly PartPlan[],
): ServicePlan[] {
  if (parts.length === 0) return services;
  const named = new Set([
    ...flows.flatMap(({ stages }) => stages.map(({ service }) => service)),
    ...offers.filter(({ stages }) => stages.length > 0).map(({ service }) => service.name),
    ...inlets.map(({ service }) => service),
  ]);
  return services.filter(({ name }) => named.has(name));
}
