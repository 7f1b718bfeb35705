import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { whileAwaited } from "./whileAwaited.js";

test("should say that who asked is gone, and not that an answer was taken", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const ask = () => {
    const asked = request({ host: "127.0.0.1", port, agent: false }).on("error", () => undefined);
    asked.end();
    return asked;
  };
  try {
    const [left, [, unanswered]] = [ask(), await once(server, "request")];
    const signal = whileAwaited(unanswered);
    expect(signal.aborted).toBe(false);
    const aborted = once(signal, "abort");
    left.destroy();
    await aborted;

    const [waits, [, answered]] = [ask(), await once(server, "request")];
    const other = whileAwaited(answered);
    const closed = once(answered, "close");
    answered.end("done");
    const [taken] = await once(waits, "response");
    taken.resume();
    await closed;
    expect(other.aborted).toBe(false);
  } finally {
    server.close();
  }
});
