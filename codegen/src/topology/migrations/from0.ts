import { isJsonObject, type JsonObject, type JsonValue } from "../json/value.js";
import type { Migration, MigrationResult } from "./migration.js";

const MOST_THREADS = 1024;

/**
 * Format 0 was that of the drawings before the first release. It differs in two places: a service
 * has `"type"` where version 1 has `"kind"`, and a pool has its number of threads
 * (`"threads": 3, "cpus": [0, 1]`, every thread pinned to all of `cpus`) where version 1 lists them.
 */
export const from0: Migration = {
  from: 0,
  title: '`"type"` of a service became `"kind"`; the number of threads of a pool became a list of threads',
  migrate(document: JsonObject): MigrationResult {
    const migrated: JsonObject = { ...document };
    const services = document["services"];
    if (Array.isArray(services)) {
      for (const [index, service] of services.entries())
        if (isJsonObject(service) && Object.hasOwn(service, "type") && Object.hasOwn(service, "kind"))
          return { ok: false, reason: 'has both "type" and "kind"', path: ["services", index] };
      migrated["services"] = services.map(renameType);
    }
    const binaries = document["binaries"];
    if (Array.isArray(binaries)) {
      const moved: JsonValue[] = [];
      for (const [index, binary] of binaries.entries()) {
        const pools = isJsonObject(binary) ? binary["pools"] : undefined;
        if (!isJsonObject(binary) || !Array.isArray(pools)) {
          moved.push(binary);
          continue;
        }
        const bad = pools.findIndex((pool) => isJsonObject(pool) && !countIsFine(pool["threads"]));
        if (bad >= 0)
          return {
            ok: false,
            reason: `does not have 1 to ${MOST_THREADS} threads`,
            path: ["binaries", index, "pools", bad],
          };
        moved.push({ ...binary, pools: pools.map(listThreads) });
      }
      migrated["binaries"] = moved;
    }
    migrated["penstock"] = 1;
    return { ok: true, document: migrated };
  },
};

/** Renames the key in its place, so that the order of keys stays the user's. */
function renameType(service: JsonValue): JsonValue {
  if (!isJsonObject(service)) return service;
  return Object.fromEntries(
    Object.entries(service).map(([key, value]) => [key === "type" ? "kind" : key, value]),
  );
}

const countIsFine = (threads: JsonValue | undefined): boolean =>
  typeof threads !== "number" || (Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS);

function listThreads(pool: JsonValue): JsonValue {
  if (!isJsonObject(pool) || typeof pool["threads"] !== "number") return pool;
  const { cpus, ...rest } = pool;
  const thread = (): JsonObject => (cpus === undefined ? {} : { cpus });
  return { ...rest, threads: Array.from({ length: pool["threads"] }, thread) };
}
