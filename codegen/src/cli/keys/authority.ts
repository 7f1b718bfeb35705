import { createPrivateKey, X509Certificate, type KeyObject } from "node:crypto";
import { EXIT } from "../verb/exitCode.js";
import { Failure } from "../verb/failure.js";
import type { Certify, Signer } from "./certify.js";
import type { KeyFolder } from "./keyFolder.js";
import { after, before, beginOf, dayOf, endOf, MARGIN_MS } from "./times.js";

const DAYS = 3650;
const MOST_NAME = 64;
const NEW_ONE =
  "For a new authority remove keys/ca.crt and keys/ca.key: all binaries get new certificates, and their hosts need the new files.";

/** Who says which binaries are the project's, by its certificate, which is known to be good. */
export interface Authority {
  certificate: X509Certificate;
  text: string;
  until: Date;
  made: boolean;
}

/** The authority is there, and no good: it is never replaced by itself, as all binaries that run trust it. */
const unusable = (message: string, help: string): Failure => new Failure(EXIT.failed, "PS996", message, help);

/**
 * The authority of a project, made where there is none. A key without its certificate, which a crash can leave, gets
 * one: that is the same authority.
 * @throws {Failure} where one of its files is no good
 */
export async function authorityOf(
  keys: KeyFolder,
  project: string,
  now: Date,
  certify: Certify,
): Promise<Authority> {
  const found = keys.read("ca.crt");
  if (found !== undefined) return checked(keys, found, now);
  const selfSigned = (key: number): Promise<string> => certify(wanted(project, now), key);
  if (keyOf(keys) === undefined) return read(await keys.writePair("ca", selfSigned), true);
  const text = await keys.withFile("ca.key", selfSigned);
  await keys.write("ca.crt", text);
  return read(text, true);
}

/** What `use` makes of the authority as a signer. */
export async function signing<T>(
  keys: KeyFolder,
  { text }: Authority,
  use: (signer: Signer) => Promise<T>,
): Promise<T> {
  if (keyOf(keys) === undefined)
    throw unusable(
      "keys/ca.key is missing, without which no certificate can be made",
      `Put it back, or run this where it is. ${NEW_ONE}`,
    );
  return keys.withFile("ca.key", (key) => use({ certificate: text, key }));
}

const wanted = (project: string, now: Date): Parameters<Certify>[0] => ({
  commonName: `${project} (Penstock)`.slice(0, MOST_NAME),
  from: before(now, MARGIN_MS),
  until: after(now, DAYS),
  extensions: [
    "basicConstraints = critical, CA:TRUE, pathlen:0",
    "keyUsage = critical, keyCertSign, cRLSign",
    "subjectKeyIdentifier = hash",
  ],
});

function read(text: string, made: boolean): Authority {
  const certificate = new X509Certificate(text);
  return { certificate, text, until: endOf(certificate), made };
}

function checked(keys: KeyFolder, text: string, now: Date): Authority {
  const authority = orUnusable("ca.crt", "a certificate", () => read(text, false));
  const { certificate, until } = authority;
  if (!certificate.ca)
    throw unusable("keys/ca.crt is no certificate of an authority", `Put the right one back. ${NEW_ONE}`);
  const key = keyOf(keys);
  if (key !== undefined && !certificate.checkPrivateKey(key))
    throw unusable(
      "keys/ca.key is not the key of keys/ca.crt",
      `Put the one back that belongs to the other. ${NEW_ONE}`,
    );
  const begin = beginOf(certificate);
  if (begin > now)
    throw unusable(`keys/ca.crt begins on ${dayOf(begin)}`, `Is the clock of this machine right? ${NEW_ONE}`);
  if (until <= now) throw unusable(`keys/ca.crt ended on ${dayOf(until)}`, NEW_ONE);
  return authority;
}

/** The key of the authority; undefined where it is not here. */
function keyOf(keys: KeyFolder): KeyObject | undefined {
  const text = keys.read("ca.key");
  return text === undefined
    ? undefined
    : orUnusable("ca.key", "a private key without a password", () => createPrivateKey(text));
}

function orUnusable<T>(name: string, what: string, action: () => T): T {
  try {
    return action();
  } catch {
    throw unusable(`keys/${name} cannot be read as ${what}`, `Put the right one back. ${NEW_ONE}`);
  }
}
