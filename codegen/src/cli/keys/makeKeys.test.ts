import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { certifiedHosts } from "../../model/topology/index.js";
import { certificateGap } from "../../run/index.js";
import { certifier } from "./certify.js";
import { makeKeys, type Keys, type KeysRequest } from "./makeKeys.js";

const DAY_MS = 86_400_000;
const NOW = new Date("2030-01-01T12:00:00Z");
const days = (count: number): Date => new Date(NOW.getTime() + count * DAY_MS);

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "penstock-make-keys-"))));
afterEach(() => rmSync(dir, { recursive: true }));

const make = (changes: Partial<KeysRequest> = {}): Promise<Keys> =>
  makeKeys({
    dir,
    project: "shop",
    drawn: ["front", "back"],
    renew: false,
    now: NOW,
    signal: new AbortController().signal,
    ...changes,
  });
const file = (name: string): string => join(dir, "keys", name);
const text = (name: string): string => readFileSync(file(name), "utf8");
const certificate = (name: string): X509Certificate => new X509Certificate(text(`${name}.crt`));
const all = (): Record<string, string> =>
  Object.fromEntries(readdirSync(join(dir, "keys")).map((name) => [name, text(name)]));
const states = ({ binaries }: Keys): string[] =>
  binaries.map(({ name, state, why }) => [name, state, ...(why === undefined ? [] : [why])].join(" "));
/** Ends a run there, as a kill would. */
const dieAt = (wanted: RegExp) => (step: string) => {
  if (wanted.test(step)) throw new Error(`dies at ${step}`);
};

describe("times", () => {
  test("certificates begin some minutes ago, and last 730 days, the authority 3650", async () => {
    const { ca, binaries } = await make();
    expect([ca.until, binaries[0]?.until]).toEqual([days(3650), days(730)]);
    for (const name of ["ca", "front"])
      expect(new Date(certificate(name).validFrom)).toEqual(new Date("2030-01-01T11:50:00Z"));
  });

  test("what has 30 days left stays, what has fewer is renewed, and so is what has ended", async () => {
    await make();
    const before = all();
    expect(states(await make({ now: days(700) }))).toEqual(["front kept", "back kept"]);
    expect(all()).toEqual(before);
    expect(states(await make({ now: days(701) }))).toEqual([
      "front renewed its certificate ends on 2032-01-01",
      "back renewed its certificate ends on 2032-01-01",
    ]);
    expect(states(await make({ now: days(2000), only: "back" }))).toEqual([
      "back renewed its certificate ended on 2033-12-02",
    ]);
  });

  test("what is not good yet is renewed: the clock was wrong", async () => {
    await make();
    await make({ renew: true, now: days(10) });
    expect(states(await make({ only: "back", now: days(9) }))).toEqual([
      "back renewed its certificate begins on 2030-01-11",
    ]);
  });

  test("nothing lasts longer than its authority, or is renewed where that would not help", async () => {
    await make();
    const late = await make({ now: days(3640) });
    expect(late.binaries.map(({ until }) => until)).toEqual([days(3650), days(3650)]);
    expect(late.problems).toMatchObject([{ code: "PS998", severity: "warning", file: "keys/ca.crt" }]);
    expect(states(await make({ now: days(3641) }))).toEqual(["front kept", "back kept"]);
    expect((await make({ now: days(3000) })).problems).toEqual([]);
  });

  test("an authority that is not good yet is said, and stays", async () => {
    await make({ now: days(10) });
    const before = all();
    await expect(make({ now: days(9) })).rejects.toMatchObject({
      code: "PS996",
      message: "keys/ca.crt begins on 2030-01-11",
    });
    expect(all()).toEqual(before);
  });

  test("an authority that has ended is said, and stays", async () => {
    await make();
    const before = all();
    await expect(make({ now: days(3651) })).rejects.toMatchObject({
      code: "PS996",
      message: "keys/ca.crt ended on 2039-12-30",
    });
    expect(all()).toEqual(before);
  });
});

describe("what is no good is made anew, and the rest stays", () => {
  const spoilt: [string, () => void | Promise<void>, string][] = [
    [
      "a key of another certificate",
      () => writeFileSync(file("back.key"), text("front.key")),
      "its key was not that of its certificate",
    ],
    [
      "a key that is cut off",
      () => writeFileSync(file("back.key"), text("back.key").slice(0, 50)),
      "its key could not be read",
    ],
    [
      "a certificate that is cut off",
      () => writeFileSync(file("back.crt"), text("back.crt").slice(0, 90)),
      "its certificate could not be read",
    ],
    ["no key", () => rmSync(file("back.key")), "its key was missing"],
    ["no certificate", () => rmSync(file("back.crt")), "its certificate was missing"],
    [
      "the pair of another binary",
      () => {
        for (const end of ["crt", "key"]) writeFileSync(file(`back.${end}`), text(`front.${end}`));
      },
      "its certificate was for URI:penstock://shop/front",
    ],
    [
      "the pair of the authority",
      () => {
        for (const end of ["crt", "key"]) writeFileSync(file(`back.${end}`), text(`ca.${end}`));
      },
      "its certificate was for nobody",
    ],
    [
      "a certificate that somebody changed",
      () => {
        const { raw } = certificate("back");
        raw[raw.length - 1]! ^= 1;
        writeFileSync(
          file("back.crt"),
          `-----BEGIN CERTIFICATE-----\n${raw.toString("base64")}\n-----END CERTIFICATE-----\n`,
        );
      },
      "its certificate was of another authority",
    ],
    [
      "a certificate for servers alone",
      async () => {
        const [key, signer] = [openSync(file("back.key"), "r"), openSync(file("ca.key"), "r")];
        const extensions = ["subjectAltName = URI:penstock://shop/back", "extendedKeyUsage = serverAuth"];
        const certify = await certifier();
        writeFileSync(
          file("back.crt"),
          await certify({ commonName: "back", from: NOW, until: days(700), extensions }, key, {
            certificate: text("ca.crt"),
            key: signer,
          }),
        );
        for (const descriptor of [key, signer]) closeSync(descriptor);
      },
      "its certificate was not for both ends of a connection",
    ],
  ];
  test.each(spoilt)("%s", async (_, spoil, why) => {
    await make();
    const before = all();
    await spoil();
    expect(states(await make())).toEqual(["front kept", `back renewed ${why}`]);
    expect(certificate("back").subjectAltName).toBe("URI:penstock://shop/back");
    const { "back.crt": _c, "back.key": _k, ...others } = all();
    expect(before).toMatchObject(others);
    expect(states(await make())).toEqual(["front kept", "back kept"]);
  });

  test("another name of the project", async () => {
    await make();
    expect(states(await make({ project: "store" }))[0]).toBe(
      "front renewed its certificate was for URI:penstock://shop/front",
    );
  });

  test("another authority, when somebody has removed the old one", async () => {
    await make();
    for (const name of ["ca.crt", "ca.key"]) rmSync(file(name));
    const { ca, binaries } = await make();
    expect(ca.made).toBe(true);
    expect(new Set(binaries.map(({ why }) => why))).toEqual(
      new Set(["its certificate was of another authority"]),
    );
  });
});

describe("hosts by which clients of an HTTP address know a binary", () => {
  const hosts = new Map([["front", ["front", "localhost", "127.0.0.1", "2001:db8::5"]]]);

  test("stand in its certificate, and in no other", async () => {
    await make({ hosts });
    const front = certificate("front");
    expect(front.subjectAltName).toMatch(/^URI:penstock:\/\/shop\/front, DNS:front, DNS:localhost, /);
    for (const host of ["front", "localhost"]) expect(front.checkHost(host)).toBe(host);
    for (const ip of ["127.0.0.1", "2001:db8::5"]) expect(front.checkIP(ip)).toBeDefined();
    expect(certificate("back").subjectAltName).toBe("URI:penstock://shop/back");
    expect(states(await make({ hosts }))).toEqual(["front kept", "back kept"]);
  });

  test("have it renewed when they become others", async () => {
    await make();
    expect(states(await make({ hosts }))).toEqual([
      "front renewed its certificate was not for front, localhost, 127.0.0.1, 2001:db8::5",
      "back kept",
    ]);
    const others = new Map([["front", ["front", "localhost", "127.0.0.1", "10.0.0.5"]]]);
    expect(states(await make({ hosts: others }))[0]).toBe(
      "front renewed its certificate was not for 10.0.0.5",
    );
    const fewer = new Map([["front", ["front"]]]);
    expect(states(await make({ hosts: fewer }))[0]).toBe(
      "front renewed its certificate was for hosts that are drawn no more",
    );
  });

  test("are named where the certificate that is there is not for them", async () => {
    const front = (...more: string[]) => ({
      name: "front",
      http: { address: "127.0.0.1:0", tls: "keys" as const, hosts: more },
    });
    expect(certificateGap(front(), dir)).toBeNull();
    await make({ hosts: new Map([["front", certifiedHosts(front("shop.example"))]]) });
    expect(certificateGap(front("shop.example"), dir)).toBeNull();
    expect(certificateGap(front("shop.example", "10.0.0.5", "new.example"), dir)).toMatchObject({
      code: "PS872",
      severity: "warning",
      message: "the certificate of front is not for 10.0.0.5, new.example",
      node: "binary:front",
    });
    expect(certificateGap({ ...front("new.example"), http: "127.0.0.1:0" }, dir)).toBeNull();
    writeFileSync(file("front.crt"), "no certificate");
    expect(certificateGap(front("new.example"), dir)).toBeNull();
    // What came with a project may be a pipe, which nobody is to wait for.
    rmSync(file("front.crt"));
    execFileSync("mkfifo", [file("front.crt")]);
    expect(certificateGap(front("new.example"), dir)).toBeNull();
  });

  test("files that others make are not called those of nobody", async () => {
    await make();
    writeFileSync(file("site.crt"), "");
    writeFileSync(file("site.key"), "");
    expect((await make()).left).toEqual(["site.crt", "site.key"]);
    expect((await make({ others: ["site.crt", "site.key"] })).left).toEqual([]);
  });
});

describe("an authority that is no good is never replaced", () => {
  const spoilt: [string, () => void, RegExp][] = [
    [
      "a certificate that is cut off",
      () => writeFileSync(file("ca.crt"), "-----BEGIN"),
      /keys\/ca.crt cannot be read/,
    ],
    ["a key that is cut off", () => writeFileSync(file("ca.key"), ""), /keys\/ca.key cannot be read/],
    [
      "a key that is cut off, and no certificate",
      () => {
        writeFileSync(file("ca.key"), "");
        rmSync(file("ca.crt"));
      },
      /keys\/ca.key cannot be read/,
    ],
    ["another key", () => writeFileSync(file("ca.key"), text("front.key")), /keys\/ca.key is not the key of/],
    [
      "the certificate of a binary",
      () => writeFileSync(file("ca.crt"), text("front.crt")),
      /no certificate of an authority/,
    ],
  ];
  test.each(spoilt)("%s", async (_, spoil, message) => {
    await make();
    spoil();
    const before = all();
    await expect(make({ renew: true })).rejects.toMatchObject({
      code: "PS996",
      exit: 1,
      message: expect.stringMatching(message) as string,
      help: expect.stringContaining("remove keys/ca.crt and keys/ca.key") as string,
    });
    expect(all()).toEqual(before);
  });

  test("without its key it tells what is good, and makes nothing", async () => {
    await make();
    rmSync(file("ca.key"));
    expect(states(await make())).toEqual(["front kept", "back kept"]);
    const before = all();
    await expect(make({ drawn: ["front", "third"] })).rejects.toMatchObject({
      code: "PS996",
      message: expect.stringContaining("keys/ca.key is missing") as string,
    });
    expect(all()).toEqual(before);
  });
});

describe("a run that dies", () => {
  test("between key and certificate of a binary: the pair is made anew", async () => {
    await make();
    const { "front.crt": crt, "front.key": key } = all();
    await expect(make({ renew: true, onStep: dieAt(/^rename keys\/front\.crt/) })).rejects.toThrow("dies");
    expect(text("front.crt")).toBe(crt);
    expect(text("front.key")).not.toBe(key);
    expect(states(await make())).toEqual([
      "front renewed its key was not that of its certificate",
      "back kept",
    ]);
  });

  test("between key and certificate of the authority: it is the same authority", async () => {
    await expect(make({ onStep: dieAt(/^rename keys\/ca\.crt/) })).rejects.toThrow("dies");
    const key = text("ca.key");
    expect((await make()).ca.made).toBe(true);
    expect(text("ca.key")).toBe(key);
    expect(states(await make())).toEqual(["front kept", "back kept"]);
  });

  test("before anything is in its place: what it made is gone", async () => {
    await make();
    const before = all();
    await expect(make({ renew: true, onStep: dieAt(/^rename keys\/front\.key/) })).rejects.toThrow("dies");
    expect(all()).toEqual(before);
    writeFileSync(file("front.key.0123456789ab"), text("front.key"));
    await make();
    expect(all()).toEqual(before);
  });
});

test("no file is ever open to others, whatever the mask says", async () => {
  const mask = process.umask(0);
  const modes = new Set<string>();
  try {
    await make({
      onStep: () => {
        for (const name of existsSync(join(dir, "keys")) ? readdirSync(join(dir, "keys")) : [])
          modes.add((statSync(file(name)).mode & 0o777).toString(8));
      },
    });
  } finally {
    process.umask(mask);
  }
  expect(modes).toEqual(new Set(["600"]));
  expect(statSync(join(dir, "keys")).mode & 0o777).toBe(0o700);
});

test("rights that others have are taken away, and said of keys", async () => {
  await make();
  for (const name of ["ca.crt", "front.key"]) chmodSync(file(name), 0o644);
  chmodSync(join(dir, "keys"), 0o755);
  const before = all();
  const { problems, binaries } = await make();
  expect(problems).toMatchObject([{ code: "PS998", severity: "warning", file: "keys/front.key" }]);
  expect(binaries.every(({ state }) => state === "kept")).toBe(true);
  expect(all()).toEqual(before);
  for (const name of ["ca.crt", "front.key"]) expect(statSync(file(name)).mode & 0o777, name).toBe(0o600);
  expect(statSync(join(dir, "keys")).mode & 0o777).toBe(0o700);
});

test("all of it stays out of git, also in a folder that was there", async () => {
  mkdirSync(join(dir, "keys"));
  writeFileSync(file(".gitignore"), "*.key\n");
  await make();
  expect(text(".gitignore")).toBe("*\n");
  writeFileSync(file(".gitignore"), "*\n!ca.crt\n");
  await make();
  expect(text(".gitignore")).toBe("*\n!ca.crt\n");
});

test("names as long as they may be", async () => {
  const [project, name] = ["p".repeat(64), "b".repeat(64)];
  await make({ project, drawn: [name] });
  expect(certificate("ca").subject).toBe(`CN=${project}`);
  expect([certificate(name).subject, certificate(name).subjectAltName]).toEqual([
    `CN=${name}`,
    `URI:penstock://${project}/${name}`,
  ]);
});

test("no binary has the name of the authority", async () => {
  await expect(make({ drawn: ["ca"] })).rejects.toMatchObject({ code: "PS996", exit: 1 });
  expect(readdirSync(dir)).toEqual([]);
});

test("what is cancelled makes nothing more", async () => {
  await expect(make({ signal: AbortSignal.abort() })).rejects.toThrow();
  expect(readdirSync(join(dir, "keys")).filter((name) => !name.startsWith("ca."))).toEqual([".gitignore"]);
});
