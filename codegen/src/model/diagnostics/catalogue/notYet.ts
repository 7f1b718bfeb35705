import type { CatalogueEntry } from "./entry.js";

/** 9xx: known to the format, not yet to the runtime; errors at generation only. */
export const NOT_YET = {
  PS905: {
    severity: "error",
    title: "Listening cannot run yet",
    explanation: "This version has no network between binaries.",
    help: "Remove `listen`, and serve everything from one binary.",
  },
  PS906: {
    severity: "error",
    title: "HTTP beyond this machine cannot run yet",
    explanation:
      "This version takes HTTP requests without TLS, so it binds to a loopback address only (127.0.0.1, [::1] or localhost).",
    help: "Use `127.0.0.1:PORT`; a proxy with TLS in front of it can take requests from elsewhere.",
  },
  PS907: {
    severity: "error",
    title: "Calls between binaries cannot run yet",
    explanation: "This version runs calls within one binary.",
    help: "Put a bundle with the service into the calling binary.",
  },
  PS908: {
    severity: "error",
    title: "Stages in other binaries cannot run yet",
    explanation: "This version runs a flow within one binary.",
    help: "Put a bundle with the service into the binary that serves the flow.",
  },
} as const satisfies Record<string, CatalogueEntry>;
