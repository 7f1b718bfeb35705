import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import tls from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { takeLock } from "../../src/disk/index.js";
import { documentOf, Penstock } from "./penstock.js";

/** Two binaries of a drawing, and what `penstock keys` makes for them. */
const drawing = (...binaries: string[]) => ({
  penstock: 1,
  name: "shop",
  messages: [{ name: "M" }],
  services: [{ name: "Get", request: "M", response: "M" }],
  bundles: [{ name: "All", services: ["Get"] }],
  binaries: binaries.map((name) => ({ name, bundles: ["All"] })),
});
const penstock = new Penstock();
afterAll(() => penstock.cleanUp());
const project = (...binaries: string[]): string => penstock.project("keys", drawing(...binaries));
const keys = (dir: string, ...args: string[]) => penstock.run(["keys", dir, ...args]);
const text = (dir: string, name: string): string => readFileSync(path.join(dir, "keys", name), "utf8");
const all = (dir: string): Record<string, string> =>
  Object.fromEntries(readdirSync(path.join(dir, "keys")).map((name) => [name, text(dir, name)]));

describe("what is made", () => {
  let dir: string;
  let said: string;
  const file = (name: string): string => path.join(dir, "keys", name);
  const openssl = (...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync("openssl", args, { encoding: "utf8" });
    expect(status, stderr).toBe(0);
    return stdout;
  };
  beforeAll(async () => {
    dir = project("front", "back-office_2");
    const { code, stdout, stderr } = await keys(dir);
    expect(code).toBe(0);
    expect(stderr).toContain(
      `The host of a binary needs ca.crt, BINARY.crt and BINARY.key of ${path.join(dir, "keys")}; never ca.key.\n`,
    );
    said = stdout;
  });

  test("is said, with the day until which it is good", () => {
    expect(said).toMatch(
      /^made the certificate authority, valid until \d{4}-\d\d-\d\d\nmade front, valid until \d{4}-\d\d-\d\d\nmade back-office_2, valid until .*\n$/,
    );
  });

  test("are these files, for their owner alone and not for git", () => {
    const names = ["back-office_2.crt", "back-office_2.key", "ca.crt", "ca.key", "front.crt", "front.key"];
    expect(readdirSync(path.join(dir, "keys"))).toEqual([".gitignore", ...names]);
    expect(text(dir, ".gitignore")).toBe("*\n");
    for (const name of names) expect(statSync(file(name)).mode & 0o777, name).toBe(0o600);
    expect(statSync(path.join(dir, "keys")).mode & 0o777).toBe(0o700);
  });

  test("holds against openssl, for both ends of a connection", () => {
    const names = [file("front.crt"), file("back-office_2.crt")];
    for (const purpose of ["sslserver", "sslclient"])
      expect(
        openssl("verify", "-x509_strict", "-purpose", purpose, "-CAfile", file("ca.crt"), ...names),
      ).toBe(names.map((name) => `${name}: OK\n`).join(""));
  });

  test("says of a binary who it is, and that it signs nothing else", () => {
    const certificate = new X509Certificate(text(dir, "back-office_2.crt"));
    expect(certificate).toMatchObject({
      subject: "CN=back-office_2",
      issuer: "CN=shop (Penstock)",
      subjectAltName: "URI:penstock://shop/back-office_2",
      ca: false,
    });
    expect(certificate.publicKey.asymmetricKeyType).toBe("ed25519");
    const extensions = openssl(
      "x509",
      "-in",
      file("front.crt"),
      "-noout",
      "-ext",
      "basicConstraints,keyUsage,extendedKeyUsage",
    );
    expect(
      extensions
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean),
    ).toEqual([
      "X509v3 Basic Constraints:",
      "CA:FALSE",
      "X509v3 Key Usage:",
      "Digital Signature",
      "X509v3 Extended Key Usage:",
      "TLS Web Server Authentication, TLS Web Client Authentication",
    ]);
    const serials = ["ca", "front", "back-office_2"].map(
      (name) => new X509Certificate(text(dir, `${name}.crt`)).serialNumber,
    );
    expect(new Set(serials).size).toBe(3);
    for (const serial of serials) expect(BigInt(`0x${serial}`) < 1n << 128n).toBe(true);
  });

  test("says of the authority that it signs binaries, and no other authority", () => {
    expect(openssl("x509", "-in", file("ca.crt"), "-noout", "-ext", "basicConstraints,keyUsage")).toMatch(
      /Basic Constraints: critical\s+CA:TRUE, pathlen:0\s+X509v3 Key Usage: critical\s+Certificate Sign, CRL Sign/,
    );
  });

  test("has two binaries speak TLS 1.3 with each other", async () => {
    const of = (name: string) => ({
      ca: text(dir, "ca.crt"),
      cert: text(dir, `${name}.crt`),
      key: text(dir, `${name}.key`),
      minVersion: "TLSv1.3" as const,
    });
    const server = tls.createServer({ ...of("front"), requestCert: true, rejectUnauthorized: true });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const accepted = once(server, "secureConnection") as Promise<[tls.TLSSocket]>;
    const called = tls.connect({
      ...of("back-office_2"),
      port,
      host: "127.0.0.1",
      checkServerIdentity: () => undefined,
    });
    await once(called, "secureConnect");
    const [calling] = await accepted;
    expect(called.getPeerCertificate().subjectaltname).toBe("URI:penstock://shop/front");
    expect(calling.getPeerCertificate().subjectaltname).toBe("URI:penstock://shop/back-office_2");
    expect([called.authorized, calling.authorized, called.getProtocol()]).toEqual([true, true, "TLSv1.3"]);
    called.destroy();
    calling.destroy();
    server.close();
  });
});

describe("run again", () => {
  test("it keeps what is good, makes what is new, and mentions what is left", async () => {
    const dir = project("front", "old");
    await keys(dir);
    const before = all(dir);
    const again = await keys(dir);
    expect(again.code).toBe(0);
    expect(again.stdout.split("\n").map((line) => line.split(",")[0])).toEqual([
      "kept the certificate authority",
      "kept front",
      "kept old",
      "",
    ]);
    expect(again.stderr).toBe("");
    expect(all(dir)).toEqual(before);
    writeFileSync(path.join(dir, "topology.json"), JSON.stringify(drawing("front", "added")));
    const changed = await keys(dir);
    expect(changed.stdout).toMatch(/^kept the .*\nkept front, .*\nmade added, /);
    expect(changed.stderr).toContain("Of no binary that is drawn, and left: old.crt, old.key.");
    expect(all(dir)).toMatchObject(before);
  });

  test("it heals a pair of which one half is another's", async () => {
    const dir = project("front", "back");
    await keys(dir);
    writeFileSync(path.join(dir, "keys", "back.key"), text(dir, "front.key"));
    expect((await keys(dir)).stdout).toMatch(
      /kept front, .*\nrenewed back, valid until \d{4}-\d\d-\d\d: its key was not that of its certificate\n$/,
    );
  });

  test("--renew makes all anew by the same authority, or the one that is named", async () => {
    const dir = project("front", "back");
    await keys(dir);
    const first = all(dir);
    expect((await keys(dir, "--renew", "--binary", "back")).stdout).toMatch(
      /^kept the .*\nrenewed back, [^:]*\n$/,
    );
    const second = all(dir);
    expect(second).toEqual({ ...first, "back.crt": second["back.crt"], "back.key": second["back.key"] });
    for (const name of ["back.crt", "back.key"]) expect(second[name]).not.toBe(first[name]);
    const ended = await keys(dir, "--renew", "--json");
    const document = documentOf(ended);
    expect(document).toEqual({
      ok: true,
      problems: [],
      folder: path.join(dir, "keys"),
      ca: { until: expect.stringMatching(/^\d{4}-.*Z$/) as string, made: false },
      binaries: ["front", "back"].map((name) => ({
        name,
        until: new Date(new X509Certificate(text(dir, `${name}.crt`)).validTo).toISOString(),
        state: "renewed",
      })),
      left: [],
    });
    const third = all(dir);
    expect(third["ca.crt"]).toBe(first["ca.crt"]);
    for (const name of ["front.crt", "front.key", "back.crt", "back.key"])
      expect(third[name]).not.toBe(second[name]);
  });
});

describe("what is in the way", () => {
  test("a binary that is not drawn, with what was meant", async () => {
    const dir = project("front");
    const { code, stderr } = await keys(dir, "--binary", "frnot");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("Did you mean front?") as string,
    });
    expect(existsSync(path.join(dir, "keys"))).toBe(false);
  });

  test("a name that is none, and could be one of another folder", async () => {
    const dir = project("../front");
    expect(await keys(dir)).toMatchObject({ code: 1, stderr: expect.stringContaining("PS201") as string });
    expect(existsSync(path.join(dir, "keys"))).toBe(false);
  });

  test("no openssl: nothing is made, and what is good is kept without it", async () => {
    const dir = project("front");
    const without = { env: { PATH: penstock.folder } };
    const missing = await penstock.run(["keys", dir, "--json"], without);
    expect(missing.code).toBe(3);
    expect(documentOf(missing).problems).toMatchObject([
      { code: "PS992", help: "sudo apt-get install --no-install-recommends openssl" },
    ]);
    expect(readdirSync(path.join(dir, "keys"))).toEqual([".gitignore"]);
    await keys(dir);
    const before = all(dir);
    expect((await penstock.run(["keys", dir], without)).stdout).toContain("kept front");
    expect((await penstock.run(["keys", dir, "--renew"], without)).code).toBe(3);
    expect(all(dir)).toEqual(before);
  });

  test("an openssl that cannot do it: what was there stays", async () => {
    const dir = project("front");
    await keys(dir);
    const before = all(dir);
    const bin = path.join(penstock.folder, "old-openssl");
    mkdirSync(bin);
    writeFileSync(path.join(bin, "openssl"), "#!/bin/sh\necho 'no such command' >&2\nexit 1\n", {
      mode: 0o755,
    });
    const { code, stderr } = await penstock.run(["keys", dir, "--renew"], { env: { PATH: bin } });
    expect(code).toBe(3);
    expect(stderr).toContain("cannot do what is needed: no such command");
    expect(all(dir)).toEqual(before);
  });

  test("a configuration of openssl's on the machine: it is not read", async () => {
    const dir = project("front");
    const file = path.join(penstock.folder, "openssl.cnf");
    writeFileSync(file, "openssl_conf = missing\n[req]\nprompt = yes\n");
    expect((await penstock.run(["keys", dir], { env: { OPENSSL_CONF: file } })).code).toBe(0);
  });

  test.each(["keys", "keys/ca.key", "keys/front.key", "keys/front.crt", "keys/.gitignore"])(
    "a link at %s: it is not followed",
    async (place) => {
      const dir = project("front");
      const elsewhere = path.join(penstock.folder, `behind-${path.basename(dir)}`);
      const isFolder = place === "keys";
      if (isFolder) mkdirSync(elsewhere);
      else {
        await keys(dir);
        writeFileSync(elsewhere, "theirs");
        unlinkSync(path.join(dir, place));
      }
      symlinkSync(elsewhere, path.join(dir, place));
      const { code, stderr } = await keys(dir, "--renew");
      expect(code).toBe(3);
      expect(stderr).toContain(`PS703: ${place} is a symbolic link`);
      if (isFolder) expect(readdirSync(elsewhere)).toEqual([]);
      else expect(readFileSync(elsewhere, "utf8")).toBe("theirs");
    },
  );

  test("another run: it says so and changes nothing", async () => {
    const dir = project("front");
    await keys(dir);
    const before = all(dir);
    const lock = await takeLock(path.join(dir, "keys", ".lock"), "keys");
    const ended = await keys(dir, "--renew", "--json");
    await lock.release();
    expect(ended.code).toBe(3);
    expect(documentOf(ended).problems).toMatchObject([{ code: "PS997" }]);
    expect(all(dir)).toEqual(before);
  });

  test("runs at once leave pairs that belong together", async () => {
    const dir = project("front", "back");
    const ended = await Promise.all([1, 2, 3].map(() => keys(dir, "--renew")));
    expect(ended.some(({ code }) => code === 0)).toBe(true);
    for (const { code } of ended) expect([0, 3]).toContain(code);
    expect((await keys(dir)).stdout).toMatch(/^kept the .*\nkept front.*\nkept back.*\n$/);
  });
});

test("a binary without the keys that it is drawn with is not built to be started", async () => {
  const drawn = drawing("front");
  const [front] = drawn.binaries;
  const http = { address: "127.0.0.1:0", tls: "keys" };
  const dir = penstock.project("keyless", { ...drawn, binaries: [{ ...front, http }] });
  const { code, stderr } = await penstock.run(["run", dir]);
  expect(code).toBe(1);
  expect(stderr).toContain(
    `front was not started: ${path.join(dir, "keys")} has no ca.crt, front.crt, front.key`,
  );
  expect(existsSync(path.join(dir, "build"))).toBe(false);
});
