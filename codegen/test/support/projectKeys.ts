import { makeKeys } from "../../src/cli/keys/makeKeys.js";

/** What `penstock keys` makes for a binary of the project in `dir`, for these hosts; what is there and good stays. */
export const projectKeys = (dir: string, project: string, binary: string, hosts: readonly string[]) =>
  makeKeys({
    ...{ dir, project, drawn: [binary] },
    hosts: new Map([[binary, hosts]]),
    renew: false,
    now: new Date(),
    signal: new AbortController().signal,
  });
