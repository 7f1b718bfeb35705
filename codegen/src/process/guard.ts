import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";

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
/** What the guard has been told of: one that is started anew (somebody killed it) is told again. */
const guarded = new Set<number>();

function startedGuard(): ChildProcess {
  if (guard) return guard;
  // Its own group: a Ctrl-C in the terminal must not take the guard before the guarded.
  const child = spawn("/bin/sh", ["-c", SCRIPT], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  child.stdin?.on("error", () => undefined);
  child.on("exit", () => {
    if (guard !== child) return;
    guard = null;
    if (guarded.size > 0) startedGuard();
  });
  child.unref();
  (child.stdin as unknown as { unref?: () => void })?.unref?.();
  guard = child;
  for (const group of guarded) child.stdin?.write(`add ${group}\n`);
  return child;
}

/** True when the kernel has taken it; false when nobody reads there any more. */
const written = (child: ChildProcess, line: string): Promise<boolean> =>
  new Promise((resolve) => child.stdin?.write(line, (error) => resolve(!error)));

/**
 * From now on the group dies with this process. Resolves when the kernel has the word for the guard: then it
 * reaches it even when this process is killed in the same moment.
 */
export async function guardGroup(group: number): Promise<void> {
  for (;;) {
    const child = startedGuard();
    if (await written(child, `add ${group}\n`)) break;
    if (guard === child) await once(child, "exit");
  }
  guarded.add(group);
}

/** The group has ended. */
export function unguardGroup(group: number): void {
  if (guarded.delete(group)) guard?.stdin?.write(`drop ${group}\n`);
}

/** Starts the guard ahead of the first child, so that none is ever without one. */
export function prepareGuard(): void {
  startedGuard();
}
