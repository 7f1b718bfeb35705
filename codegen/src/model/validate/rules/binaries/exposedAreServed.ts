import { quote } from "../../../diagnostics/index.js";
import { httpOf, routesOf, sourceText, type Topology } from "../../../topology/index.js";
import type { Fix } from "../../rule/fix.js";
import { rule, type Codes, type RuleContext } from "../../rule/rule.js";
import type { BadExample } from "../../testing/badExample.js";
import { NAMED_TWICE } from "./bundlesResolve.js";

const CODES = {
  PS613: NAMED_TWICE,
  PS640: {
    severity: "error",
    title: "Unknown service exposed",
    explanation: "`expose` of a binary lists services of this topology.",
    help: "Correct the name, or remove it from the list.",
    fixes: unexposing,
  },
  PS641: {
    severity: "error",
    title: "Service exposed that the binary does not run",
    explanation: "A binary takes requests for services of its own bundles only.",
    help: "Expose it in the binary that runs it, or give this one its bundle.",
    fixes: unexposing,
  },
  PS642: {
    severity: "error",
    title: "Services exposed without http",
    explanation: "The binary has no `http` address on which to take the requests.",
    help: "Give the binary an `http` address.",
    fixes: ({ binaries }, [, at]) => {
      const binary = binaries[Number(at)];
      return binary === undefined ? [] : [{ does: "take http", binary: binary.name }];
    },
  },
  PS643: {
    severity: "error",
    title: "Prefix or origin of the wrong form",
    explanation:
      "`prefix` is empty, or parts of unreserved characters (letters, digits, `-._~`) with a `/` before each; an origin is what browsers send: `https://shop.example` or `http://localhost:3000`, in lower case and without a path.",
    help: "Write it in this form.",
  },
  PS644: {
    severity: "error",
    title: "Path of a flow that is a route as well",
    explanation: "The binary could not tell a request for the service from an event of the flow.",
    help: "Give the flow another path.",
  },
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;

const PREFIX = /^(\/(?!\.\.?(\/|$))[A-Za-z0-9\-._~]+)*$/;
const ORIGIN = /^https?:\/\/([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:[1-9][0-9]{0,4})?$/;

/** A binary exposes services that it runs, each once, at an address that it has. */
export const exposedAreServed = rule({
  name: "exposedAreServed",
  codes: CODES,
  check(context) {
    for (const at of context.topology.binaries.keys()) {
      checkNames(context, at);
      checkDoor(context, at);
    }
  },
});

function checkNames({ topology, index, report, didYouMean }: Context, at: number): void {
  const { name, expose = [] } = topology.binaries[at]!;
  const seen = new Set<string>();
  for (const [inner, service] of expose.entries()) {
    const place = ["binaries", at, "expose", inner];
    const subject = `The binary ${quote(name)} exposes`;
    if (seen.has(service)) report("PS613", place, `${subject} ${quote(service)} twice`);
    else if (!index.services.has(service))
      report(
        "PS640",
        place,
        `${subject} ${quote(service)}, which is no service`,
        didYouMean(service, index.services.keys()),
      );
    else if (index.binariesOfService.get(service)?.includes(name) !== true)
      report("PS641", place, `${subject} ${quote(service)}, which it does not run`);
    seen.add(service);
  }
}

function checkDoor({ topology, index, report }: Context, at: number): void {
  const binary = topology.binaries[at]!;
  const http = httpOf(binary);
  if (http === undefined) {
    if ((binary.expose ?? []).length > 0)
      report(
        "PS642",
        ["binaries", at, "expose"],
        `The binary ${quote(binary.name)} exposes services but has no http address`,
      );
    return;
  }
  if (!PREFIX.test(http.prefix ?? ""))
    report(
      "PS643",
      ["binaries", at, "http", "prefix"],
      `${quote(http.prefix ?? "")} is no prefix of a path`,
      {
        help: "Write it as `/api/v1`, or empty for none.",
      },
    );
  for (const [inner, origin] of (http.origins ?? []).entries())
    if (!ORIGIN.test(origin))
      report("PS643", ["binaries", at, "http", "origins", inner], `${quote(origin)} is no origin`, {
        help: "Write it as browsers send it: `https://shop.example`, in lower case and without a path.",
      });
  const routes = new Map(routesOf(topology, binary).map(({ path, service }) => [path, service]));
  for (const [flowAt, { name, source }] of topology.flows.entries()) {
    if (source.kind !== "http" || index.binariesOfFlow.get(name)?.includes(binary.name) !== true) continue;
    const service = routes.get(sourceText(source, "path"));
    if (service !== undefined)
      report(
        "PS644",
        ["flows", flowAt, "source", "path"],
        `${quote(sourceText(source, "path"))} is where ${quote(binary.name)} exposes ${quote(service)}`,
      );
  }
}

function unexposing({ binaries }: Topology, [, at, , inner]: readonly string[]): Fix[] {
  const binary = binaries[Number(at)];
  const service = binary?.expose?.[Number(inner)];
  if (binary === undefined || service === undefined) return [];
  return [{ does: "stop exposing", binary: binary.name, service }];
}

export const bad: readonly BadExample<keyof typeof CODES>[] = [
  {
    code: "PS613",
    title: "a service exposed twice",
    spoil: ({ binary }) => Object.assign(binary, { http: "127.0.0.1:0", expose: ["GetAd", "GetAd"] }),
    pointer: "/binaries/0/expose/1",
  },
  {
    code: "PS640",
    title: "an unknown service exposed",
    spoil: ({ binary }) => Object.assign(binary, { http: "127.0.0.1:0", expose: ["GetAdd"] }),
    pointer: "/binaries/0/expose/0",
    help: "GetAd",
  },
  {
    code: "PS641",
    title: "a service of another binary exposed",
    spoil: ({ binary, document }) => {
      document.services!.push({ name: "Far", request: "Ad" });
      document.bundles!.push({ name: "FarBundle", services: ["Far"] });
      document.binaries!.push({ name: "far", bundles: ["FarBundle"] });
      Object.assign(binary, { http: "127.0.0.1:0", expose: ["Far"] });
    },
    pointer: "/binaries/0/expose/0",
  },
  {
    code: "PS642",
    title: "services exposed nowhere",
    spoil: ({ binary }) => void (binary.expose = ["GetAd"]),
    pointer: "/binaries/0/expose",
  },
  {
    code: "PS643",
    title: "a prefix without a slash",
    spoil: ({ binary }) => void (binary.http = { address: "127.0.0.1:0", prefix: "rpc" }),
    pointer: "/binaries/0/http/prefix",
    help: "/api/v1",
  },
  {
    code: "PS643",
    title: "all origins",
    spoil: ({ binary }) =>
      void (binary.http = { address: "127.0.0.1:0", origins: ["https://a.example", "*"] }),
    pointer: "/binaries/0/http/origins/1",
    help: "https://shop.example",
  },
  {
    code: "PS644",
    title: "a flow where a service is exposed",
    spoil: ({ document, binary, flow }) => {
      flow.source = { kind: "http", path: `/${document.name}.AdBundle/GetAd` };
      Object.assign(binary, { http: { address: "127.0.0.1:0", prefix: "" }, expose: ["GetAd"] });
    },
    pointer: "/flows/0/source/path",
  },
];
