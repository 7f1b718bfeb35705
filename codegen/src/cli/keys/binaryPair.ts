import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { certifies } from "../../run/index.js";
import type { Authority } from "./authority.js";
import type { Wanted } from "./certify.js";
import { after, before, beginOf, dayOf, endOf, MARGIN_MS } from "./times.js";

const DAYS = 730;
/** A certificate that has fewer days left is made anew. */
const DAYS_LEFT = 30;
/** serverAuth and clientAuth: a binary is called, and calls. */
const PURPOSES = ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"];

/** The two files of a binary, as far as they are there. */
export interface Pair {
  certificate: string | undefined;
  key: string | undefined;
}

/** Whose certificate it is: the binary by its name, and the hosts by which clients of its HTTP address know it. */
export interface Owner {
  project: string;
  binary: string;
  hosts: readonly string[];
}

const uriOf = ({ project, binary }: Owner): string => `URI:penstock://${project}/${binary}`;

/** As openssl's configuration has them. */
const namesOf = (owner: Owner): string =>
  [uriOf(owner), ...owner.hosts.map((host) => `${isIP(host) === 0 ? "DNS" : "IP"}:${host}`)].join(", ");

/** What the certificate of a binary says; it ends with the authority's at the latest. */
export const wantedFor = (owner: Owner, authority: Authority, now: Date): Wanted => ({
  commonName: owner.binary,
  from: before(now, MARGIN_MS),
  until: new Date(Math.min(after(now, DAYS).getTime(), authority.until.getTime())),
  extensions: [
    "basicConstraints = CA:FALSE",
    "keyUsage = digitalSignature",
    "extendedKeyUsage = serverAuth, clientAuth",
    `subjectAltName = ${namesOf(owner)}`,
    "subjectKeyIdentifier = hash",
    "authorityKeyIdentifier = keyid",
  ],
});

/** Why a pair has to be made anew, in words; undefined when it is good. */
export function faultOf(
  { certificate: text, key }: Pair,
  owner: Owner,
  authority: Authority,
  now: Date,
): string | undefined {
  if (text === undefined) return "its certificate was missing";
  if (key === undefined) return "its key was missing";
  const certificate = orUndefined(() => new X509Certificate(text));
  if (certificate === undefined) return "its certificate could not be read";
  const privateKey = orUndefined(() => createPrivateKey(key));
  if (privateKey === undefined) return "its key could not be read";
  if (!certificate.checkPrivateKey(privateKey)) return "its key was not that of its certificate";
  if (!isIssuedBy(certificate, authority.certificate)) return "its certificate was of another authority";
  return wrongContent(certificate, owner) ?? wrongTime(certificate, authority, now);
}

const isIssuedBy = (certificate: X509Certificate, authority: X509Certificate): boolean =>
  certificate.checkIssued(authority) && certificate.verify(authority.publicKey);

/** It is to have the names of its owner and no others. */
function wrongContent(certificate: X509Certificate, owner: Owner): string | undefined {
  const [uri = "", ...hosts] = (certificate.subjectAltName ?? "").split(", ");
  if (uri !== uriOf(owner)) return `its certificate was for ${uri === "" ? "nobody" : uri}`;
  const missing = owner.hosts.filter((host) => !certifies(certificate, host));
  if (missing.length > 0) return `its certificate was not for ${missing.join(", ")}`;
  if (hosts.length !== owner.hosts.length) return "its certificate was for hosts that are drawn no more";
  // What Node calls so is the extended one.
  const purposes: readonly string[] = certificate.keyUsage ?? [];
  return PURPOSES.every((purpose) => purposes.includes(purpose))
    ? undefined
    : "its certificate was not for both ends of a connection";
}

function wrongTime(certificate: X509Certificate, authority: Authority, now: Date): string | undefined {
  const [begin, end] = [beginOf(certificate), endOf(certificate)];
  if (begin > now) return `its certificate begins on ${dayOf(begin)}`;
  // A new one would not last longer where the authority ends with it.
  if (end >= after(now, DAYS_LEFT) || (end > now && end >= authority.until)) return undefined;
  return `its certificate ${end > now ? "ends" : "ended"} on ${dayOf(end)}`;
}

function orUndefined<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
