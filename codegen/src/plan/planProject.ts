import {
  settingsWithDefaults,
  type NodeManifest,
  type NodePalette,
  type NodeSettings,
} from "../model/manifests/index.js";
import { STANDARD_SOURCES, type SourcePalette } from "../model/sources/index.js";
import { type Topology } from "../model/topology/index.js";
import { planBinaries } from "./planBinaries.js";
import { planFlows } from "./planFlows.js";
import { planOwnSources } from "./planOwnSources.js";
import { planEnums, planMessages } from "./planMessages.js";
import { planProtoServices } from "./planProtoServices.js";
import { planServices } from "./planServices.js";
import { planSources } from "./planSources.js";
import { BUILT_IN_FAILURE } from "./planTypes.js";
import type { ProjectPlan } from "./projectPlan.js";

/**
 * A precompiled <penstock/service.hpp> takes 2.8 s to make (g++ 12) and saves 0.6 s of each handler:
 * on two cores it pays from nine handlers on.
 */
const PRECOMPILE_ABOVE = 8;

/**
 * Decides everything about the project that a checked topology becomes. Pure: the same topology,
 * hash, version and palette give the same plan. Names are taken as legal (validation comes first).
 */
export function planProject(
  topology: Topology,
  topologyHash: string,
  version: string,
  palette: NodePalette,
  sourcePalette: SourcePalette = STANDARD_SOURCES,
): ProjectPlan {
  const services = planServices(topology, palette);
  const flows = planFlows(topology, services, sourcePalette);
  const binaries = planBinaries({ topology, topologyHash, services, flows });
  const fields = topology.messages.flatMap((message) => message.fields);
  const [runtimeMajor = 0, runtimeMinor = 0] = version.split(".").map(Number);
  return {
    version,
    runtimeMajor,
    runtimeMinor,
    project: topology.name,
    doc: topology.doc ?? "",
    topologyHash,
    enums: planEnums(topology),
    protoServices: planProtoServices(topology),
    ...planMessages(topology),
    usesFailure: [
      ...fields.map((field) => field.type),
      ...topology.services.flatMap((service) => [service.request, service.response]),
      ...topology.flows.map((flow) => flow.event),
    ].includes(BUILT_IN_FAILURE),
    needs: {
      vector: fields.some((field) => field.repeated && field.key === undefined),
      map: fields.some((field) => field.key !== undefined),
      optional: fields.some((field) => field.optional),
      array: fields.some((field) => field.length !== undefined),
      json: topology.services.length > 0 && topology.messages.length > 0,
    },
    services,
    flows,
    binaries,
    sources: planSources(services, flows),
    ownSources: planOwnSources(topology, sourcePalette),
    ...packagesOf(
      topology,
      palette,
      sourcePalette,
      binaries.some(({ isSecured, isHttps }) => isSecured || isHttps),
    ),
    precompiled: services.length + flows.length > PRECOMPILE_ABOVE,
  };
}

/** What secures calls beyond a host, and HTTP (runtime-cpp/cmake/parts.cmake). */
const TLS = { package: "penstock", component: "tls", target: "penstock::tls", runtime: ["libssl3"] };

/** Each package with its part once, sorted, and what they need where binaries run. */
function packagesOf(
  topology: Topology,
  palette: NodePalette,
  sources: SourcePalette,
  speaksTls: boolean,
): Pick<ProjectPlan, "packages" | "runtimePackages"> {
  const ofNodes = topology.services.flatMap(({ node }) => {
    const manifest = node && palette.get(node.type);
    return manifest ? packagesFor(manifest, node.settings) : [];
  });
  const ofSources = topology.flows.flatMap(({ source }) => {
    const manifest = sources.get(source.kind);
    return manifest ? packagesFor(manifest, source) : [];
  });
  const used = [...ofNodes, ...ofSources, ...(speaksTls ? [TLS] : [])];
  const byTarget = new Map(used.map((one) => [one.target, one]));
  return {
    packages: [...byTarget.values()]
      .map(({ package: name, component, target }) => ({
        package: component === undefined ? name : `${name} COMPONENTS ${component}`,
        target,
      }))
      .sort((a, b) => (a.target < b.target ? -1 : 1)),
    runtimePackages: [...new Set(used.flatMap(({ runtime = [] }) => runtime))].sort(),
  };
}

function packagesFor(
  manifest: Pick<NodeManifest, "settings" | "cmake">,
  given: NodeSettings,
): NonNullable<NodeManifest["cmake"]> {
  const settings = settingsWithDefaults(manifest, given);
  return (manifest.cmake ?? []).filter(({ when = {} }) =>
    Object.entries(when).every(([key, value]) => settings[key] === value),
  );
}
