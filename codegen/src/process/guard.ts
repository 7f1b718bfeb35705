import { spawn, type ChildProcess } from "node:child_process";

/**
 * Kills the process groups of this process when it dies, however it dies. A small shell waits at
 * the end of a pipe that only this process holds; end of file before a group was taken off the
 * list means that nobody is left to look after it. Whole groups die, not just direct children
 * (what `PR_SET_PDEATHSIG` could do), and a group that ended properly is never touched.
 */
const SCRIPT = `groups=' '
while read -r verb group; do
  case $verb in
    add) groups="$groups$group " ;;
    drop) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -KILL "-$group"; done 2>/dev/null`;

let guard: ChildProcess | null = null;

function startedGuard(): ChildProcess {
  if (guard) return guard;
  // Its own group: a Ctrl-C in the terminal must not take the guard before the guarded.
  const child = spawn("/bin/sh", ["-c", SCRIPT], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  child.stdin?.on("error", () => undefined);
  child.on("exit", () => {
    if (guard === child) guard = null;
  });
  child.unref();
  (child.stdin as unknown as { unref?: () => void })?.unref?.();
  guard = child;
  return child;
}

/** From now on the group dies with this process. */
export function guardGroup(group: number): void {
  startedGuard().stdin?.write(`add ${group}\n`);
}

/** The group has ended, or is meant to outlive us. */
export function unguardGroup(group: number): void {
  guard?.stdin?.write(`drop ${group}\n`);
}

/** Starts the guard ahead of the first child, so that none is ever without one. */
export function prepareGuard(): void {
  startedGuard();
}
