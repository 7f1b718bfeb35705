import type { ServerResponse } from "node:http";

/**
 * Headers of every answer. Styles may be inline because React Flow and CodeMirror set them so;
 * scripts may not. `host` has been checked by the guard, or is a fixed text.
 */
export function setSecurityHeaders(response: ServerResponse, host: string | undefined): void {
  const sockets = host === undefined ? "" : ` ws://${host}`;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `connect-src 'self'${sockets}`,
    "worker-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  response.setHeader("Content-Security-Policy", policy.join("; "));
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("X-Frame-Options", "DENY");
  response.setHeader("Referrer-Policy", "no-referrer");
  response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  response.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
}
