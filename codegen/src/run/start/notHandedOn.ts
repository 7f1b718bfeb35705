import { fencedEnvironment } from "../../process/index.js";

/** What a binary reads whatever its nodes are; that it has no token to ask for is said where it is not started (PS874). */
const OF_BINARIES = ["USER", "PASSWORD", "TOKEN"]
  .flatMap((of) => [`PENSTOCK_NATS_${of}`, `PENSTOCK_NATS_${of}_FILE`])
  .concat("PENSTOCK_ANNOUNCE", "PENSTOCK_DRAIN_MS");

/**
 * That variables which binaries of a fenced project read are set here and kept from them, in words, with what hands them
 * on; null where there are none.
 *
 * @param ofNodes what their nodes read
 * @param ours the environment in which they are started
 */
export function notHandedOn(
  ofNodes: readonly string[],
  ours: NodeJS.ProcessEnv = process.env,
): string | null {
  const fenced = fencedEnvironment(ours);
  const names = [...new Set([...ofNodes, ...OF_BINARIES])].filter(
    (name) => (ours[name] ?? "") !== "" && fenced[name] === undefined,
  );
  if (names.length === 0) return null;
  const listed = names.join(", ");
  return `${listed} ${names.length === 1 ? "is" : "are"} set here and not handed on to a project that came from elsewhere: add ${names.length === 1 ? "it" : "them"} to PENSTOCK_SANDBOX_ENV`;
}
