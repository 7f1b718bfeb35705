import { realFileOps, type FileOps } from "../fileOps.js";

/** The real system calls with `before` called ahead of each, numbered from 1. */
export function steppedFileOps(before: (step: number, name: keyof FileOps) => void): FileOps {
  let step = 0;
  const stepped = <K extends keyof FileOps>(name: K): FileOps[K] =>
    (async (...args: unknown[]) => {
      before(++step, name);
      return (realFileOps[name] as (...all: unknown[]) => unknown)(...args);
    }) as unknown as FileOps[K];
  return {
    open: stepped("open"),
    write: stepped("write"),
    sync: stepped("sync"),
    close: stepped("close"),
    rename: stepped("rename"),
    unlink: stepped("unlink"),
  };
}
