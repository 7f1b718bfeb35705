import { quote } from "../../../diagnostics/index.js";
import { discoveryFileOf } from "../../../topology/index.js";
import { rule, type Codes } from "../../rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS627: {
    severity: "error",
    title: "Discovery that finds nobody",
    explanation:
      "`discovery` is `file:PATH`: a JSON file that lists the addresses of a binary's processes. They have some only where the binary has a `listen`.",
    help: "Write `file:run/peers.json` and draw `listen`; or remove it: binaries of one host find each other without. The name of a host in `listen` finds all of its addresses.",
  },
} satisfies Codes;

const LONGEST_PATH = 1000;
/** A file has a name, which ends with no slash. */
const SOUND_PATH = /^\P{Cc}*[^/\p{Cc}]$/u;

/** What says where a binary is names a file, and is about one that listens. */
export const discoveryFindsSomebody = rule({
  name: "discoveryFindsSomebody",
  codes: CODES,
  check({ topology, report }) {
    for (const [at, binary] of topology.binaries.entries()) {
      const { name, discovery, listen } = binary;
      if (discovery === undefined) continue;
      const file = discoveryFileOf(binary);
      const place = ["binaries", at, "discovery"];
      if (file === undefined || !SOUND_PATH.test(file) || file.length > LONGEST_PATH)
        report("PS627", place, `The discovery ${quote(discovery)} of ${quote(name)} names no file`);
      else if (listen.length === 0)
        report("PS627", place, `The binary ${quote(name)} is looked for in a file and listens at no address`);
    }
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS627",
    title: "discovery that is no file",
    spoil: ({ binary }) => {
      binary.listen = ["tcp://127.0.0.1:7400"];
      binary.discovery = "nats://127.0.0.1:4222";
    },
    pointer: "/binaries/0/discovery",
  },
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
