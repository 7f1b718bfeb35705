import { X509Certificate } from "node:crypto";
import { problem, type Problem } from "../../model/diagnostics/index.js";
import { EXIT } from "../verb/exitCode.js";
import { Failure } from "../verb/failure.js";
import { authorityOf, signing, type Authority } from "./authority.js";
import { faultOf, wantedFor, type Owner, type Pair } from "./binaryPair.js";
import { certifier, type Certify } from "./certify.js";
import { KeyFolder } from "./keyFolder.js";
import { after, dayOf, endOf } from "./times.js";

/** A new authority means new files on every host: it is said early. */
const AUTHORITY_DAYS_LEFT = 180;

export interface KeysRequest {
  dir: string;
  project: string;
  /** All that are drawn. */
  drawn: readonly string[];
  /** By the name of a binary, the hosts by which clients of its HTTP address know it. */
  hosts?: ReadonlyMap<string, readonly string[]>;
  /** Files of keys that are drawn and made by others. */
  others?: readonly string[];
  /** The one to look at; left out: all. */
  only?: string | undefined;
  /** Also those that are good get a new key and certificate. */
  renew: boolean;
  now: Date;
  signal: AbortSignal;
  /** Told before each change on disk: tests stop there. */
  onStep?: (step: string) => void;
}

export interface BinaryKeys {
  name: string;
  until: Date;
  state: "made" | "kept" | "renewed";
  /** Why it was renewed without being asked for. */
  why?: string;
}

export interface Keys {
  ca: { until: Date; made: boolean };
  binaries: BinaryKeys[];
  /** Files of what is not drawn any more. */
  left: string[];
  problems: Problem[];
}

/**
 * Makes what is missing of the keys of a project and renews what is no good any more; what is good stays. Run again
 * after it failed or was killed, it goes on where that one stopped.
 * @throws {Failure} where the authority is no good, openssl is missing, or another process is at it
 */
export async function makeKeys(request: KeysRequest): Promise<Keys> {
  const { dir, project, drawn, only, now, signal, onStep } = request;
  if (drawn.includes("ca"))
    throw new Failure(
      EXIT.failed,
      "PS996",
      "a binary is called ca, whose files would be those of the certificate authority",
      "Give the binary another name.",
    );
  const certify = await certifier();
  return KeyFolder.locked(
    dir,
    async (keys) => {
      const authority = await authorityOf(keys, project, now, certify);
      const problems = [...endsSoon(authority, now), ...(await keepToOwner(keys))];
      const binaries: BinaryKeys[] = [];
      for (const name of only === undefined ? new Set(drawn) : [only]) {
        signal.throwIfAborted();
        binaries.push(await keysOf(name, { keys, authority, certify, request }));
      }
      const { until, made } = authority;
      return { ca: { until, made }, binaries, left: leftOf(keys, request), problems };
    },
    onStep,
  );
}

interface Making {
  keys: KeyFolder;
  authority: Authority;
  certify: Certify;
  request: KeysRequest;
}

async function keysOf(name: string, { keys, authority, certify, request }: Making): Promise<BinaryKeys> {
  const { project, hosts, now, renew } = request;
  const owner: Owner = { project, binary: name, hosts: hosts?.get(name) ?? [] };
  const pair: Pair = { certificate: keys.read(`${name}.crt`), key: keys.read(`${name}.key`) };
  const isNew = pair.certificate === undefined && pair.key === undefined;
  const why = faultOf(pair, owner, authority, now);
  if (why === undefined && !renew)
    return { name, until: endOf(new X509Certificate(pair.certificate!)), state: "kept" };
  const text = await signing(keys, authority, (signer) =>
    keys.writePair(name, (key) => certify(wantedFor(owner, authority, now), key, signer)),
  );
  const until = endOf(new X509Certificate(text));
  if (isNew) return { name, until, state: "made" };
  return { name, until, state: "renewed", ...(why === undefined ? {} : { why }) };
}

const endsSoon = ({ until }: Authority, now: Date): Problem[] =>
  until >= after(now, AUTHORITY_DAYS_LEFT)
    ? []
    : [
        problem(
          "PS998",
          "",
          `the certificate authority ends on ${dayOf(until)}, and what it signed with it`,
          {
            file: "keys/ca.crt",
            help: "When all hosts can get new files: remove keys/ca.crt and keys/ca.key, and run this again.",
          },
        ),
      ];

/** Takes the rights of others away from all files; says of which keys they had them. */
async function keepToOwner(keys: KeyFolder): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const name of keys.names()) {
    if (!(await keys.keepToOwner(name)) || !name.endsWith(".key")) continue;
    problems.push(
      problem("PS998", "", `other users could read keys/${name} until now`, {
        file: `keys/${name}`,
        help: "If one of them may have: `penstock keys --renew`; of ca.key: remove it and ca.crt first.",
      }),
    );
  }
  return problems;
}

/** Files of keys whose binary is not drawn. */
const leftOf = (keys: KeyFolder, { drawn, others = [] }: KeysRequest): string[] =>
  keys
    .names()
    .filter((name) => !others.includes(name) && !["ca", ...drawn].includes(name.slice(0, -".crt".length)));
