import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { problem, type Problem } from "../../model/diagnostics/index.js";
import { certifiedHosts, type Binary } from "../../model/topology/index.js";
import { keysFolder, keysRemedy, readKeyFile } from "./keysFolder.js";

/** Whether clients that know a host by this name or number take the certificate. */
export const certifies = (certificate: X509Certificate, host: string): boolean =>
  (isIP(host) === 0 ? certificate.checkHost(host, { subject: "never" }) : certificate.checkIP(host)) !==
  undefined;

function certificateIn(file: string): X509Certificate | undefined {
  const bytes = readKeyFile(file);
  try {
    return bytes && new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}

/**
 * That a certificate of `penstock keys` is not for a host by which the drawing says that clients know its binary; null where it
 * is, and where there is none that can be read, which the binary says.
 */
export function certificateGap(binary: Pick<Binary, "name" | "http">, projectDir: string): Problem | null {
  const hosts = certifiedHosts(binary);
  if (hosts.length === 0) return null;
  const { name } = binary;
  const certificate = certificateIn(join(resolve(projectDir, keysFolder(projectDir)), `${name}.crt`));
  if (certificate === undefined) return null;
  const others = hosts.filter((host) => !certifies(certificate, host));
  if (others.length === 0) return null;
  return problem("PS872", "", `the certificate of ${name} is not for ${others.join(", ")}`, {
    node: `binary:${name}`,
    ...keysRemedy(projectDir),
  });
}
