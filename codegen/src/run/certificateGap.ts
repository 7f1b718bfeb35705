import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { problem, type Problem } from "../model/diagnostics/index.js";
import { certifiedHosts, type Binary } from "../model/topology/index.js";
import { keysFolder } from "./keysFolder.js";

/** Whether clients that know a host by this name or number take the certificate. */
export const certifies = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) === 0 ? certificate.checkHost(host, { subject: "never" }) : certificate.checkIP(host)) !==
  undefined;

/**
 * That a certificate of `penstock keys` is not for a host by which the drawing says that clients know its binary; null where it
 * is, and where there is none that can be read, which the binary says.
 */
export async function certificateGap(
  binary: Pick<Binary, "name" | "http">,
  projectDir: string,
): Promise<Problem | null> {
  const hosts = certifiedHosts(binary);
  if (hosts.length === 0) return null;
  const { name } = binary;
  let certificate: X509Certificate;
  try {
    const file = join(resolve(projectDir, keysFolder(projectDir)), `${name}.crt`);
    certificate = new X509Certificate(await readFile(file));
  } catch {
    return null;
  }
  const others = hosts.filter((host) => !certifies(certificate, host));
  if (others.length === 0) return null;
  return problem("PS872", "", `the certificate of ${name} is not for ${others.join(", ")}`, {
    node: `binary:${name}`,
  });
}
