import process from "node:process";
import { fileURLToPath } from "node:url";
import { callbackify } from "node:util";
import protobuf from "protobufjs";
import { Refused } from "./refused.mjs";

/** What `penstock generate` writes; where the service is somebody else's, a copy of it. */
const PROTO = process.env.PROTO ?? fileURLToPath(new URL("../generated/carving/messages.proto", import.meta.url));

/** How long an answer is waited for, in milliseconds; the service is told, and stops by then as well. */
const WITHIN_MS = Number(process.env.WITHIN_MS ?? 30_000);

/** By Twirp the method's name is the path: POST /twirp/PACKAGE.SERVICE/METHOD with the message as it is. */
async function ask(address, method, message) {
  const path = `/twirp/${method.parent.fullName.slice(1)}/${method.name}`;
  const answer = await fetch(new URL(path, address), {
    method: "POST",
    headers: { "content-type": "application/protobuf", "twirp-timeout": String(WITHIN_MS) },
    body: message,
    signal: AbortSignal.timeout(WITHIN_MS + 1000),
  }).catch((error) => {
    throw new Refused(502, `the carved service cannot be asked: ${error.cause?.message ?? error.message}`);
  });
  if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
  // An error is JSON, whatever was asked in; what is none comes from something between here and there.
  const { msg = `HTTP ${answer.status}` } = await answer.json().catch(() => ({}));
  throw new Refused(answer.status === 400 || answer.status === 429 ? answer.status : 502, msg);
}

/** The same as `count`, by the service at this address. Connections to it are kept. */
export function carvedCount(address) {
  const Carved = protobuf.loadSync(PROTO).lookupService("carving.Carved");
  const carved = Carved.create(callbackify((method, message) => ask(address, method, message)));
  return async (times) => (await carved.count({ times })).sum;
}
