import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findProgram } from "../../process/index.js";
import { environmentFailure } from "../verb/failure.js";

/** What a certificate says. */
export interface Wanted {
  /** Of its owner: at most 64 characters. */
  commonName: string;
  from: Date;
  until: Date;
  /** Lines of openssl's configuration (x509v3_config(5)). */
  extensions: readonly string[];
}

/** Who signs a certificate: its certificate, and an open file with its private key. */
export interface Signer {
  certificate: string;
  key: number;
}

/**
 * Makes a certificate (PEM) for the private key in an open file, signed by another one, else by that key itself.
 * @throws {Failure} where openssl is missing or refuses
 */
export type Certify = (wanted: Wanted, key: number, signer?: Signer) => Promise<string>;

/** Certificates are made by the first `openssl` of PATH, which is missed only when one is wanted. */
export async function certifier(): Promise<Certify> {
  const program = await findProgram("openssl");
  return async (wanted, key, signer) => {
    if (program === undefined)
      throw environmentFailure(
        "openssl is missing: it makes certificates",
        "sudo apt-get install --no-install-recommends openssl",
      );
    const folder = await mkdtemp(join(tmpdir(), "penstock-keys-"));
    try {
      await prepare(folder, wanted, signer);
      // Where it is run from is another folder than that which PATH may be relative to.
      const run = (args: readonly string[], file: number) => openssl(resolve(program), folder, args, file);
      await run(REQUEST, key);
      return await run(signer === undefined ? SIGN_ITSELF : SIGN, signer?.key ?? key);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

/** How openssl reads the private key: the file that it gets open, whatever stands under its name by then. */
const KEY = "/proc/self/fd/3";
const CONFIGURATION = "openssl.cnf";
const REQUEST = ["req", "-new", "-config", CONFIGURATION, "-key", KEY, "-out", "request"];
const SIGN_ITSELF = [
  ...["ca", "-selfsign", "-config", CONFIGURATION, "-keyfile", KEY],
  ...["-in", "request", "-batch", "-notext"],
];
const SIGN = [...SIGN_ITSELF.filter((word) => word !== "-selfsign"), "-cert", "signer.crt"];

/** What openssl reads and writes besides the private keys, which are never in this folder. */
async function prepare(folder: string, wanted: Wanted, signer: Signer | undefined): Promise<void> {
  const files = {
    [CONFIGURATION]: configuration(wanted),
    // The list of what was signed: `openssl ca` wants one, and we need none.
    index: "",
    serial: randomBytes(16).toString("hex"),
    ...(signer === undefined ? {} : { "signer.crt": signer.certificate }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** `20261231235959Z`, as openssl takes it. */
const asn1Time = (date: Date): string => `${date.toISOString().slice(0, 19).replace(/[-:T]/g, "")}Z`;

/** `openssl ca`, as it alone takes a date to begin with. Names have nothing in them that would need escaping. */
const configuration = ({ commonName, from, until, extensions }: Wanted): string => `\
[req]
prompt = no
distinguished_name = name
string_mask = utf8only
[name]
CN = ${commonName}
[ca]
default_ca = authority
[authority]
database = index
serial = serial
new_certs_dir = .
default_md = default
default_startdate = ${asn1Time(from)}
default_enddate = ${asn1Time(until)}
policy = policy
email_in_dn = no
copy_extensions = none
x509_extensions = extensions
[policy]
commonName = supplied
[extensions]
${extensions.join("\n")}
`;

/** Runs openssl in a folder with a private key as its file 3, and gives what it printed. */
function openssl(program: string, folder: string, args: readonly string[], key: number): Promise<string> {
  const child = spawn(program, args, {
    cwd: folder,
    // No configuration of the machine's is read.
    env: { ...process.env, LC_ALL: "C", OPENSSL_CONF: CONFIGURATION },
    stdio: ["ignore", "pipe", "pipe", key],
  });
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((done, reject) => {
    const refuse = (why: string): void =>
      reject(
        environmentFailure(
          `${program} ${args[0]} cannot do what is needed: ${why}`,
          "It has to be of OpenSSL 3; `penstock doctor` shows which one is there.",
        ),
      );
    child.on("error", (error) => refuse(error.message));
    child.on("close", (code, signal) =>
      code === 0
        ? done(stdout)
        : refuse(stderr.trim().split("\n").at(-1) || (signal ?? `it ended with ${code}`)),
    );
  });
}
