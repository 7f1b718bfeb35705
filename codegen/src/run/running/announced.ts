import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { randomBytes } from "node:crypto";
import { announcementSchema, isAnnouncedAddress } from "../../contract/index.js";

/** A process that says where it listens (runtime-cpp/penstock/net/nats/announcement.hpp). */
export interface Announced {
  instance: string;
  /** Those that this version knows. */
  addresses: string[];
}

/** Who is asked, of which project's binary, and how long those have to answer. */
interface Question {
  server: string;
  project: string;
  binary: string;
  env?: NodeJS.ProcessEnv;
  answersWithinMs?: number;
}

const MOST_BYTES = 1 << 20;
const LETS_IN_WITHIN_MS = 5000;

/** A variable's value, or the first line of the file that it names with `_FILE` behind it, as binaries read them. */
async function secretOf(env: NodeJS.ProcessEnv, name: string): Promise<string | undefined> {
  const file = env[`${name}_FILE`];
  return file === undefined ? env[name] : (await readFile(file, "utf8")).split("\n")[0];
}

/** What a process says of itself; undefined: it is something else. */
export function readAnnouncement(json: string, binary: string): Announced | undefined {
  let said: unknown;
  try {
    said = JSON.parse(json);
  } catch {
    return undefined;
  }
  const { data } = announcementSchema.safeParse(said);
  if (data?.binary !== binary) return undefined;
  return { instance: data.instance, addresses: data.addresses.filter(isAnnouncedAddress) };
}

/** The processes of a binary that a NATS server knows of. Rejects with the reason where it cannot be asked. */
export async function announcedTo(question: Question): Promise<Announced[]> {
  const { server, project, binary, env = process.env, answersWithinMs = 500 } = question;
  const [, host = "", port = ""] = /^nats:\/\/(.*):(\d+)$/.exec(server) ?? [];
  const about = {
    verbose: false,
    pedantic: false,
    tls_required: false,
    name: "penstock resolve",
    lang: "penstock",
    version: "1",
    headers: false,
    user: env["PENSTOCK_NATS_USER"],
    pass: await secretOf(env, "PENSTOCK_NATS_PASSWORD"),
    auth_token: await secretOf(env, "PENSTOCK_NATS_TOKEN"),
  };
  const inbox = `_INBOX.${randomBytes(16).toString("hex")}`;
  const socket = connect(Number(port), host.replace(/^\[(.*)\]$/, "$1"));
  const found = new Map<string, Announced>();
  try {
    await new Promise<void>((resolve, reject) => {
      const refuse = (reason: string): void => reject(new Error(`${server} ${reason}`));
      let timer = setTimeout(() => refuse("did not let us in in time"), LETS_IN_WITHIN_MS);
      socket.once("close", () => clearTimeout(timer));
      socket.once("error", ({ message }) => refuse(`cannot be reached: ${message}`));
      socket.once("end", () => refuse("has ended the connection"));
      listen(socket, {
        info: () => socket.write(`CONNECT ${JSON.stringify(about)}\r\nPING\r\n`),
        pong: () => {
          socket.write(`SUB ${inbox} 1\r\nPUB penstock.${project}.${binary}.who ${inbox} 0\r\n\r\n`);
          clearTimeout(timer);
          timer = setTimeout(resolve, answersWithinMs);
        },
        message: (payload) => {
          const said = readAnnouncement(payload, binary);
          if (said !== undefined) found.set(said.instance, said);
        },
        refused: refuse,
      });
    });
  } finally {
    socket.destroy();
  }
  return [...found.values()].sort((a, b) => (a.instance < b.instance ? -1 : 1));
}

interface Heard {
  info: () => void;
  pong: () => void;
  message: (payload: string) => void;
  refused: (why: string) => void;
}

/** Takes apart what the server says: lines, and payloads behind those of messages. */
function listen(socket: Socket, heard: Heard): void {
  let kept = Buffer.alloc(0);
  let all = 0;
  socket.on("data", (bytes: Buffer) => {
    all += bytes.length;
    if (all > MOST_BYTES) return heard.refused("says too much");
    kept = Buffer.concat([kept, bytes]);
    for (let end = kept.indexOf("\r\n"); end >= 0; end = kept.indexOf("\r\n")) {
      const line = kept.toString("latin1", 0, end);
      const [, size] = /^MSG \S+ \S+ (?:\S+ )?(\d{1,9})$/.exec(line) ?? [];
      const payload = size === undefined ? 0 : Number(size) + 2;
      if (kept.length < end + 2 + payload) return;
      if (size !== undefined) heard.message(kept.toString("utf8", end + 2, end + payload));
      else if (line.startsWith("INFO ")) heard.info();
      else if (line === "PONG") heard.pong();
      else if (line === "PING") socket.write("PONG\r\n");
      else if (line !== "+OK") return heard.refused(`refuses: ${line.replace(/[^ -~]/g, "?").slice(0, 200)}`);
      kept = kept.subarray(end + 2 + payload);
    }
  });
}
