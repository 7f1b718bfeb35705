import { text } from "node:stream/consumers";
import { suggest } from "../../model/diagnostics/index.js";
import { CALL_GRACE_MS, callService, CommandRefused } from "../../live/index.js";
import { SERVICE_CALL_LIMITS, type LiveSchema, type ServiceCallEnd } from "../../contract/index.js";
import { wholeNumber } from "../verb/arguments.js";
import { askBinary } from "../binaries/askBinary.js";
import type { Command } from "../verb/command.js";
import { EXIT } from "../verb/exitCode.js";
import { Failure, usageFailure } from "../verb/failure.js";
import { patiently } from "../verb/patience.js";
import { readBinary } from "../binaries/loadTarget.js";
import { listeningAt, nameThere, readAddress } from "../binaries/serviceAddress.js";

/** `ads-server/GetAd`; `shop/Shop/Prices` of what `shop` publishes. */
function readTarget(target: string): { binary: string; service: string } {
  const [, binary, service] = /^([^/]+)\/([^/]+(?:\/[^/]+)?)$/.exec(target) ?? [];
  if (binary === undefined || service === undefined) {
    throw usageFailure(
      `${JSON.stringify(target)} names no service`,
      "It is a running binary and one of its services, ads-server/GetAd, or the address of one, tcp://127.0.0.1:7400/Ads/GetAd.",
    );
  }
  return { binary, service };
}

function requireService(service: string, { binary, services }: LiveSchema): void {
  // Whether it is published the binary knows.
  if (service.includes("/")) return;
  const names = services.map(({ name }) => name);
  if (names.includes(service)) return;
  const near = suggest(service, names);
  const help = near === undefined ? `It has ${names.join(", ")}.` : `Did you mean ${binary}/${near}?`;
  throw new Failure(EXIT.usage, "PS757", `${binary} has no service ${service}`, help);
}

/** A request that is no such message is wrong usage; anything else that the binary refused is its own word. */
const failureOf = (error: CommandRefused): Failure =>
  new Failure(
    error.data?.code === "PS758" ? EXIT.usage : EXIT.failed,
    error.data?.code ?? "PS994",
    error.message,
    error.data?.help ?? "Look at the log of the binary.",
  );

const words = (end: ServiceCallEnd): string =>
  `${"error" in end ? `${end.error.code}: ${end.error.message}` : "answered"} after ${end.tookMs.toFixed(1)} ms`;

/** `penstock call`: asks one service of a running binary and prints its answer. */
export const command: Command = {
  usage: "BINARY/SERVICE|ADDRESS JSON|- [--deadline MS] [--project DIR]",
  doc: "Asks one service of a running binary and prints its answer as JSON; - reads the request from stdin. An address is\ntcp://HOST:PORT/BUNDLE/SERVICE, where a process of this host listens, or binary://BINARY/BUNDLE/SERVICE.\nAn error of the service ends with 1.",
  positionals: { min: 2, max: 2 },
  options: {
    deadline: { type: "string", value: "MS", doc: "how long the answer may take (10000)" },
    project: { type: "string", value: "DIR", doc: "the project, where several run a binary of that name" },
  },
  examples: [
    `penstock call ads-server/GetAd '{"site": "news.example"}'`,
    "penstock call ads-server/GetAd - < request.json",
    "penstock call tcp://127.0.0.1:7400/Ads/GetAd '{}'",
  ],
  async run({ positionals: [target = "", given = ""], value, output }) {
    const address = readAddress(target);
    const named = address === undefined ? readTarget(target) : undefined;
    const deadline = value("deadline");
    const deadlineMs =
      deadline === undefined
        ? {}
        : { deadlineMs: wholeNumber(deadline, "the deadline", 1, SERVICE_CALL_LIMITS.deadlineMs) };
    const running =
      named === undefined
        ? await listeningAt(address?.at ?? "", value("project"))
        : await readBinary(
            named.binary,
            value("project"),
            "tcp://, tls://, udp://, udp+keys:// or binary://",
          );
    const binary = named?.binary ?? running.binary;
    let service = named?.service ?? "";
    const request = given === "-" ? await text(process.stdin) : given;
    const end = await askBinary(running, async ({ schema, live }) => {
      if (address !== undefined) service = nameThere(schema, address.wireName);
      requireService(service, schema);
      const asked = { service, request, ...deadlineMs };
      return callService(live, asked, patiently(CALL_GRACE_MS)).catch((error: unknown) => {
        throw error instanceof CommandRefused ? failureOf(error) : error;
      });
    });
    const failed = "error" in end;
    output.document({ ok: !failed, problems: [], binary, service, ...end });
    if (failed) {
      output.refusal(`${service}: ${words(end)}`);
      return EXIT.failed;
    }
    output.result(JSON.stringify(end.answer, null, 2));
    output.note(`${service}: ${words(end)}`);
    return EXIT.done;
  },
};
