import type { Problem } from "@penstock/codegen/diagnostics";
import {
  asksForToken,
  httpOf,
  isHttps,
  isSecured,
  parseNodeRef,
  type HttpDoor,
  type Topology,
} from "@penstock/codegen/topology";

/** Codes of rules, which only the drawing can break. */
const RULES = /^PS([1-6]\d\d|90\d)$/;
/** Nothing to build: no binary is drawn, or nothing has been generated. */
const NOTHING_TO_BUILD = "PS860";

const NO_TOKEN = "PS874";
const NO_KEYS = "PS897";
/** It was started, and its certificate is for fewer hosts than are drawn. */
const FEWER_HOSTS = "PS872";

/** A binary was not started for what is not there: no compiler was asked for what would take its place. */
export const isOfStart = ({ code }: Problem): boolean => code === NO_TOKEN || code === NO_KEYS;

/** What a rule says: nothing was made of the drawing because of it. */
export const isOfDrawing = ({ code, file }: Problem): boolean => file === undefined && RULES.test(code);

/**
 * Whether something that was said about an earlier drawing is still so: a broken rule as long as `broken` (what
 * every rule says now) has it, anything else as long as what it names is drawn.
 */
export function stillHolds(problem: Problem, topology: Topology, broken: readonly Problem[]): boolean {
  if (isOfDrawing(problem))
    return broken.some((one) => one.code === problem.code && one.message === problem.message);
  if (problem.code === NOTHING_TO_BUILD) return topology.binaries.length === 0;
  if ((isOfStart(problem) || problem.code === FEWER_HOSTS) && !needs(topology, problem)) return false;
  return problem.node === undefined || isDrawn(topology, problem.node);
}

/** The binary is drawn with a token, or with keys, which others may need that call it as well. */
function needs({ binaries }: Topology, { code, node = "" }: Problem): boolean {
  const [name] = parseNodeRef(node)?.path ?? [];
  const http: Partial<HttpDoor> = httpOf(binaries.find((one) => one.name === name) ?? {}) ?? {};
  if (code === NO_TOKEN) return asksForToken(http);
  if (code === FEWER_HOSTS) return http.tls === "keys";
  return isHttps(http) || binaries.some(({ listen }) => listen.some(isSecured));
}

function isDrawn(topology: Topology, ref: string): boolean {
  const { kind, path = [] } = parseNodeRef(ref) ?? {};
  const [name, inner] = path;
  const named = (list: readonly { name: string }[]) => list.some((one) => one.name === name);
  if (kind === "service") return named(topology.services);
  if (kind === "message") return named(topology.messages);
  if (kind === "enum") return named(topology.enums);
  if (kind === "flow") return named(topology.flows);
  if (kind === "bundle") return named(topology.bundles);
  if (kind === "binary") return named(topology.binaries);
  if (kind === "stage")
    return topology.flows.some((flow) => flow.name === name && flow.stages.some(({ id }) => id === inner));
  if (kind === "pool")
    return topology.binaries.some(
      (binary) =>
        binary.name === name && (inner === "default" || binary.pools.some((pool) => pool.name === inner)),
    );
  return true;
}
