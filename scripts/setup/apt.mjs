import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { run } from "./child.mjs";
import { OTHER_SYSTEMS, PACKAGES, packagesFor } from "./packages.mjs";
import { Obstacle } from "./report.mjs";

const OPTIONS = [
  "-y",
  "--no-install-recommends",
  "-o",
  "DPkg::Lock::Timeout=300",
  "-o",
  "Acquire::Retries=3",
];

/** Of `packages`, those dpkg does not call installed; asks dpkg once. */
export function missingPackages(packages) {
  const asked = spawnSync("dpkg", ["-s", ...packages], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
    maxBuffer: 64 << 20,
  });
  const installed = new Set();
  for (const block of (asked.stdout ?? "").split("\n\n")) {
    const name = /^Package: (\S+)$/m.exec(block)?.[1];
    if (name !== undefined && /^Status: \S+ ok installed$/m.test(block)) installed.add(name);
  }
  return packages.filter((name) => !installed.has(name));
}

/** Of `apt-cache policy`'s words, the packages that this system's archive does not have; exported for its test. */
export function withoutCandidate(policy) {
  const blocks = policy.split(/^(?=\S)/m);
  return blocks
    .filter((block) => /^ +Candidate: \(none\)$/m.test(block))
    .map((block) => block.slice(0, block.indexOf(":")));
}

/** Those of `packages` that are to be had here, or that cannot be done without; apt says why then. */
function installable(packages) {
  const asked = spawnSync("apt-cache", ["policy", ...packages], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  const answered = asked.stdout ?? "";
  const known = new Set(answered.split("\n").flatMap((line) => /^(\S+):$/.exec(line)?.[1] ?? []));
  const absent = new Set(withoutCandidate(answered));
  return packages.filter(
    (name) => !PACKAGES.comfort.includes(name) || (known.has(name) && !absent.has(name)),
  );
}

/** The line to copy into a terminal. */
export const installLine = (packages) =>
  `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages.join(" ")}`;

const has = (tool) =>
  (process.env.PATH ?? "").split(":").some((folder) => folder !== "" && existsSync(`${folder}/${tool}`));

/** What a system without apt is told; exported for its test. */
export function adviceFor(platform, osRelease) {
  if (platform === "darwin") return OTHER_SYSTEMS.darwin;
  const ids = /^ID(?:_LIKE)?=.*$/gm;
  const words = (osRelease.match(ids) ?? []).join(" ").toLowerCase();
  if (/fedora|rhel|centos/.test(words)) return OTHER_SYSTEMS.fedora;
  if (/arch/.test(words)) return OTHER_SYSTEMS.arch;
  if (/suse/.test(words)) return OTHER_SYSTEMS.opensuse;
  if (/alpine/.test(words)) return OTHER_SYSTEMS.alpine;
  return `install what these Debian packages hold: ${packagesFor("setup").join(" ")}`;
}

/**
 * Installs what is missing; silent and without apt when nothing is.
 * @returns {Promise<number>} how many packages were installed
 * @throws {Obstacle} when this system or user cannot
 */
export async function installPackages(purpose, step) {
  const wanted = packagesFor(purpose);
  if (process.platform !== "linux" || !has("dpkg") || !has("apt-get")) {
    if (["g++", "cmake", "ninja"].every(has)) return 0;
    const release = existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
    throw new Obstacle(
      "this system has no apt; the compiler and the libraries have to be installed by hand",
      adviceFor(process.platform, release),
    );
  }
  const found = missingPackages(wanted);
  if (found.every((name) => PACKAGES.comfort.includes(name)) && installable(found).length === 0) return 0;
  const root = process.getuid?.() === 0;
  if (!root && !has("sudo")) {
    throw new Obstacle(
      `${found.length} packages are missing and this user may not install them`,
      `as root: ${installLine(found).replaceAll("sudo ", "")}`,
    );
  }
  const apt = async (args, what) => {
    const environment = ["env", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C"];
    const line = root ? [...environment, "apt-get", ...args] : ["sudo", ...environment, "apt-get", ...args];
    // sudo may have to ask for a password, which needs the terminal.
    const inherit = !root && process.stdin.isTTY === true;
    const { code, tail } = await run(line[0], line.slice(1), {
      inherit,
      onLine: (text) => step.progress(`${what}: ${text}`),
    });
    return code === 0
      ? ""
      : tail.filter((text) => /^[EW]:|sudo:|rror/.test(text)).join("\n") || tail.slice(-3).join("\n");
  };
  const lists = await apt(
    ["update", "-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=3"],
    "package lists",
  );
  const missing = installable(found);
  const trouble = await apt(["install", ...OPTIONS, ...missing], `${missing.length} packages`);
  if (trouble !== "" || missingPackages(missing).length > 0) {
    throw new Obstacle(
      `apt could not install ${missingPackages(missing).join(" ")}\n${trouble || lists}`,
      installLine(missing),
    );
  }
  return missing.length;
}
