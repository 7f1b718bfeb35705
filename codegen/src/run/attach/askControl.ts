import { request } from "node:http";
import { liveSchemaSchema, type LiveSchema } from "../../contract/index.js";
import type { LiveAddress } from "../../live/index.js";

/** What came of asking at a control address who runs there. */
export type ControlAnswer =
  | { kind: "binary"; schema: LiveSchema }
  /** Nobody took the connection, or said anything on it. */
  | { kind: "silent"; reason: string }
  /** Answered with another status than 200. */
  | { kind: "refused"; status: number }
  /** Answered with something that no Penstock binary says. */
  | { kind: "other" };

/** The names of a drawing of a thousand nodes take a tenth of it. */
const MOST_BYTES = 4 * 1024 * 1024;

function readSchema(text: string): ControlAnswer {
  try {
    return { kind: "binary", schema: liveSchemaSchema.parse(JSON.parse(text)) };
  } catch {
    return { kind: "other" };
  }
}

/** Words for why a connection came to nothing. */
function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === "ECONNREFUSED") return "connection refused";
  if (error.name === "AbortError" || error.name === "TimeoutError") return "no answer in time";
  return error.code === "ECONNRESET" ? "the connection was closed" : error.message;
}

/** Asks a control address once who runs there, and waits `withinMs` at most. */
export function askControl({ control, host, token }: LiveAddress, withinMs: number): Promise<ControlAnswer> {
  return new Promise((resolve) => {
    const asked = request(`http://${control}/topology`, {
      agent: false,
      headers: { Authorization: `Bearer ${token}`, Host: host ?? control },
      signal: AbortSignal.timeout(withinMs),
    });
    asked.on("error", (error: NodeJS.ErrnoException) =>
      resolve(
        // What is no HTTP does not parse.
        error.code?.startsWith("HPE_") ? { kind: "other" } : { kind: "silent", reason: reasonOf(error) },
      ),
    );
    // Node ends a connection that goes over to another protocol, and says neither an answer nor an error.
    asked.on("upgrade", ({ statusCode: status = 0 }, socket) => {
      socket.destroy();
      resolve({ kind: "refused", status });
    });
    asked.on("response", (response) => {
      const { statusCode: status = 0 } = response;
      if (status !== 200) {
        asked.destroy();
        return resolve({ kind: "refused", status });
      }
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on("data", (part: Buffer) => {
        bytes += part.length;
        if (bytes <= MOST_BYTES) return void parts.push(part);
        asked.destroy();
        resolve({ kind: "other" });
      });
      response.on("error", (error) => resolve({ kind: "silent", reason: reasonOf(error) }));
      response.on("end", () => resolve(readSchema(Buffer.concat(parts).toString("utf8"))));
    });
    asked.end();
  });
}
