import { createServer, type AddressInfo, type Server } from "node:net";
import { afterEach, expect, test } from "vitest";
import { announcedTo, readAnnouncement } from "./announced.js";

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** A server that says its part to each line that it is told. */
async function scripted(
  answer: (line: string) => string | undefined,
  greets = "INFO {}\r\n",
): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write(greets);
    let told = "";
    socket.on("data", (bytes) => {
      const lines = (told + bytes.toString()).split("\r\n");
      told = lines.pop() ?? "";
      for (const line of lines) socket.write(answer(line) ?? "");
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const said = (instance: string, ...addresses: string[]): string =>
  JSON.stringify({ penstock: 1, binary: "models", instance, addresses });
const message = (to: string, payload: string): string => `MSG ${to} 1 ${payload.length}\r\n${payload}\r\n`;
const question = { project: "shop", binary: "models", env: {}, answersWithinMs: 200 };

test("those who answer are the processes that are announced", async () => {
  let asked = "";
  let secret = "";
  const server = await scripted((line) => {
    if (line.startsWith("CONNECT "))
      secret = (JSON.parse(line.slice(8)) as { auth_token: string }).auth_token;
    if (line === "PING") return "PING\r\nPONG\r\n";
    const [, subject, inbox] = /^PUB (\S+) (\S+) 0$/.exec(line) ?? [];
    if (inbox === undefined) return undefined;
    asked = subject ?? "";
    const [one, other] = ["bb", "aa"].map((pair) => pair.repeat(8));
    return [
      message(inbox, said(one!, "tls://10.0.0.5:41230", "udp+keys://10.0.0.5:41231", "udp://[::1]:1")),
      message(inbox, "{"),
      message(inbox, said(other!, "tcp://127.0.0.1:1", "tcp://[::1]:1")),
    ].join("");
  });
  const env = { PENSTOCK_NATS_TOKEN: "s3cret" };
  await expect
    .poll(() => announcedTo({ ...question, server, env }), { timeout: 300_000 })
    .toEqual([
      { instance: "aa".repeat(8), addresses: ["tcp://127.0.0.1:1", "tcp://[::1]:1"] },
      {
        instance: "bb".repeat(8),
        addresses: ["tls://10.0.0.5:41230", "udp+keys://10.0.0.5:41231", "udp://[::1]:1"],
      },
    ]);
  expect(asked).toBe("penstock.shop.models.who");
  expect(secret).toBe("s3cret");
});

test("a server that refuses, or is none, says why", async () => {
  const closed = await scripted((line) =>
    line === "PING" ? "-ERR 'Authorization Violation'\r\n" : undefined,
  );
  await expect(announcedTo({ ...question, server: closed })).rejects.toThrow(
    "refuses: -ERR 'Authorization Violation'",
  );
  const other = await scripted(() => undefined, "HTTP/1.1 400 Bad\u001b[2J\r\n");
  await expect(announcedTo({ ...question, server: other })).rejects.toThrow("refuses: HTTP/1.1 400 Bad?[2J");
  const endless = await scripted(() => undefined, "x".repeat(2_000_000));
  await expect(announcedTo({ ...question, server: endless })).rejects.toThrow("says too much");
  servers.splice(0).forEach((server) => server.close());
  await expect(announcedTo({ ...question, server: "nats://127.0.0.1:1" })).rejects.toThrow(
    "cannot be reached",
  );
});

test.each([
  ["null"],
  ["[]"],
  [JSON.stringify({ penstock: 2, binary: "models", instance: "a".repeat(16), addresses: [] })],
  [JSON.stringify({ penstock: 1, binary: "others", instance: "a".repeat(16), addresses: [] })],
  [said("../../../../etc/")],
  [said("a".repeat(16), "x".repeat(101))],
  [JSON.stringify({ penstock: 1, binary: "models", instance: "a".repeat(16), addresses: [7400] })],
  [said("a".repeat(16), ...Array<string>(17).fill("tcp://10.0.0.5:1"))],
])("%s announces no process", (json) => {
  expect(readAnnouncement(json, "models")).toBeUndefined();
});

test.each(["quic://10.0.0.5:80", "tcp://\u001b[2J:80", "tcp://10.0.0.5:80\n", "udp+ordered://10.0.0.5:80"])(
  "of an address that only a later version knows, as %j, the others are known",
  (address) => {
    expect(readAnnouncement(said("a".repeat(16), address, "tls://10.0.0.5:1"), "models")?.addresses).toEqual([
      "tls://10.0.0.5:1",
    ]);
  },
);
