import { quote } from "../../../diagnostics/index.js";
import { announcedAt, httpOf, httpPlace } from "../../../topology/index.js";
import { parseHostPort, parseListen, whyNoDoor, whyNotCalledAt } from "../../rule/address.js";
import { rule, type Codes } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS905: {
    severity: "error",
    title: "Address at which nobody can be called yet",
    explanation:
      "In this version a binary listens over TCP or UDP, at an address of one host (127.0.0.1, 10.0.0.5, [2001:db8::5]) or by its name, with a port from 1 on; with `discovery` at all addresses of its host as well (0.0.0.0, [::]), and where that is `nats://` at port 0, any that is free. Over UDP (`udp://10.0.0.5:7400`) the layers that calls need are there by themselves: write none. Beyond loopback, and with `tls://`, it speaks TLS with the keys of `penstock keys`, and datagrams are sealed with what both ends make of them. Binaries of one host find each other without an address.",
    help: "Use `tcp://HOST:PORT` or `udp://HOST:PORT` with the name of the host or the number of its address; or remove the address, and start the binaries on one host.",
  },
  PS906: {
    severity: "error",
    title: "HTTP at an address that cannot be listened at yet",
    explanation:
      "In this version a binary takes HTTP at a loopback address (127.0.0.1, [::1] or localhost), at all addresses of its host (0.0.0.0, [::]) or at the number of one of them (10.0.0.5, [2001:db8::5]), and not at a name.",
    help: "Use `0.0.0.0:PORT`, or the number of an address of its host.",
  },
} satisfies Codes;

/** A binary is called only where it can listen. */
export const binariesAreAlone = rule({
  name: "binariesAreAlone",
  codes: CODES,
  check({ topology, report }) {
    for (const [at, binary] of topology.binaries.entries()) {
      const { name, listen } = binary;
      const { address: http } = httpOf(binary) ?? {};
      const foundBy =
        announcedAt(binary) !== undefined
          ? "announcement"
          : binary.discovery !== undefined
            ? "file"
            : "address";
      for (const [inner, address] of listen.entries()) {
        const why = parseListen(address).ok ? whyNotCalledAt(address, foundBy) : undefined;
        if (why !== undefined)
          report(
            "PS905",
            ["binaries", at, "listen", inner],
            `The binary ${quote(name)} cannot be called at ${quote(address)}: ${why}`,
          );
      }
      const whyShut = http !== undefined && parseHostPort(http).ok ? whyNoDoor(http) : undefined;
      if (whyShut !== undefined)
        report(
          "PS906",
          ["binaries", at, ...httpPlace(binary)],
          `The binary ${quote(name)} cannot take HTTP at ${quote(http!)}: ${whyShut}`,
        );
    }
  },
});

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS905",
    title: "listening at any port",
    spoil: ({ binary }) => void (binary.listen = ["tcp://127.0.0.1:0"]),
    pointer: "/binaries/0/listen/0",
  },
  {
    code: "PS905",
    title: "listening at any port that a file does not know",
    spoil: ({ binary }) => {
      binary.listen = ["tcp://0.0.0.0:0"];
      binary.discovery = "file:run/peers.json";
    },
    pointer: "/binaries/0/listen/0",
  },
  {
    code: "PS905",
    title: "listening at all addresses of a host",
    spoil: ({ binary }) => void (binary.listen = ["tcp://127.0.0.1:7400", "tcp://0.0.0.0:7401"]),
    pointer: "/binaries/0/listen/1",
  },
  {
    code: "PS905",
    title: "listening at all addresses of a host, as IPv6 has it",
    spoil: ({ binary }) => void (binary.listen = ["tcp://[::]:7401"]),
    pointer: "/binaries/0/listen/0",
  },
  {
    code: "PS905",
    title: "listening at all addresses of IPv4, as IPv6 has them",
    spoil: ({ binary }) => void (binary.listen = ["tls://[::ffff:0.0.0.0]:7401"]),
    pointer: "/binaries/0/listen/0",
  },
  {
    code: "PS905",
    title: "listening at an address of a single link",
    spoil: ({ binary }) => void (binary.listen = ["tls://[fe80::1]:7401"]),
    pointer: "/binaries/0/listen/0",
  },
  {
    code: "PS905",
    title: "listening at a group of hosts",
    spoil: ({ binary }) => void (binary.listen = ["tls://239.1.2.3:7401"]),
    pointer: "/binaries/0/listen/0",
  },
  {
    code: "PS905",
    title: "layers on udp, over which calls are reliable anyway",
    spoil: ({ binary }) => void (binary.listen = ["udp+ordered://127.0.0.1:7400"]),
    pointer: "/binaries/0/listen/0",
  },
  {
    code: "PS905",
    title: "layers on udp by the name of its host",
    spoil: ({ binary }) => void (binary.listen = ["udp+reliable://models.example:7400"]),
    pointer: "/binaries/0/listen/0",
    help: "udp://HOST:PORT",
  },
  {
    code: "PS905",
    title: "listening over udp at all addresses of a host, where nothing says which",
    spoil: ({ binary }) => void (binary.listen = ["udp://0.0.0.0:7400"]),
    pointer: "/binaries/0/listen/0",
  },
  {
    code: "PS905",
    title: "listening over udp at any port that a file does not know",
    spoil: ({ binary }) => {
      binary.listen = ["udp://127.0.0.1:0"];
      binary.discovery = "file:peers.json";
    },
    pointer: "/binaries/0/listen/0",
  },
  {
    code: "PS906",
    title: "http at a name",
    spoil: ({ binary }) => void (binary.http = { address: "ads.example:8080", auth: "bearer", tls: "keys" }),
    pointer: "/binaries/0/http/address",
  },
  {
    code: "PS906",
    title: "http at a group of hosts",
    spoil: ({ binary }) =>
      void (binary.http = { address: "239.1.2.3:8080", auth: "none", tls: "keys", accepted: "a test" }),
    pointer: "/binaries/0/http/address",
  },
];
