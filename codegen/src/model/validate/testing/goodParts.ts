import type { z } from "zod";
import type {
  binarySchema,
  bundleSchema,
  enumSchema,
  flowSchema,
  messageSchema,
  poolSchema,
  serviceSchema,
  stageSchema,
  topologySchema,
} from "../../topology/index.js";

/** A sound document, fresh on every call, and handles on its parts for tests that spoil one of them. */
export interface GoodParts {
  document: z.input<typeof topologySchema>;
  request: z.input<typeof messageSchema>;
  ad: z.input<typeof messageSchema>;
  tier: z.input<typeof enumSchema>;
  getAd: z.input<typeof serviceSchema>;
  produceAd: z.input<typeof serviceSchema>;
  logAd: z.input<typeof serviceSchema>;
  countError: z.input<typeof serviceSchema>;
  flow: z.input<typeof flowSchema>;
  pick: z.input<typeof stageSchema>;
  log: z.input<typeof stageSchema>;
  oops: z.input<typeof stageSchema>;
  bundle: z.input<typeof bundleSchema>;
  binary: z.input<typeof binarySchema>;
  front: z.input<typeof poolSchema>;
  models: z.input<typeof poolSchema>;
}

/** The ads topology in small: no problem, not even a warning, and runnable as it is. */
export function goodParts(): GoodParts {
  const request = {
    name: "AdRequest",
    fields: [
      { name: "cookie", type: "string", tag: 1 },
      { name: "tier", type: "Tier", tag: 2 },
      { name: "weights", type: "double", tag: 3, repeated: true },
    ],
  };
  const ad = {
    name: "Ad",
    fields: [
      { name: "text", type: "string", tag: 1 },
      { name: "tier", type: "Tier", tag: 2 },
    ],
  };
  const tier = {
    name: "Tier",
    values: [
      { name: "FREE", number: 0 },
      { name: "PAID", number: 1 },
    ],
  };
  const getAd: GoodParts["getAd"] = {
    name: "GetAd",
    request: "AdRequest",
    response: "Ad",
    kind: "async-remote",
    calls: ["ProduceAd"],
    deadlineMs: 100,
  };
  const produceAd: GoodParts["produceAd"] = {
    name: "ProduceAd",
    request: "AdRequest",
    response: "Ad",
    kind: "sync-remote",
    implementations: ["ModelA", "ModelB"],
  };
  const logAd: GoodParts["logAd"] = { name: "LogAd", request: "Ad", kind: "single-threaded" };
  const countError = { name: "CountError", request: "Failure" };
  const pick = { id: "pick", service: "GetAd", join: { pool: "front" } };
  const log: GoodParts["log"] = { id: "log", service: "LogAd", role: "side-effect" };
  const oops: GoodParts["oops"] = { id: "oops", service: "CountError", role: "catch" };
  const flow: GoodParts["flow"] = {
    name: "Impressions",
    event: "AdRequest",
    source: { kind: "rate", perSecond: 200 },
    stages: [pick, log, oops],
  };
  const bundle = {
    name: "AdBundle",
    services: ["GetAd", "ProduceAd", "LogAd", "CountError"],
    flows: ["Impressions"],
  };
  const front: GoodParts["front"] = { name: "front", threads: [{ cpus: [0] }] };
  const models: GoodParts["models"] = { name: "models", threads: [{ cpus: [1] }, {}, {}] };
  const binary: GoodParts["binary"] = {
    name: "ads-server",
    bundles: ["AdBundle"],
    pools: [front, models],
    placement: {
      GetAd: { pool: "front" },
      ProduceAd: { pool: "models", implementation: { ModelA: 90, ModelB: 10 } },
    },
  };
  const document: GoodParts["document"] = {
    penstock: 1,
    name: "ads",
    messages: [request, ad],
    enums: [tier],
    services: [getAd, produceAd, logAd, countError],
    flows: [flow],
    bundles: [bundle],
    binaries: [binary],
  };
  // prettier-ignore
  return {
    document, request, ad, tier, getAd, produceAd, logAd, countError,
    flow, pick, log, oops, bundle, binary, front, models,
  };
}
