import { quote } from "../../../diagnostics/index.js";
import { announcedAt, httpOf, httpPlace, MOST_REPLICAS, replicasOf } from "../../../topology/index.js";
import { rule, type Codes, type RuleContext } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";

const CODES = {
  PS624: {
    severity: "error",
    title: "Replicas out of range",
    explanation: `A run starts 1 to ${MOST_REPLICAS} processes of a binary.`,
    help: "Use a number in that range.",
  },
  PS625: {
    severity: "error",
    title: "Replicas at one address",
    explanation: "Only one of several processes can have an address.",
    help: "Use port 0 for `http` and `control`: each process takes a free one. Remove `listen`: those that call it find each of them on their host; or announce them, with `discovery` `nats://HOST:PORT`, and listen at port 0.",
  },
  PS626: {
    severity: "warning",
    title: "State in several replicas",
    explanation:
      "Each process has its own state of a `single-threaded` service. With `partitionBy`, calls from other binaries come to one process for each value; those from its own stay where they are.",
    help: "Give the service `partitionBy` and call it from other binaries, or run the binary once.",
  },
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;

/** A number of processes in range, none of which takes an address from another; a warning where they divide a state. */
export const replicasAreSound = rule({
  name: "replicasAreSound",
  codes: CODES,
  check(context) {
    const { topology, report } = context;
    for (const [at, binary] of topology.binaries.entries()) {
      const { name, replicas } = binary;
      if (replicas === undefined) continue;
      const place = ["binaries", at, "replicas"];
      if (replicas < 1 || replicas > MOST_REPLICAS)
        report("PS624", place, `The binary ${quote(name)} has ${replicas} replicas`);
      if (replicasOf(binary) < 2) continue;
      const single: [string[], string | undefined][] = [
        [httpPlace(binary), httpOf(binary)?.address],
        [["control"], binary.control],
      ];
      for (const [key, address = ""] of single)
        if (/:[1-9]\d*$/.test(address))
          report(
            "PS625",
            ["binaries", at, ...key],
            `${replicas} processes of ${quote(name)} would use the address ${quote(address)}`,
          );
      if (binary.listen.some((address) => announcedAt(binary) === undefined || !address.endsWith(":0")))
        report(
          "PS625",
          ["binaries", at, "listen"],
          `${replicas} processes of ${quote(name)} would listen at ${quote(binary.listen[0] ?? "")}`,
        );
      const divided = topology.services.find((service) => isDivided(context, service, name));
      if (divided !== undefined)
        report(
          "PS626",
          place,
          `${replicas} processes of ${quote(name)} each have a state of ${quote(divided.name)}`,
        );
    }
  },
});

/** Whether processes of a binary have states of a service that are not apart by a value of its requests. */
function isDivided(
  { topology, index }: Context,
  { name, kind, node, partitionBy }: Context["topology"]["services"][number],
  binary: string,
): boolean {
  if (kind !== "single-threaded" || node !== undefined) return false;
  if (index.binariesOfService.get(name)?.includes(binary) !== true) return false;
  if (partitionBy === undefined) return true;
  return (
    topology.flows.some(
      (flow) =>
        index.binariesOfFlow.get(flow.name)?.includes(binary) === true &&
        flow.stages.some(({ service }) => service === name),
    ) ||
    topology.services.some(
      (caller) =>
        index.binariesOfService.get(caller.name)?.includes(binary) === true && caller.calls.includes(name),
    )
  );
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS624",
    title: "no replica",
    spoil: ({ binary }) => void (binary.replicas = 0),
    pointer: "/binaries/0/replicas",
  },
  {
    code: "PS624",
    title: "too many replicas",
    spoil: ({ binary }) => void (binary.replicas = 65),
    pointer: "/binaries/0/replicas",
  },
  {
    code: "PS625",
    title: "two replicas with one control address",
    spoil: ({ binary, flow }) => {
      flow.source = { kind: "service" };
      binary.replicas = 2;
      binary.control = "127.0.0.1:9901";
    },
    pointer: "/binaries/0/control",
  },
  {
    code: "PS625",
    title: "two replicas that listen at one address",
    spoil: ({ binary, flow }) => {
      flow.source = { kind: "service" };
      binary.replicas = 2;
      binary.listen = ["tcp://127.0.0.1:7400"];
    },
    pointer: "/binaries/0/listen",
  },
  {
    code: "PS625",
    title: "two replicas with one HTTP address",
    spoil: ({ binary, flow }) => {
      flow.source = { kind: "service" };
      binary.replicas = 2;
      binary.http = "127.0.0.1:8080";
    },
    pointer: "/binaries/0/http",
  },
  {
    code: "PS626",
    title: "a state in two replicas",
    severity: "warning",
    spoil: ({ binary, flow, logAd }) => {
      flow.source = { kind: "service" };
      binary.replicas = 2;
      logAd.kind = "single-threaded";
    },
    pointer: "/binaries/0/replicas",
  },
  {
    code: "PS626",
    title: "a divided state in two replicas that ask it themselves",
    severity: "warning",
    spoil: ({ binary, flow, logAd }) => {
      flow.source = { kind: "service" };
      binary.replicas = 2;
      logAd.kind = "single-threaded";
      logAd.partitionBy = "text";
    },
    pointer: "/binaries/0/replicas",
  },
];
