import type { CatalogueEntry } from "./entry.js";

/** 6xx: bundles, binaries and addresses. */
export const BINARIES = {
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
    explanation: "A port is 0 (any free one) to 65535.",
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
  PS610: {
    severity: "error",
    title: "Unknown bundle",
    explanation: "A binary serves bundles of this topology.",
    help: "Correct the name, or add the bundle.",
  },
  PS611: {
    severity: "error",
    title: "Unknown service in a bundle",
    explanation: "A bundle holds services of this topology.",
    help: "Correct the name, or add the service.",
  },
  PS612: {
    severity: "error",
    title: "Unknown flow in a bundle",
    explanation: "A bundle holds flows of this topology.",
    help: "Correct the name, or add the flow.",
  },
  PS613: {
    severity: "error",
    title: "Named twice in a list",
    explanation: "Naming a thing twice in one list says nothing more than naming it once.",
    help: "Remove one of the two.",
  },
  PS614: {
    severity: "warning",
    title: "Service in no bundle",
    explanation: "No binary can serve a service that is in no bundle.",
    help: "Put it into a bundle.",
  },
  PS615: {
    severity: "warning",
    title: "Bundle in no binary",
    explanation: "Nothing runs what is in the bundle.",
    help: "Put it into a binary.",
  },
  PS616: {
    severity: "warning",
    title: "Flow in no bundle",
    explanation: "Nothing runs the flow.",
    help: "Put it into a bundle.",
  },
  PS617: {
    severity: "warning",
    title: "Source runs twice",
    explanation: "A `rate` or `file` source in two binaries makes every event twice.",
    help: "Put the bundle into one binary.",
  },
  PS620: {
    severity: "error",
    title: "Callee served nowhere",
    explanation:
      "A binary serves the caller, but none serves the service it calls (or, while the caller is served nowhere either, a warning).",
    help: "Put the service into a bundle of a binary.",
  },
  PS621: {
    severity: "error",
    title: "Callee out of reach",
    explanation: "Only other binaries serve the service called, and none of them has a `listen` address.",
    help: "Give one of them a `listen` address, or put the service into a bundle of the calling binary.",
  },
  PS622: {
    severity: "error",
    title: "Stage served nowhere",
    explanation:
      "A binary serves the flow, but none serves the service of this stage (or, while the flow is served nowhere either, a warning).",
    help: "Put the service into a bundle of a binary.",
  },
  PS623: {
    severity: "error",
    title: "Stage out of reach",
    explanation:
      "Only other binaries serve the service of the stage, and none of them has a `listen` address.",
    help: "Give one of them a `listen` address, or put the service into a bundle of the binary that serves the flow.",
  },
} as const satisfies Record<string, CatalogueEntry>;
