import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";

/**
 * A port of this machine's own address that the system gives to nobody until it is let go: one end of a connection of ours is
 * bound to it. Who asks for it by its number can listen on it all the same, and again after that.
 */
export async function holdPort(): Promise<{ port: number; release: () => void }> {
  const other = createServer((end) => end.on("error", () => undefined));
  other.listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const held = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.1" });
  await once(held, "connect");
  held.on("error", () => undefined);
  return {
    port: held.localPort!,
    release: () => {
      held.destroy();
      other.close();
    },
  };
}
