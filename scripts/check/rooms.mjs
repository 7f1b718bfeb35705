import { designerRooms } from "./designer-rooms.mjs";

/**
 * The plan of the house as data: which room may import which. A room is found by the longest
 * folder first. `testsMay` is what a room's tests may use on top; a room with a `face` is imported
 * through its index only.
 */
/** What is said of a drawing, from the ground up. */
const DRAWING = ["diagnostics", "text", "json", "settings", "sources", "topology", "manifests", "rename"];
const MODEL = [...DRAWING, "validate", "catalogue"];
/** What the browser has of codegen: its package.json gives the same. */
const FOR_BROWSER = [...DRAWING, "validate", "contract", "imports", "arrange", "flame"];
const PURE = [...FOR_BROWSER, "catalogue", "plan"];
/**
 * Stages are handed what others made by the pipeline, as values; `render` knows the plan by its types. Beside it, three
 * stand on another: benchmarks are built before they run (bench, on build), and who watches or loads a running binary
 * does so by its live connection (run and load, on live).
 */
const STAGES =
  "What another stage made is handed over as a value by codegen/src/pipeline.ts, or belongs in a room below both.";
const ALL_STAGES = [
  "installation",
  "pipeline",
  "projectNodes",
  "nodes",
  "plan",
  "render",
  "disk",
  "write",
  "process",
  "workspace",
  "build",
  "bench",
  "run",
  "live",
  "load",
  "profile",
  ...FOR_BROWSER,
  "catalogue",
];

const codegenRoom = (name, may, instead = STAGES) => ({
  name,
  at: MODEL.includes(name) ? `codegen/src/model/${name}` : `codegen/src/${name}`,
  may,
  instead,
  pure: PURE.includes(name),
  face: true,
  testsMay: ALL_STAGES,
});

/** What server and command line both compose. */
const OF_BOTH = [
  "pipeline",
  "projectNodes",
  "build",
  "bench",
  "run",
  "live",
  "load",
  "profile",
  "disk",
  "process",
  "workspace",
  "diagnostics",
  "topology",
  "validate",
  "contract",
  "imports",
  "arrange",
];

export const ROOMS = [
  codegenRoom("diagnostics", []),
  codegenRoom("text", []),
  codegenRoom("json", ["text", "diagnostics"]),
  codegenRoom("settings", []),
  codegenRoom("sources", ["settings"]),
  codegenRoom("topology", ["text", "json", "diagnostics", "settings", "sources"]),
  codegenRoom("manifests", ["topology", "settings"]),
  codegenRoom("rename", ["topology", "manifests"]),
  codegenRoom("validate", ["diagnostics", "text", "settings", "sources", "topology", "manifests"]),
  codegenRoom("catalogue", ["diagnostics", "validate"]),
  codegenRoom("installation", [], "It says where things lie, and knows none of them."),
  codegenRoom("nodes", [
    "installation",
    "diagnostics",
    "json",
    "settings",
    "sources",
    "manifests",
    "validate",
  ]),
  codegenRoom("plan", ["diagnostics", "text", "settings", "sources", "topology", "manifests"]),
  codegenRoom("contract", ["diagnostics", "sources", "topology", "manifests"]),
  codegenRoom("imports", ["diagnostics", "text", "topology", "validate"]),
  codegenRoom("arrange", ["topology", "contract"]),
  codegenRoom("flame", ["contract"]),
  codegenRoom("render", ["installation", "plan", "text", "topology"]),
  codegenRoom("disk", ["process", "diagnostics"], "Below all that touch folders which others write to."),
  codegenRoom("write", ["disk", "diagnostics"]),
  codegenRoom("process", [], "Processes know nothing of projects."),
  codegenRoom("workspace", ["disk", "process", "diagnostics", "topology", "contract"]),
  codegenRoom("build", ["installation", "disk", "process", "diagnostics", "topology", "contract"]),
  codegenRoom("bench", ["build", "disk", "process", "diagnostics", "topology", "contract"]),
  codegenRoom("run", ["live", "disk", "process", "diagnostics", "topology", "contract"]),
  codegenRoom("live", ["contract"]),
  codegenRoom("load", ["live", "disk", "diagnostics", "contract"]),
  codegenRoom("profile", ["disk", "process", "diagnostics", "topology", "contract"]),
  {
    ...codegenRoom("pipeline", [
      "installation",
      "projectNodes",
      "nodes",
      "plan",
      "render",
      "disk",
      "write",
      "workspace",
      "diagnostics",
      "topology",
      "validate",
    ]),
    at: "codegen/src/pipeline.ts",
  },
  { ...codegenRoom("projectNodes", ["nodes", "disk"]), at: "codegen/src/projectNodes.ts" },
  codegenRoom("server", OF_BOTH, "What both server and command line need belongs below them."),
  codegenRoom(
    "cli",
    [...OF_BOTH, "server", "installation", "flame", "text"],
    "Verbs call the pipeline, build, bench, run, live, load, profile, the workspace and the server.",
  ),
  // The browser gets codegen's pure rooms; for the rest it asks the server.
  ...designerRooms(FOR_BROWSER),
  {
    name: "e2e",
    at: "e2e",
    may: ["contract", "sources", "topology"],
    instead: "Drive the product from outside.",
    pure: false,
    testsMay: [],
  },
];

/** Lower rooms never include higher ones. */
const base = ["base"];
const concurrent = [...base, "concurrent"];
const mailbox = [...concurrent, "mailbox", "metrics"];
const exec = [...mailbox, "exec"];
const call = [...exec, "call"];
const flow = [...call, "flow"];
const http = ["base", "json", "http"];
const control = [...flow, ...http, "config", "control"];

export const CPP_ROOMS = {
  base: [],
  error: base,
  version: [],
  json: base,
  config: ["base", "json"],
  metrics: base,
  concurrent: base,
  mailbox: concurrent,
  exec: mailbox,
  call: exec,
  message: ["error", "json"],
  codec: ["base", "json", "message"],
  flow: [...call, "json", "codec", "message"],
  service: [...flow, "error", "message", "version"],
  http: ["base", "json"],
  control: [...flow, ...http, "config"],
  edge: [...flow, ...http, "codec", "net"],
  // Links to other binaries.
  net: [...flow, "codec", "json", "message", "version"],
  app: [...control, "codec", "edge", "net", "service", "version"],
  // What generated handlers of standard nodes are written with.
  nodes: ["base"],
  sql: ["base", "error"],
  sqlite: [...call, "sql", "error"],
  mariadb: [...call, "sql", "error"],
  http_client: [...call, ...http, "error"],
  // What secures links to other hosts.
  tls: ["net", "base", "error", "http"],
};

/** The rooms that have headers at the top, and which: the rest of a room is seen through them. */
export const PUBLIC_ROOMS = {
  "message.hpp": "message",
  "codec.hpp": "codec",
  "json_codec.hpp": "codec",
  "service.hpp": "service",
  "source.hpp": "service",
  "app.hpp": "app",
  "net.hpp": "app",
  "testing.hpp": "app",
  "sqlite.hpp": "sqlite",
  "mariadb.hpp": "mariadb",
  "http_client.hpp": "http_client",
  "tls.hpp": "tls",
  "error.hpp": "error",
  "version.hpp": "version",
};

/** What generated and user code includes; `error.hpp` comes with the others. */
export const PUBLIC_HEADERS = Object.keys(PUBLIC_ROOMS).filter((header) => header !== "error.hpp");

/** All of its headers are public, too: each handler of a standard node includes what it needs. */
export const PUBLIC_FOLDER = "nodes/";
