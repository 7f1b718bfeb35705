import { quote } from "../../../diagnostics/index.js";
import { httpOf, httpPlace, isLoopback, LAST_PORT } from "../../../topology/index.js";
import { parseHostPort, parseListen, type AddressResult } from "../../rule/address.js";
import { rule, type Codes, type Place } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS601: {
    severity: "error",
    title: "Address of the wrong form",
    explanation:
      "`listen` takes `tcp://host:port`, `udp://host:port`, `tls://host:port`, layers on udp as in `udp+ordered+reliable://host:port`, `unix:///path` and `shm://name`; `http` and `control` take `host:port`. IPv6 hosts stand in brackets.",
    help: "Write the address in one of these forms.",
  },
  PS602: {
    severity: "error",
    title: "Unknown scheme or layer",
    explanation:
      "The schemes are `tcp`, `udp`, `tls`, `unix` and `shm`, in lower case; the layers `ordered`, `reliable` and `slicing`, each once, and on `udp` only.",
    help: "Use one of these.",
  },
  PS603: {
    severity: "error",
    title: "Port out of range",
    explanation: `A port is 0 (any free one) to ${LAST_PORT}.`,
    help: "Use a port in that range.",
  },
  PS604: {
    severity: "error",
    title: "Address twice in a binary",
    explanation: "Only one socket can have an address.",
    help: "Use another port, or 0 for any free one.",
  },
  PS605: {
    severity: "warning",
    title: "Address in two binaries",
    explanation: "The two binaries cannot run on one machine at the same time.",
    help: "Give one of them another port, or 0 for any free one.",
  },
  PS606: {
    severity: "error",
    title: "Control address beyond this machine",
    explanation:
      "Whoever reaches the control address can change and stop the binary, so it binds to a loopback address only: `127.0.0.1`, `[::1]` or `localhost`, in these forms.",
    help: "Use `127.0.0.1:PORT`, with port 0 for any free one; from elsewhere reach it through ssh.",
  },
} satisfies Codes;

/** Addresses have their form; none stands twice in a binary, nor (a warning) in two; `control` stays on this machine. */
export const addressesAreLegal = rule({
  name: "addressesAreLegal",
  codes: CODES,
  check({ topology, report }) {
    const everywhere = new Map<string, { at: number; name: string }>();
    for (const [at, binary] of topology.binaries.entries()) {
      const here = new Set<string>();
      const use = (place: Place, address: string, result: AddressResult): void => {
        if (!result.ok) report(result.code, ["binaries", at, ...place], result.message);
        else if (result.key !== undefined) {
          const other = everywhere.get(result.key);
          if (here.has(result.key))
            report(
              "PS604",
              ["binaries", at, ...place],
              `${quote(binary.name)} uses the address ${quote(address)} twice`,
            );
          else if (other !== undefined && other.at !== at)
            report(
              "PS605",
              ["binaries", at, ...place],
              `${quote(binary.name)} and ${quote(other.name)} both use the address ${quote(address)}`,
            );
          here.add(result.key);
          if (other === undefined) everywhere.set(result.key, { at, name: binary.name });
        }
      };
      for (const [inner, address] of binary.listen.entries())
        use(["listen", inner], address, parseListen(address));
      const { address: http } = httpOf(binary) ?? {};
      if (http !== undefined) use(httpPlace(binary), http, parseHostPort(http));
      const control = parseHostPort(binary.control);
      use(["control"], binary.control, control);
      if (control.ok && !isLoopback(binary.control))
        report(
          "PS606",
          ["binaries", at, "control"],
          `${quote(binary.name)} would take commands at ${quote(binary.control)}`,
        );
    }
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
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
];
