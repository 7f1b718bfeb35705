import { force, type BadExample } from "./badExample.js";

/** Mistakes in pools, placements, joins, bundles, binaries and addresses. */
export const BAD_PLACES: readonly BadExample[] = [
  {
    code: "PS501",
    title: "row 50: a pool of no thread",
    spoil: ({ models }) => void (models.threads = []),
    pointer: "/binaries/0/pools/1",
    node: "pool:ads-server/models",
  },
  {
    code: "PS501",
    title: "row 50: a pool of a thousand million threads",
    spoil: ({ models }) => void (models.threads = 1e9),
    pointer: "/binaries/0/pools/1/threads",
    node: "pool:ads-server/models",
  },
  {
    code: "PS501",
    title: "row 50: a pool of 513 threads twice",
    spoil: ({ models }) => void (models.threads = [{ count: 513, cpus: [0] }, { count: 513 }]),
    pointer: "/binaries/0/pools/1/threads",
  },
  {
    code: "PS501",
    title: "row 50: no thread of a kind",
    spoil: ({ models }) => void (models.threads = [{}, { count: 0 }]),
    pointer: "/binaries/0/pools/1/threads",
  },
  {
    code: "PS501",
    title: "row 50: a pool of 1025 threads",
    spoil: ({ models }) => void (models.threads = Array.from({ length: 1025 }, () => ({}))),
    pointer: "/binaries/0/pools/1/threads",
  },
  {
    code: "PS501",
    title: "a join of -1 threads",
    spoil: ({ pick }) => void (pick.join = { threads: -1 }),
    pointer: "/flows/0/stages/0/join/threads",
  },
  {
    code: "PS502",
    title: "a queue of 0",
    spoil: ({ models }) => void (models.queue = 0),
    pointer: "/binaries/0/pools/1/queue",
  },
  {
    code: "PS502",
    title: "a join with a queue too long",
    spoil: ({ pick }) => void (pick.join = { threads: 2, queue: 1_048_577 }),
    pointer: "/flows/0/stages/0/join/queue",
  },
  {
    code: "PS517",
    title: "a watchdog of more than an hour",
    spoil: ({ binary }) => void (binary.watchdogMs = 3_600_001),
    pointer: "/binaries/0/watchdogMs",
  },
  {
    code: "PS503",
    title: "a priority of 20",
    spoil: ({ models }) => void (models.priority = 20),
    pointer: "/binaries/0/pools/1/priority",
  },
  {
    code: "PS504",
    title: "CPU 1024",
    spoil: ({ front }) => void (front.threads = [{ cpus: [0, 1024] }]),
    pointer: "/binaries/0/pools/0/threads/0/cpus/1",
  },
  {
    code: "PS505",
    title: "a CPU twice",
    spoil: ({ front }) => void (front.threads = [{ cpus: [0, 0] }]),
    pointer: "/binaries/0/pools/0/threads/0/cpus/1",
  },
  {
    code: "PS506",
    title: "a placement of no service",
    spoil: ({ binary }) => void (binary.placement!["GetAds"] = {}),
    pointer: "/binaries/0/placement/GetAds",
    node: "binary:ads-server",
    help: 'Did you mean "GetAd"?',
  },
  {
    code: "PS507",
    title: "a placement of a service served elsewhere",
    spoil: ({ document }) => void document.binaries!.push({ name: "other", placement: { GetAd: {} } }),
    pointer: "/binaries/1/placement/GetAd",
  },
  {
    code: "PS507",
    title: "a placement of a service served nowhere",
    severity: "warning",
    spoil: ({ document, binary }) => {
      document.services!.push({ name: "Alone", request: "Ad" });
      binary.placement!["Alone"] = {};
    },
    pointer: "/binaries/0/placement/Alone",
  },
  {
    code: "PS508",
    title: "a placement on no pool",
    spoil: ({ binary }) => void (binary.placement!["GetAd"] = { pool: "frnt" }),
    pointer: "/binaries/0/placement/GetAd/pool",
    help: 'Did you mean "front"?',
  },
  {
    code: "PS509",
    title: "a thread of no pool",
    spoil: ({ binary }) => void (binary.placement!["GetAd"] = { thread: 0 }),
    pointer: "/binaries/0/placement/GetAd/thread",
  },
  {
    code: "PS510",
    title: "a thread the pool does not have",
    spoil: ({ binary }) => void (binary.placement!["GetAd"] = { pool: "front", thread: 1 }),
    pointer: "/binaries/0/placement/GetAd/thread",
  },
  {
    code: "PS511",
    title: "a weight for no implementation",
    spoil: ({ binary }) =>
      void (binary.placement!["ProduceAd"] = { implementation: { ModelA: 1, ModelC: 1 } }),
    pointer: "/binaries/0/placement/ProduceAd/implementation/ModelC",
  },
  {
    code: "PS511",
    title: "the one implementation that is not there",
    spoil: ({ binary }) => void (binary.placement!["ProduceAd"] = { implementation: "Model" }),
    pointer: "/binaries/0/placement/ProduceAd/implementation",
  },
  {
    code: "PS512",
    title: "a weight below 0",
    spoil: ({ binary }) =>
      void (binary.placement!["ProduceAd"] = { implementation: { ModelA: -1, ModelB: 5 } }),
    pointer: "/binaries/0/placement/ProduceAd/implementation/ModelA",
  },
  {
    code: "PS513",
    title: "no weight at all",
    spoil: ({ binary }) => void (binary.placement!["ProduceAd"] = { implementation: { ModelA: 0 } }),
    pointer: "/binaries/0/placement/ProduceAd/implementation",
  },
  {
    code: "PS518",
    title: "a preset of a pool that is not there",
    spoil: ({ binary }) =>
      force(binary, { presets: [{ name: "night", pools: [{ name: "fornt", threads: [{}] }] }] }),
    pointer: "/binaries/0/presets/0/pools/0/name",
    severity: "warning",
    help: "front",
    node: "binary:ads-server",
  },
  {
    code: "PS518",
    title: "a preset of a stage that is not there",
    spoil: ({ binary }) =>
      force(binary, { presets: [{ name: "night", joins: [{ flow: "Impressions", stage: "pik" }] }] }),
    pointer: "/binaries/0/presets/0/joins/0/stage",
    severity: "warning",
    help: "pick",
  },
  {
    code: "PS501",
    title: "a preset that takes every thread away",
    spoil: ({ binary }) => force(binary, { presets: [{ name: "night", pools: [{ name: "front" }] }] }),
    pointer: "/binaries/0/presets/0/pools/0",
  },
  {
    code: "PS502",
    title: "a preset with a join that queues nothing",
    spoil: ({ binary }) =>
      force(binary, {
        presets: [
          { name: "night", joins: [{ flow: "Impressions", stage: "log", join: { threads: 2, queue: 0 } }] },
        ],
      }),
    pointer: "/binaries/0/presets/0/joins/0/join/queue",
  },
  {
    code: "PS206",
    title: "two presets of one name",
    spoil: ({ binary }) => force(binary, { presets: [{ name: "night" }, { name: "night" }] }),
    pointer: "/binaries/0/presets/1/name",
  },
  {
    code: "PS514",
    title: "a join on no pool",
    spoil: ({ pick }) => void (pick.join = { pool: "frnt" }),
    pointer: "/flows/0/stages/0/join/pool",
    node: "stage:Impressions/pick",
    help: 'Did you mean "front"?',
  },
  {
    code: "PS514",
    title: "a join on no pool while drawing",
    severity: "warning",
    spoil: ({ pick, bundle }) => {
      pick.join = { pool: "frnt" };
      bundle.flows = [];
    },
    pointer: "/flows/0/stages/0/join/pool",
  },
  {
    code: "PS515",
    title: "a blocking stage on one thread",
    spoil: ({ getAd, binary }) => {
      getAd.kind = "sync-remote";
      binary.placement!["GetAd"] = { pool: "models" };
    },
    pointer: "/flows/0/stages/0/join",
    node: "stage:Impressions/pick",
  },
  {
    code: "PS515",
    title: "a blocking stage fused behind one thread",
    spoil: ({ logAd }) => void (logAd.kind = "sync-remote"),
    pointer: "/flows/0/stages/1",
  },
  {
    code: "PS515",
    title: "a blocking stage on an own thread, drawn before any binary",
    spoil: ({ getAd, pick, document, binary }) => {
      getAd.kind = "sync-remote";
      pick.join = { threads: 1 };
      binary.bundles = [];
      delete binary.placement;
      document.services![1]!.kind = "simple";
    },
    pointer: "/flows/0/stages/0/join",
  },
  {
    code: "PS515",
    title: "a blocking first stage placed on one thread of a pool",
    spoil: ({ getAd, pick, binary }) => {
      getAd.kind = "sync-remote";
      delete pick.join;
      binary.placement!["GetAd"] = { pool: "models", thread: 1 };
    },
    pointer: "/flows/0/stages/0",
  },
  {
    code: "PS516",
    title: "a blocking callee on one thread",
    severity: "warning",
    spoil: ({ binary }) => void (binary.placement!["ProduceAd"] = { pool: "front" }),
    pointer: "/binaries/0/placement/ProduceAd",
  },
  {
    code: "PS516",
    title: "a blocking callee on the default pool of one thread",
    severity: "warning",
    spoil: ({ binary }) => {
      delete binary.placement!["ProduceAd"];
      binary.pools!.push({ name: "default", threads: [{}] });
    },
    pointer: "/binaries/0",
  },
  {
    code: "PS601",
    title: "an address without a scheme",
    spoil: ({ binary }) => void (binary.listen = ["127.0.0.1:7400"]),
    pointer: "/binaries/0/listen/0",
    node: "binary:ads-server",
  },
  {
    code: "PS601",
    title: "IPv6 without brackets",
    spoil: ({ binary }) => void (binary.http = "::1:80"),
    pointer: "/binaries/0/http",
  },
  {
    code: "PS601",
    title: "control without a port",
    spoil: ({ binary }) => void (binary.control = "localhost"),
    pointer: "/binaries/0/control",
  },
  {
    code: "PS601",
    title: "a relative socket",
    spoil: ({ binary }) => void (binary.listen = ["unix://sock"]),
    pointer: "/binaries/0/listen/0",
  },
  {
    code: "PS602",
    title: "a scheme in upper case",
    spoil: ({ binary }) => void (binary.listen = ["TCP://127.0.0.1:1"]),
    pointer: "/binaries/0/listen/0",
  },
  {
    code: "PS602",
    title: "layers on tcp",
    spoil: ({ binary }) => void (binary.listen = ["tcp+ordered://127.0.0.1:1"]),
    pointer: "/binaries/0/listen/0",
  },
  {
    code: "PS603",
    title: "port 65536",
    spoil: ({ binary }) => void (binary.listen = ["udp://127.0.0.1:65536"]),
    pointer: "/binaries/0/listen/0",
  },
  {
    code: "PS604",
    title: "an address twice",
    spoil: ({ binary }) => {
      binary.listen = ["tcp://localhost:80"];
      binary.http = "127.0.0.1:80";
    },
    pointer: "/binaries/0/http",
  },
  {
    code: "PS605",
    title: "an address in two binaries",
    severity: "warning",
    spoil: ({ binary, document }) => {
      binary.control = "127.0.0.1:9";
      document.binaries!.push({ name: "other", control: "127.0.0.1:9" });
    },
    pointer: "/binaries/1/control",
  },
  {
    code: "PS606",
    title: "control for the whole network",
    spoil: ({ binary }) => void (binary.control = "0.0.0.0:9000"),
    pointer: "/binaries/0/control",
    node: "binary:ads-server",
    help: "127.0.0.1:PORT",
  },
  {
    code: "PS606",
    title: "control at this machine in a form that the binary does not take",
    spoil: ({ binary }) => void (binary.control = "LOCALHOST:9000"),
    pointer: "/binaries/0/control",
  },
  {
    code: "PS606",
    title: "control at another name of this machine",
    spoil: ({ binary }) => void (binary.control = "[0:0:0:0:0:0:0:1]:9000"),
    pointer: "/binaries/0/control",
  },
  {
    code: "PS610",
    title: "no such bundle",
    spoil: ({ binary }) => void binary.bundles!.push("AdBundel"),
    pointer: "/binaries/0/bundles/1",
    help: 'Did you mean "AdBundle"?',
  },
  {
    code: "PS611",
    title: "no such service in a bundle",
    spoil: ({ bundle }) => void bundle.services!.push("Gone"),
    pointer: "/bundles/0/services/4",
    node: "bundle:AdBundle",
  },
  {
    code: "PS612",
    title: "no such flow in a bundle",
    spoil: ({ bundle }) => void bundle.flows!.push("Gone"),
    pointer: "/bundles/0/flows/1",
  },
  {
    code: "PS613",
    title: "a service twice in a bundle",
    spoil: ({ bundle }) => void bundle.services!.push("GetAd"),
    pointer: "/bundles/0/services/4",
  },
  {
    code: "PS613",
    title: "a value twice in a choice",
    spoil: ({ log }) => void (log.when = ["FREE", "PAID", "FREE"]),
    pointer: "/flows/0/stages/1/when/2",
  },
  {
    code: "PS614",
    title: "a service in no bundle",
    severity: "warning",
    spoil: ({ document }) => void document.services!.push({ name: "Alone", request: "Ad" }),
    pointer: "/services/4",
    node: "service:Alone",
  },
  {
    code: "PS615",
    title: "a bundle in no binary",
    severity: "warning",
    spoil: ({ document }) => void document.bundles!.push({ name: "Alone" }),
    pointer: "/bundles/1",
  },
  {
    code: "PS616",
    title: "a flow in no bundle",
    severity: "warning",
    spoil: ({ bundle }) => void (bundle.flows = []),
    pointer: "/flows/0",
  },
  {
    code: "PS617",
    title: "a rate source in two binaries",
    severity: "warning",
    spoil: ({ document }) =>
      void document.binaries!.push({
        name: "twin",
        bundles: ["AdBundle"],
        pools: [{ name: "front", threads: [{}] }],
      }),
    pointer: "/bundles/0",
  },
  {
    code: "PS620",
    title: "a callee that no binary serves",
    spoil: ({ bundle, binary }) => {
      bundle.services = ["GetAd", "LogAd", "CountError"];
      delete binary.placement!["ProduceAd"];
    },
    pointer: "/services/0/calls/0",
    node: "service:GetAd",
  },
  {
    code: "PS620",
    title: "a callee that no binary serves, while drawing",
    severity: "warning",
    spoil: ({ document }) =>
      void document.services!.push({ name: "A", request: "Ad", calls: ["B"] }, { name: "B", request: "Ad" }),
    pointer: "/services/4/calls/0",
  },
  {
    code: "PS621",
    title: "a callee behind a binary that does not listen",
    spoil: ({ bundle, binary, document }) => {
      bundle.services = ["GetAd", "LogAd", "CountError"];
      delete binary.placement!["ProduceAd"];
      document.bundles!.push({ name: "Models", services: ["ProduceAd"] });
      document.binaries!.push({ name: "models", bundles: ["Models"] });
    },
    pointer: "/services/0/calls/0",
  },
  {
    code: "PS622",
    title: "a stage that no binary serves",
    spoil: ({ bundle }) => void (bundle.services = ["GetAd", "ProduceAd", "CountError"]),
    pointer: "/flows/0/stages/1",
    node: "stage:Impressions/log",
  },
  {
    code: "PS623",
    title: "a stage behind a binary that does not listen",
    spoil: ({ bundle, document }) => {
      bundle.services = ["GetAd", "ProduceAd", "CountError"];
      document.bundles!.push({ name: "Logs", services: ["LogAd"] });
      document.binaries!.push({ name: "logs", bundles: ["Logs"] });
    },
    pointer: "/flows/0/stages/1",
  },
  {
    code: "PS905",
    title: "listening",
    spoil: ({ binary }) => void (binary.listen = ["tcp://127.0.0.1:0"]),
    pointer: "/binaries/0/listen",
  },
  {
    code: "PS906",
    title: "http beyond this machine",
    spoil: ({ binary }) => void (binary.http = "0.0.0.0:8080"),
    pointer: "/binaries/0/http",
  },
  {
    code: "PS907",
    title: "a call to another binary",
    spoil: ({ bundle, binary, document }) => {
      bundle.services = ["GetAd", "LogAd", "CountError"];
      delete binary.placement!["ProduceAd"];
      document.bundles!.push({ name: "Models", services: ["ProduceAd"] });
      document.binaries!.push({ name: "models", bundles: ["Models"], listen: ["tcp://127.0.0.1:0"] });
    },
    pointer: "/services/0/calls/0",
  },
  {
    code: "PS908",
    title: "a stage in another binary",
    spoil: ({ bundle, document }) => {
      bundle.services = ["GetAd", "ProduceAd", "CountError"];
      document.bundles!.push({ name: "Logs", services: ["LogAd"] });
      document.binaries!.push({ name: "logs", bundles: ["Logs"], listen: ["tcp://127.0.0.1:0"] });
    },
    pointer: "/flows/0/stages/1",
  },
];
