import { createSocket } from "node:dgram";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { listeningAt, readAddress } from "./serviceAddress.js";

const wireName = "Shop/Price";

test.each([
  ["tcp://127.0.0.1:7400/Shop/Price", "tcp://127.0.0.1:7400"],
  ["tls://models.example:7400/Shop/Price", "tls://models.example:7400"],
  ["tcp+tls://10.0.0.5:7400/Shop/Price", "tls://10.0.0.5:7400"],
  ["udp://[::1]:7400/Shop/Price", "udp://[::1]:7400"],
  ["udp+keys://127.0.0.1:7400/Shop/Price", "udp+keys://127.0.0.1:7400"],
  ["local://shop/Shop/Price", "local://shop"],
  ["binary://shop/Shop/Price", "binary://shop"],
])("%s is an address of a service", (target, at) => {
  expect(readAddress(target)).toEqual({ at, wireName });
});

test.each([
  "udp+tls://127.0.0.1:7400/Shop/Price",
  "xudp+keys://127.0.0.1:7400/Shop/Price",
  "udp+keys://127.0.0.1/Shop/Price",
  "tcp://127.0.0.1:7400/Price",
])("%s is none", (target) => {
  expect(() => readAddress(target)).toThrow("is no address of a service");
});

test("a name in a binary is none either", () => {
  expect(readAddress("shop/Price")).toBeUndefined();
});

test("who listens at all addresses is found by one of them, however it is spoken to", async () => {
  const state = await mkdtemp(join(tmpdir(), "penstock-address-"));
  vi.stubEnv("XDG_STATE_HOME", state);
  const socket = createSocket("udp4");
  onTestFinished(async () => {
    socket.close();
    await rm(state, { recursive: true });
  });
  await new Promise<void>((resolve) => socket.bind(0, "0.0.0.0", resolve));
  const { port } = socket.address();
  for (const scheme of ["udp", "udp+keys"]) {
    const at = `${scheme}://127.0.0.1:${port}`;
    await expect(listeningAt(at, undefined)).rejects.toThrow(
      `what listens at ${at} is no process that Penstock runs here`,
    );
  }
  await expect(listeningAt("tcp://127.0.0.1:1", undefined)).rejects.toThrow("nobody listens at");
});
