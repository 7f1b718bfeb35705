import { quote, quoteList } from "../../../diagnostics/index.js";
import {
  kindOfNode,
  listsOf,
  nodePorts,
  type NodeManifest,
  type NodePorts,
} from "../../../manifests/index.js";
import { type Message, type Service } from "../../../topology/index.js";
import { SETTING_CODES, SettingChecker } from "../../nodes/settingFaults.js";
import { rule, type Codes, type Place, type RuleContext } from "../../rule/rule.js";
import { asMap, asNode, type BadExample } from "../../testing/badExample.js";

const CODES = {
  PS320: {
    severity: "error",
    title: "Unknown type of node",
    explanation:
      "`node` of a service names a standard node, or one of the project's own in its folder `nodes/`. `penstock nodes` lists them.",
    help: "Use a type that `penstock nodes` lists.",
  },
  ...SETTING_CODES,
  PS326: {
    severity: "error",
    title: "Request or response does not fit the node",
    explanation: "A node's manifest says what must hold for the messages at its ports.",
    help: "Choose messages that fit, or another node.",
  },
  PS327: {
    severity: "error",
    title: "Kind does not fit the node",
    explanation: "What a node does with its thread is known, so its service has a certain kind.",
    help: "Give the service the kind named.",
  },
  PS329: {
    severity: "error",
    title: "Calls or implementations do not fit the node",
    explanation:
      "The handler of a node is generated, so there is one of it, and it calls exactly as many services as its manifest says.",
    help: "Draw the calls that the node needs, and remove its implementations.",
  },
} satisfies Codes;
type Context = RuleContext<keyof typeof CODES>;

/** A service with `node` is what its package's manifest asks for: settings, ports, kind. */
export const nodesFit = rule({
  name: "nodesFit",
  codes: CODES,
  check(context) {
    const { topology, index, palette, report, didYouMean } = context;
    if (palette === undefined) return;
    for (const [at, service] of topology.services.entries()) {
      const { node } = service;
      if (node === undefined) continue;
      const place = ["services", at];
      const manifest = palette.get(node.type);
      if (manifest === undefined) {
        const message = `There is no node of the type ${quote(node.type)}`;
        report("PS320", [...place, "node", "type"], message, didYouMean(node.type, palette.keys()));
        continue;
      }
      const ports = nodePorts(service, index);
      const settings = new SettingChecker(context, CODES, index, ports);
      settings.check(manifest.settings, node.settings, [...place, "node", "settings"]);
      checkKind(context, service, manifest, place);
      checkPorts(context, service, manifest, ports, place);
    }
  },
});

function checkKind({ report }: Context, service: Service, manifest: NodeManifest, place: Place): void {
  const { kind, implementations, node } = service;
  const wanted = kindOfNode(manifest, node?.settings ?? {});
  if (kind !== wanted)
    report(
      "PS327",
      [...place, "kind"],
      `${quote(service.name)} is ${kind}; as a ${manifest.type} node it is ${wanted}`,
      {
        help: `Make the service ${quote(wanted)}.`,
      },
    );
  if (implementations.length > 0)
    report(
      "PS329",
      [...place, "implementations"],
      `${quote(service.name)} is a node and has implementations`,
    );
}

function checkPorts(
  { report }: Context,
  service: Service,
  manifest: NodeManifest,
  ports: NodePorts,
  place: Place,
): void {
  const what = `${quote(service.name)}, a ${manifest.type} node,`;
  const { request, response, calls } = manifest.ports;
  if (service.calls.length !== calls) {
    const wanted = calls === 0 ? "no other service" : "one other service";
    report(
      "PS329",
      [...place, "calls"],
      `${what} calls ${service.calls.length} services; it is to call ${wanted}`,
    );
  }
  const misfit = (side: "request" | "response", message: string): void =>
    report("PS326", [...place, ...(service[side] === undefined ? [] : [side])], message);
  const { callee } = ports;
  if (request.is === "callee" && callee !== undefined && callee.request !== service.request)
    misfit(
      "request",
      `${what} takes ${quote(service.request)}, but ${quote(callee.name)} takes ${quote(callee.request)}`,
    );
  const wanted =
    response.is === "request" ? service.request : response.is === "callee" ? callee?.response : undefined;
  if (response.is === "none") {
    if (service.response !== undefined)
      misfit("response", `${what} gives nothing back, so it has no response`);
  } else if (service.response === undefined)
    misfit("response", `${what} gives something back and has no response`);
  else if (wanted !== undefined && service.response !== wanted)
    misfit("response", `${what} gives ${quote(wanted)} back, not ${quote(service.response)}`);
  else if (response.is === "callee" && callee !== undefined && wanted === undefined)
    misfit("response", `${what} calls ${quote(callee.name)}, which gives nothing back`);
  if (response.needs === "one-enum" && ports.response !== undefined && ports.decides === undefined)
    misfit(
      "response",
      `${what} decides by the only enum field of ${quote(ports.response.name)}, which has not exactly one`,
    );
  if (
    response.needs === "list-of-request" &&
    ports.response !== undefined &&
    listsOf(ports.response, service.request).length !== 1
  )
    misfit(
      "response",
      `${what} needs one repeated field of ${quote(service.request)} in ${quote(ports.response.name)}`,
    );
  const sides = [
    ["request", ports.request, request.fields],
    ["response", ports.response, response.fields],
  ] as const;
  for (const [side, message, fields] of sides)
    for (const field of fields ?? [])
      if (message !== undefined && !hasField(message, field))
        misfit(
          side,
          `${what} needs a field ${quote(field.name)} of ${quoteList(field.types)} in ${quote(message.name)}`,
        );
}

const hasField = (message: Message, { name, types }: { name: string; types: readonly string[] }): boolean =>
  message.fields.some(
    (field) =>
      field.name === name &&
      types.includes(field.type) &&
      field.repeated !== true &&
      field.length === undefined,
  );

const AT = "/services/2/node";
const SETTINGS = `${AT}/settings`;
const filter = (condition: unknown) => asNode("filter", { condition });

// prettier-ignore
export const bad: readonly BadExample<keyof typeof CODES>[] = [
  { code: "PS320", title: "a type that is nearly one", spoil: asNode("filtre"), pointer: `${AT}/type`, node: "service:LogAd", help: '"filter"' },
  { code: "PS321", title: "a setting that is nearly one", spoil: asNode("log", { test: "a" }), pointer: `${SETTINGS}/test`, help: '"text"' },
  { code: "PS321", title: "a setting inside of a list", spoil: asMap("branch", { cases: [{ value: "PAID", when: "true", wen: 1 }], otherwise: "FREE" }), pointer: `${SETTINGS}/cases/0/wen`, help: '"when"' },
  { code: "PS322", title: "no condition", spoil: asNode("filter"), pointer: SETTINGS },
  { code: "PS322", title: "a case without value", spoil: asMap("branch", { cases: [{ when: "true" }], otherwise: "FREE" }), pointer: `${SETTINGS}/cases/0` },
  { code: "PS322", title: "an answer's text into nothing", spoil: asMap("http-request", { url: "http://h/", answer: "text" }, "async-remote"), pointer: SETTINGS },
  { code: "PS322", title: "a call of no method", spoil: asMap("twirp-call", { url: "http://h/twirp" }, "async-remote"), pointer: SETTINGS },
  { code: "PS323", title: "a number as a condition", spoil: filter(1), pointer: `${SETTINGS}/condition`, help: "Write a string." },
  { code: "PS323", title: "null for left out", spoil: filter(null), pointer: `${SETTINGS}/condition` },
  { code: "PS323", title: "a fraction", spoil: asNode("delay", { milliseconds: 0.5 }, "async-remote"), pointer: `${SETTINGS}/milliseconds`, help: "Write a whole number." },
  { code: "PS323", title: "a time below 0", spoil: asNode("delay", { milliseconds: -1 }, "async-remote"), pointer: `${SETTINGS}/milliseconds`, help: "Use 0 to 86400000." },
  { code: "PS323", title: "an unknown word", spoil: asNode("rate-limit", { excess: "dropp" }, "async-remote"), pointer: `${SETTINGS}/excess`, help: '"drop"' },
  { code: "PS323", title: "no case at all", spoil: asMap("branch", { cases: [], otherwise: "FREE" }), pointer: `${SETTINGS}/cases` },
  { code: "PS323", title: "an empty path", spoil: asNode("json-lines-out", { path: "" }, "single-threaded"), pointer: `${SETTINGS}/path` },
  { code: "PS323", title: "a file outside of the project", spoil: asNode("json-lines-out", { path: "../a" }, "single-threaded"), pointer: `${SETTINGS}/path`, help: "out/" },
  { code: "PS323", title: "a text with a lone brace", spoil: asNode("log", { text: "{text" }), pointer: `${SETTINGS}/text`, help: "{{" },
  { code: "PS323", title: "a token where the name of its variable is meant", spoil: asMap("twirp-call", { url: "http://127.0.0.1/twirp", method: "shop.Prices/GetPrice", tokenVariable: "9f0c=" }, "async-remote"), pointer: `${SETTINGS}/tokenVariable`, help: "ORDERS_PASSWORD" },
  { code: "PS323", title: "a URL with a field in its host", spoil: asMap("http-request", { url: "http://{text}/" }, "async-remote"), pointer: `${SETTINGS}/url`, help: "http://127.0.0.1:8080/orders/{id}" },
  { code: "PS323", title: "the URL of a service with a field", spoil: asMap("twirp-call", { url: "http://h/{text}", method: "a.B/C" }, "async-remote"), pointer: `${SETTINGS}/url`, help: "http://127.0.0.1:8080/twirp" },
  { code: "PS323", title: "a method without its service", spoil: asMap("twirp-call", { url: "http://h/twirp", method: "GetPrice" }, "async-remote"), pointer: `${SETTINGS}/method`, help: "shop.Prices/GetPrice" },
  { code: "PS323", title: "made-up data in two ways", spoil: asMap("random", { fields: { text: { sequence: 1, choice: ["a"] } } }), pointer: `${SETTINGS}/fields/text` },
  { code: "PS324", title: "a text with an unknown field", spoil: asNode("log", { text: "ad {txt}" }), pointer: `${SETTINGS}/text`, help: '"text"' },
  { code: "PS324", title: "a URL with an unknown field", spoil: asMap("http-request", { url: "http://h/{txt}" }, "async-remote"), pointer: `${SETTINGS}/url`, help: '"text"' },
  { code: "PS324", title: "an answer's status into a text", spoil: asMap("http-request", { url: "http://h/", status: "text" }, "async-remote"), pointer: `${SETTINGS}/status` },
  { code: "PS324", title: "an answer's JSON into a text", spoil: asMap("http-request", { url: "http://h/", answer: "json", json: "text" }, "async-remote"), pointer: `${SETTINGS}/json`, help: '"message"' },
  { code: "PS324", title: "a map to an unknown field", spoil: asMap("map", { fields: { txt: "request.text" } }), pointer: `${SETTINGS}/fields/txt`, help: '"text"' },
  { code: "PS324", title: "a branch to an unknown value", spoil: asMap("branch", { cases: [{ value: "PAYD", when: "true" }], otherwise: "FREE" }), pointer: `${SETTINGS}/cases/0/value`, help: '"PAID"' },
  { code: "PS324", title: "a sum of texts", spoil: (parts) => { parts.ad.fields!.push({ name: "clicks", type: "int64", tag: 3 }); asMap("window", { sum: { clicks: "text" } }, "async-remote")(parts); }, pointer: `${SETTINGS}/sum/clicks` },
  { code: "PS324", title: "a text with a field that may be left out", spoil: (parts) => { parts.ad.fields!.push({ name: "note", type: "string", tag: 3, optional: true }); asNode("log", { text: "{note}" })(parts); }, pointer: `${SETTINGS}/text`, help: "always there" },
  { code: "PS324", title: "a failure as a parameter", spoil: (parts) => { parts.ad.fields!.push({ name: "why", type: "Failure", tag: 7 }); parts.front.threads = 2; asMap("sql-query", { mode: "nothing", sql: "INSERT INTO a VALUES (:why)" }, "sync-remote")(parts); }, pointer: `${SETTINGS}/sql`, help: "one value" },
  { code: "PS324", title: "a sum that is to be an error code", spoil: (parts) => { parts.ad.fields!.push({ name: "clicks", type: "int64", tag: 3 }); asMap("window", { sum: { code: "clicks" } }, "async-remote")(parts); parts.logAd.response = "Failure"; }, pointer: `${SETTINGS}/sum/code`, help: "number" },
  { code: "PS325", title: "a condition with a statement", spoil: filter("true; std::abort()"), pointer: `${SETTINGS}/condition` },
  { code: "PS325", title: "a comment that would hide the rest", spoil: filter("true //"), pointer: `${SETTINGS}/condition` },
  { code: "PS325", title: "made-up data by half an expression", spoil: asMap("random", { fields: { text: { expression: "(1" } } }), pointer: `${SETTINGS}/fields/text/expression` },
  { code: "PS326", title: "a filter with a response", spoil: (parts) => { filter("true")(parts); parts.logAd.response = "Ad"; }, pointer: "/services/2/response" },
  { code: "PS326", title: "a map without response", spoil: (parts) => { asMap("map", {})(parts); delete parts.logAd.response; }, pointer: "/services/2" },
  { code: "PS326", title: "a branch without an enum", spoil: (parts) => { parts.ad.fields!.pop(); asMap("branch", { cases: [{ value: "PAID", when: "true" }], otherwise: "FREE" })(parts); }, pointer: "/services/2/response" },
  { code: "PS326", title: "a batch without a list", spoil: asMap("batch", {}, "async-remote"), pointer: "/services/2/response" },
  { code: "PS326", title: "a cache of another service's answers", spoil: (parts) => { asMap("cache", { key: "text" }, "async-remote")(parts); parts.logAd.calls = ["ProduceAd"]; }, pointer: "/services/2/request" },
  { code: "PS327", title: "a delay that keeps its thread", spoil: asNode("delay"), pointer: "/services/2/kind", help: '"async-remote"' },
  { code: "PS327", title: "a limit that drops and waits", spoil: asNode("rate-limit", { excess: "drop" }, "async-remote"), pointer: "/services/2/kind", help: '"simple"' },
  { code: "PS329", title: "a log with implementations", spoil: (parts) => { asNode("log")(parts); parts.logAd.implementations = ["A"]; }, pointer: "/services/2/implementations" },
  { code: "PS329", title: "a retry that asks nobody", spoil: asMap("retry", {}, "async-remote"), pointer: "/services/2/calls" },
];
