import type { ServerResponse } from "node:http";

/** Aborted when who asked is gone before the answer is out. */
export function whileAwaited(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}
