import { spawnSync } from "node:child_process";
import { isInput } from "./inputs.mjs";
import { filesChanged, readSectionStamp, stampOf } from "./stamps.mjs";

const git = (root, ...args) => {
  const done = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 64 << 20 });
  return done.status === 0 ? done.stdout.split("\n").filter((line) => line !== "") : undefined;
};

/**
 * The commit that a change is looked at against where no stamp says more: where this branch left main; on main
 * itself the commit before.
 */
function base(root) {
  const head = git(root, "rev-parse", "HEAD")?.[0];
  for (const main of ["main", "origin/main"]) {
    const left = git(root, "merge-base", "HEAD", main)?.[0];
    if (left !== undefined && left !== head) return left;
  }
  return git(root, "rev-parse", "HEAD~1")?.[0] ?? head;
}

/** Files that differ from that commit, committed or not; undefined: there is no git to ask. */
function changedInGit(root) {
  const commit = base(root);
  if (commit === undefined) return undefined;
  const differing = git(root, "diff", "--name-only", "--relative", commit, "--", ".");
  const fresh = git(root, "ls-files", "--others", "--exclude-standard");
  return differing && fresh
    ? { since: commit.slice(0, 10), files: [...new Set([...differing, ...fresh])] }
    : undefined;
}

/**
 * What of its inputs has changed for a section since it was green here, else since git's base; undefined: nobody knows.
 * @returns {{since: string, files: string[]} | undefined}
 */
export function changedFor(root, section, { folder, sources, tools }) {
  const before = readSectionStamp(folder, section);
  const now = stampOf(section, sources, tools);
  if (before === undefined) {
    const changed = changedInGit(root);
    return changed && { ...changed, files: changed.files.filter((file) => isInput(section, file)) };
  }
  // Another compiler changes everything.
  return before.tools === tools ? { since: "it passed", files: filesChanged(before, now) } : undefined;
}
