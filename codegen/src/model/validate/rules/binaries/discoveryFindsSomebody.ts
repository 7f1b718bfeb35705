import { quote } from "../../../diagnostics/index.js";
import { discoveryFileOf } from "../../../topology/index.js";
import { whyNoServer } from "../../rule/address.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS627: {
    severity: "error",
    title: "Discovery that finds nobody",
    explanation:
      "`discovery` is `file:PATH`, a JSON file that lists the addresses of a binary's processes, or `nats://HOST:PORT`, a NATS server that they announce them at. They have some only where the binary has a `listen`.",
    help: "Write `file:run/peers.json` or `nats://127.0.0.1:4222` and draw `listen`; or remove it: binaries of one host find each other without. The name of a host in `listen` finds all of its addresses.",
  },
} satisfies Codes;

const LONGEST_PATH = 1000;
/** A file has a name, which ends with no slash. */
const SOUND_PATH = /^\P{Cc}*[^/\p{Cc}]$/u;

const whyNobodySays = (discovery: string, file: string | undefined): string | undefined => {
  if (file !== undefined)
    return SOUND_PATH.test(file) && file.length <= LONGEST_PATH ? undefined : "it names no file";
  return discovery.startsWith("nats:") ? whyNoServer(discovery) : "it is no file: and no nats://";
};

/** What says where a binary is names a file or a server, and is about one that listens. */
export const discoveryFindsSomebody = rule({
  name: "discoveryFindsSomebody",
  codes: CODES,
  check({ topology, report }) {
    for (const [at, binary] of topology.binaries.entries()) {
      const { name, discovery, listen } = binary;
      if (discovery === undefined) continue;
      const place = ["binaries", at, "discovery"];
      const why = whyNobodySays(discovery, discoveryFileOf(binary));
      if (why !== undefined)
        report("PS627", place, `The discovery ${quote(discovery)} of ${quote(name)} finds nobody: ${why}`);
      else if (listen.length === 0)
        report("PS627", place, `The binary ${quote(name)} is looked for elsewhere and listens at no address`);
    }
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS627",
    title: "discovery by nothing that is there",
    spoil: ({ binary }) => {
      binary.listen = ["tcp://127.0.0.1:7400"];
      binary.discovery = "etcd://127.0.0.1:2379";
    },
    pointer: "/binaries/0/discovery",
  },
  ...[
    "nats:",
    "nats://",
    "nats://127.0.0.1",
    "nats://127.0.0.1:0",
    "nats://0.0.0.0:4222",
    "nats://a:b@nats:4222",
  ].map((discovery): BadExample<keyof typeof CODES> => ({
    code: "PS627",
    title: `discovery by no server, ${discovery}`,
    spoil: ({ binary }) => {
      binary.listen = ["tcp://127.0.0.1:7400"];
      binary.discovery = discovery;
    },
    pointer: "/binaries/0/discovery",
  })),
  {
    code: "PS627",
    title: "discovery in a folder",
    spoil: ({ binary }) => {
      binary.listen = ["tcp://127.0.0.1:7400"];
      binary.discovery = "file:run/";
    },
    pointer: "/binaries/0/discovery",
  },
  {
    code: "PS627",
    title: "discovery of a binary that listens nowhere",
    spoil: ({ binary }) => void (binary.discovery = "file:run/peers.json"),
    pointer: "/binaries/0/discovery",
  },
];
