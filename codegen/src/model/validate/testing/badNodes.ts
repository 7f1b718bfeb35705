import type { BadExample } from "./badExample.js";
import type { GoodParts } from "./goodParts.js";

const AT = "/services/2/node";
const SETTINGS = `${AT}/settings`;

/** LogAd becomes a node; it takes Ad, gives nothing back, and holds a side-effect. */
const asNode =
  (type: string, settings: Record<string, unknown> = {}, kind: GoodParts["logAd"]["kind"] = "simple") =>
  ({ logAd }: GoodParts): void => {
    logAd.kind = kind;
    logAd.node = { type, settings };
  };
/** LogAd becomes a node that gives an Ad back, as a map behind which nothing comes. */
const asMap =
  (type: string, settings: Record<string, unknown>, kind: GoodParts["logAd"]["kind"] = "simple") =>
  (parts: GoodParts): void => {
    asNode(type, settings, kind)(parts);
    parts.logAd.response = "Ad";
    parts.log.role = "map";
  };
const filter = (condition: unknown) => asNode("filter", { condition });
const events =
  (event: Record<string, unknown>) =>
  ({ flow }: GoodParts): void =>
    void (flow.source = { kind: "rate", perSecond: 1, event });
const EVENT = "/flows/0/source/event";

// prettier-ignore
/** Mistakes in standard nodes, and in events made by settings. */
export const BAD_NODES: readonly BadExample[] = [
  { code: "PS320", title: "a type that is nearly one", spoil: asNode("filtre"), pointer: `${AT}/type`, node: "service:LogAd", help: '"filter"' },
  { code: "PS321", title: "a setting that is nearly one", spoil: asNode("log", { test: "a" }), pointer: `${SETTINGS}/test`, help: '"text"' },
  { code: "PS321", title: "a setting inside of a list", spoil: asMap("branch", { cases: [{ value: "PAID", when: "true", wen: 1 }], otherwise: "FREE" }), pointer: `${SETTINGS}/cases/0/wen`, help: '"when"' },
  { code: "PS322", title: "no condition", spoil: asNode("filter"), pointer: SETTINGS },
  { code: "PS322", title: "a case without value", spoil: asMap("branch", { cases: [{ when: "true" }], otherwise: "FREE" }), pointer: `${SETTINGS}/cases/0` },
  { code: "PS322", title: "an answer's text into nothing", spoil: asMap("http-request", { url: "http://h/", answer: "text" }, "async-remote"), pointer: SETTINGS },
  { code: "PS323", title: "a number as a condition", spoil: filter(1), pointer: `${SETTINGS}/condition`, help: "Write a text." },
  { code: "PS323", title: "null for left out", spoil: filter(null), pointer: `${SETTINGS}/condition` },
  { code: "PS323", title: "a fraction", spoil: asNode("delay", { milliseconds: 0.5 }, "async-remote"), pointer: `${SETTINGS}/milliseconds`, help: "Write a whole number." },
  { code: "PS323", title: "a time below 0", spoil: asNode("delay", { milliseconds: -1 }, "async-remote"), pointer: `${SETTINGS}/milliseconds`, help: "Use 0 to 86400000." },
  { code: "PS323", title: "an unknown word", spoil: asNode("rate-limit", { excess: "dropp" }, "async-remote"), pointer: `${SETTINGS}/excess`, help: '"drop"' },
  { code: "PS323", title: "no case at all", spoil: asMap("branch", { cases: [], otherwise: "FREE" }), pointer: `${SETTINGS}/cases` },
  { code: "PS323", title: "an empty path", spoil: asNode("json-lines-out", { path: "" }, "single-threaded"), pointer: `${SETTINGS}/path` },
  { code: "PS323", title: "a file outside of the project", spoil: asNode("json-lines-out", { path: "../a" }, "single-threaded"), pointer: `${SETTINGS}/path`, help: "out/" },
  { code: "PS323", title: "a text with a lone brace", spoil: asNode("log", { text: "{text" }), pointer: `${SETTINGS}/text`, help: "{{" },
  { code: "PS323", title: "a URL with a field in its host", spoil: asMap("http-request", { url: "http://{text}/" }, "async-remote"), pointer: `${SETTINGS}/url`, help: "http://127.0.0.1:8080/orders/{id}" },
  { code: "PS323", title: "made-up data in two ways", spoil: asMap("random", { fields: { text: { sequence: 1, choice: ["a"] } } }), pointer: `${SETTINGS}/fields/text` },
  { code: "PS324", title: "a text with an unknown field", spoil: asNode("log", { text: "ad {txt}" }), pointer: `${SETTINGS}/text`, help: '"text"' },
  { code: "PS324", title: "a URL with an unknown field", spoil: asMap("http-request", { url: "http://h/{txt}" }, "async-remote"), pointer: `${SETTINGS}/url`, help: '"text"' },
  { code: "PS324", title: "an answer's status into a text", spoil: asMap("http-request", { url: "http://h/", status: "text" }, "async-remote"), pointer: `${SETTINGS}/status` },
  { code: "PS324", title: "an answer's JSON into a text", spoil: asMap("http-request", { url: "http://h/", answer: "json", json: "text" }, "async-remote"), pointer: `${SETTINGS}/json`, help: '"message"' },
  { code: "PS324", title: "a map to an unknown field", spoil: asMap("map", { fields: { txt: "request.text" } }), pointer: `${SETTINGS}/fields/txt`, help: '"text"' },
  { code: "PS324", title: "a branch to an unknown value", spoil: asMap("branch", { cases: [{ value: "PAYD", when: "true" }], otherwise: "FREE" }), pointer: `${SETTINGS}/cases/0/value`, help: '"PAID"' },
  { code: "PS324", title: "a sum of texts", spoil: (parts) => { parts.ad.fields!.push({ name: "clicks", type: "int64", tag: 3 }); asMap("window", { sum: { clicks: "text" } }, "async-remote")(parts); }, pointer: `${SETTINGS}/sum/clicks` },
  { code: "PS324", title: "a failure as a parameter", spoil: (parts) => { parts.ad.fields!.push({ name: "why", type: "Failure", tag: 7 }); parts.front.threads = 2; asMap("sql-query", { mode: "nothing", sql: "INSERT INTO a VALUES (:why)" }, "sync-remote")(parts); }, pointer: `${SETTINGS}/sql`, help: "one value" },
  { code: "PS324", title: "a sum that is to be an error code", spoil: (parts) => { parts.ad.fields!.push({ name: "clicks", type: "int64", tag: 3 }); asMap("window", { sum: { code: "clicks" } }, "async-remote")(parts); parts.logAd.response = "Failure"; }, pointer: `${SETTINGS}/sum/code`, help: "number" },
  { code: "PS325", title: "a condition with a statement", spoil: filter("true; std::abort()"), pointer: `${SETTINGS}/condition` },
  { code: "PS325", title: "a comment that would hide the rest", spoil: filter("true //"), pointer: `${SETTINGS}/condition` },
  { code: "PS325", title: "made-up data by half an expression", spoil: asMap("random", { fields: { text: { expression: "(1" } } }), pointer: `${SETTINGS}/fields/text/expression` },
  { code: "PS325", title: "an event by a line of the preprocessor", spoil: events({ cookie: { expression: "1\n#include <x>" } }), pointer: `${EVENT}/cookie/expression` },
  { code: "PS326", title: "a filter with a response", spoil: (parts) => { filter("true")(parts); parts.logAd.response = "Ad"; }, pointer: "/services/2/response" },
  { code: "PS326", title: "a map without response", spoil: (parts) => { asMap("map", {})(parts); delete parts.logAd.response; }, pointer: "/services/2" },
  { code: "PS326", title: "a branch without an enum", spoil: (parts) => { parts.ad.fields!.pop(); asMap("branch", { cases: [{ value: "PAID", when: "true" }], otherwise: "FREE" })(parts); }, pointer: "/services/2/response" },
  { code: "PS326", title: "a batch without a list", spoil: asMap("batch", {}, "async-remote"), pointer: "/services/2/response" },
  { code: "PS326", title: "a cache of another service's answers", spoil: (parts) => { asMap("cache", { key: "text" }, "async-remote")(parts); parts.logAd.calls = ["ProduceAd"]; }, pointer: "/services/2/request" },
  { code: "PS327", title: "a delay that keeps its thread", spoil: asNode("delay"), pointer: "/services/2/kind", help: '"async-remote"' },
  { code: "PS327", title: "a limit that drops and waits", spoil: asNode("rate-limit", { excess: "drop" }, "async-remote"), pointer: "/services/2/kind", help: '"simple"' },
  { code: "PS328", title: "a filter as a map", spoil: (parts) => { filter("true")(parts); parts.log.role = "map"; }, pointer: "/flows/0/stages/1", help: '"side-effect"' },
  { code: "PS329", title: "a log with implementations", spoil: (parts) => { asNode("log")(parts); parts.logAd.implementations = ["A"]; }, pointer: "/services/2/implementations" },
  { code: "PS329", title: "a retry that asks nobody", spoil: asMap("retry", {}, "async-remote"), pointer: "/services/2/calls" },
  { code: "PS330", title: "a call to a filter", spoil: (parts) => { filter("true")(parts); parts.getAd.calls!.push("LogAd"); }, pointer: "/services/0/calls/1" },
  { code: "PS425", title: "an event with an unknown field", spoil: events({ cooky: { choice: ["a"] } }), pointer: `${EVENT}/cooky`, help: '"cookie"' },
  { code: "PS426", title: "an event made in no way", spoil: events({ cookie: "a" }), pointer: `${EVENT}/cookie` },
  { code: "PS426", title: "a text from a range", spoil: events({ cookie: { uniform: [1, 2] } }), pointer: `${EVENT}/cookie/uniform` },
  { code: "PS426", title: "a text that counts", spoil: events({ cookie: { sequence: 1 } }), pointer: `${EVENT}/cookie/sequence` },
  { code: "PS426", title: "a choice of no value of the enum", spoil: events({ tier: { choice: ["FREE", "PAYD"] } }), pointer: `${EVENT}/tier/choice/1` },
  { code: "PS426", title: "a choice of nothing", spoil: events({ tier: { choice: [] } }), pointer: `${EVENT}/tier/choice` },
  { code: "PS426", title: "a list by choice", spoil: events({ weights: { choice: [1] } }), pointer: `${EVENT}/weights/choice` },
];
