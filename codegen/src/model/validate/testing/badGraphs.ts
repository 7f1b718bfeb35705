import type { BadExample } from "./badExample.js";
import type { GoodParts } from "./goodParts.js";

/** The flow has failures as its events, and one stage that takes them. */
function ofFailures({ flow, oops }: GoodParts, source: GoodParts["flow"]["source"]): void {
  oops.role = "side-effect";
  Object.assign(flow, { event: "Failure", source, stages: [oops] });
}

/** Mistakes in services, calls and flows. */
export const BAD_GRAPHS: readonly BadExample[] = [
  {
    code: "PS301",
    title: "row 65: an unknown request",
    spoil: ({ produceAd }) => void (produceAd.request = "AdReqest"),
    pointer: "/services/1/request",
    node: "service:ProduceAd",
    help: 'Did you mean "AdRequest"?',
  },
  {
    code: "PS301",
    title: "an unknown response",
    spoil: ({ produceAd }) => void (produceAd.response = "Nothing"),
    pointer: "/services/1/response",
  },
  {
    code: "PS302",
    title: "an enum as a request",
    spoil: ({ produceAd }) => void (produceAd.request = "Tier"),
    pointer: "/services/1/request",
  },
  {
    code: "PS302",
    title: "a scalar as a response",
    spoil: ({ produceAd }) => void (produceAd.response = "string"),
    pointer: "/services/1/response",
  },
  {
    code: "PS303",
    title: "row 65: a dangling call",
    spoil: ({ getAd }) => void (getAd.calls = ["ProduceAds"]),
    pointer: "/services/0/calls/0",
    node: "service:GetAd",
    help: 'Did you mean "ProduceAd"?',
  },
  {
    code: "PS304",
    title: "a call twice",
    spoil: ({ getAd }) => void getAd.calls!.push("ProduceAd"),
    pointer: "/services/0/calls/1",
  },
  {
    code: "PS305",
    title: "row 63: a cycle through a sync-remote service",
    spoil: ({ produceAd }) => void (produceAd.calls = ["GetAd"]),
    pointer: "/services/1/calls/0",
    node: "service:ProduceAd",
  },
  {
    code: "PS305",
    title: "row 63: a single-threaded service that calls itself",
    spoil: ({ logAd }) => void (logAd.calls = ["LogAd"]),
    pointer: "/services/2/calls/0",
    node: "service:LogAd",
  },
  {
    code: "PS306",
    title: "a deadline of 0",
    spoil: ({ getAd }) => void (getAd.deadlineMs = 0),
    pointer: "/services/0/deadlineMs",
  },
  {
    code: "PS306",
    title: "a deadline beyond 2^31-1",
    spoil: ({ getAd }) => void (getAd.deadlineMs = 2 ** 31),
    pointer: "/services/0/deadlineMs",
  },
  {
    code: "PS307",
    title: "an implementation named as its service",
    spoil: ({ logAd }) => void (logAd.implementations = ["LogAd"]),
    pointer: "/services/2/implementations/0",
    help: '"LogAdImpl"',
  },
  {
    code: "PS307",
    title: "an implementation named as a message",
    spoil: ({ logAd }) => void (logAd.implementations = ["Ad"]),
    pointer: "/services/2/implementations/0",
  },
  {
    code: "PS310",
    title: "partitions of a simple service",
    spoil: ({ countError }) => void (countError.partitionBy = "code"),
    pointer: "/services/3/partitionBy",
  },
  {
    code: "PS311",
    title: "partitions by no field",
    spoil: ({ logAd }) => void (logAd.partitionBy = "txt"),
    pointer: "/services/2/partitionBy",
    help: 'Did you mean "text"?',
  },
  {
    code: "PS312",
    title: "partitions by a list",
    spoil: ({ logAd, log, document }) => {
      logAd.request = "AdRequest";
      logAd.partitionBy = "weights";
      log.after = ["pick"];
      document.flows![0]!.stages = [log];
      delete log.after;
    },
    pointer: "/services/2/partitionBy",
  },
  {
    code: "PS401",
    title: "an unknown event",
    spoil: ({ flow }) => void (flow.event = "AdRequst"),
    pointer: "/flows/0/event",
    node: "flow:Impressions",
    help: 'Did you mean "AdRequest"?',
  },
  {
    code: "PS427",
    title: "failures from requests",
    spoil: (parts) => {
      parts.binary.http = "127.0.0.1:0";
      ofFailures(parts, { kind: "http", path: "/f" });
    },
    pointer: "/flows/0/event",
    node: "flow:Impressions",
  },
  {
    code: "PS427",
    title: "failures from a file",
    spoil: (parts) => ofFailures(parts, { kind: "file", path: "failures.jsonl" }),
    pointer: "/flows/0/event",
  },
  {
    code: "PS427",
    title: "failures made by settings",
    spoil: (parts) => ofFailures(parts, { kind: "rate", perSecond: 1, event: { nonsense: 1 } }),
    pointer: "/flows/0/event",
  },
  {
    code: "PS402",
    title: "a flow without stages",
    spoil: ({ flow }) => void (flow.stages = []),
    pointer: "/flows/0",
  },
  {
    code: "PS403",
    title: "row 65: a stage of no service",
    spoil: ({ log }) => void (log.service = "LogAds"),
    pointer: "/flows/0/stages/1/service",
    node: "stage:Impressions/log",
    help: 'Did you mean "LogAd"?',
  },
  {
    code: "PS404",
    title: "row 65: a stage that takes another message",
    spoil: ({ flow, pick, log, oops }) => void (flow.stages = [log, pick, oops]),
    pointer: "/flows/0/stages/0",
    node: "stage:Impressions/log",
  },
  {
    code: "PS405",
    title: "a stage behind one that gives nothing",
    spoil: ({ log, flow }) => {
      log.role = "map";
      flow.stages!.push({ id: "again", service: "LogAd" });
      flow.stages!.splice(2, 1);
    },
    pointer: "/flows/0/stages/2",
  },
  {
    code: "PS406",
    title: "a catch that takes no Failure",
    spoil: ({ oops }) => void (oops.service = "LogAd"),
    pointer: "/flows/0/stages/2",
  },
  {
    code: "PS407",
    title: "a catch that gives another message",
    spoil: ({ countError }) => void (countError.response = "AdRequest"),
    pointer: "/flows/0/stages/2",
  },
  {
    code: "PS408",
    title: "a catch at the start",
    spoil: ({ flow, pick, log, oops }) => void (flow.stages = [oops, pick, log]),
    pointer: "/flows/0/stages/0",
  },
  {
    code: "PS409",
    title: "a side-effect with a response",
    severity: "warning",
    spoil: ({ logAd }) => void (logAd.response = "Ad"),
    pointer: "/flows/0/stages/1",
  },
  {
    code: "PS410",
    title: "after no stage",
    spoil: ({ log }) => void (log.after = ["pik"]),
    pointer: "/flows/0/stages/1/after/0",
    help: 'Did you mean "pick"?',
  },
  {
    code: "PS411",
    title: "after a later stage",
    spoil: ({ log }) => void (log.after = ["oops"]),
    pointer: "/flows/0/stages/1/after/0",
  },
  {
    code: "PS411",
    title: "after itself",
    spoil: ({ log }) => void (log.after = ["log"]),
    pointer: "/flows/0/stages/1/after/0",
  },
  {
    code: "PS412",
    title: "after nothing",
    spoil: ({ log }) => void (log.after = []),
    pointer: "/flows/0/stages/1/after",
  },
  {
    code: "PS413",
    title: "after a stage twice",
    spoil: ({ log }) => void (log.after = ["pick", "pick"]),
    pointer: "/flows/0/stages/1/after/1",
  },
  {
    code: "PS414",
    title: "a choice at the source",
    spoil: ({ pick }) => void (pick.when = "FREE"),
    pointer: "/flows/0/stages/0/when",
  },
  {
    code: "PS414",
    title: "a choice by two fields",
    spoil: ({ log, ad }) => {
      log.when = ["FREE", "PAID"];
      ad.fields!.push({ name: "other", type: "Tier", tag: 9 });
    },
    pointer: "/flows/0/stages/1/when",
  },
  {
    code: "PS415",
    title: "a choice of no value",
    spoil: ({ log }) => void (log.when = ["FREE", "PAYED"]),
    pointer: "/flows/0/stages/1/when/1",
    help: 'Did you mean "PAID"?',
  },
  {
    code: "PS416",
    title: "a value without a branch",
    severity: "warning",
    spoil: ({ log }) => void (log.when = "FREE"),
    pointer: "/flows/0/stages/0",
  },
  {
    code: "PS417",
    title: "a path with a space",
    spoil: ({ flow, binary }) => {
      flow.source = { kind: "http", path: "/a b" };
      binary.http = "127.0.0.1:0";
    },
    pointer: "/flows/0/source/path",
  },
  {
    code: "PS417",
    title: "no path at all",
    spoil: ({ flow, binary }) => {
      flow.source = { kind: "http", path: "" };
      binary.http = "127.0.0.1:0";
    },
    pointer: "/flows/0/source/path",
  },
  {
    code: "PS417",
    title: "row 69: a path that climbs",
    spoil: ({ flow, binary }) => {
      flow.source = { kind: "http", path: "/../x" };
      binary.http = "127.0.0.1:0";
    },
    pointer: "/flows/0/source/path",
  },
  {
    code: "PS418",
    title: "a path twice",
    spoil: ({ flow, document, binary, bundle, pick }) => {
      flow.source = { kind: "http", path: "/ad" };
      document.flows!.push({ ...flow, name: "Second", stages: [pick] });
      bundle.flows!.push("Second");
      binary.http = "127.0.0.1:0";
    },
    pointer: "/flows/1/source/path",
  },
  {
    code: "PS419",
    title: "an http source without http",
    spoil: ({ flow }) => void (flow.source = { kind: "http", path: "/ad" }),
    pointer: "/flows/0/source",
  },
  {
    code: "PS420",
    title: "a rate below 0",
    spoil: ({ flow }) => void (flow.source = { kind: "rate", perSecond: -0.5 }),
    pointer: "/flows/0/source/perSecond",
  },
  {
    code: "PS420",
    title: "a rate above 10^9",
    spoil: ({ flow }) => void (flow.source = { kind: "rate", perSecond: 1e9 + 1 }),
    pointer: "/flows/0/source/perSecond",
  },
  {
    code: "PS421",
    title: "no file",
    spoil: ({ flow }) => void (flow.source = { kind: "file", path: "" }),
    pointer: "/flows/0/source/path",
  },
  {
    code: "PS421",
    title: "a file outside the project",
    spoil: ({ flow }) => void (flow.source = { kind: "file", path: "../orders.jsonl" }),
    pointer: "/flows/0/source/path",
  },
  {
    code: "PS421",
    title: "a file of the machine",
    spoil: ({ flow }) => void (flow.source = { kind: "file", path: "/etc/passwd" }),
    pointer: "/flows/0/source/path",
  },
  {
    code: "PS420",
    title: "a file read at a rate below 0",
    spoil: ({ flow }) => void (flow.source = { kind: "file", path: "a.jsonl", perSecond: -1 }),
    pointer: "/flows/0/source/perSecond",
  },
  {
    code: "PS422",
    title: "requests that may not wait",
    spoil: ({ flow, binary }) => {
      flow.source = { kind: "http", path: "/mo", timeoutMs: 0 };
      binary.http = "127.0.0.1:0";
    },
    pointer: "/flows/0/source/timeoutMs",
  },
  {
    code: "PS423",
    title: "bodies above 16 MiB",
    spoil: ({ flow, binary }) => {
      flow.source = { kind: "http", path: "/mo", maxBytes: 16_777_217 };
      binary.http = "127.0.0.1:0";
    },
    pointer: "/flows/0/source/maxBytes",
  },
  {
    code: "PS424",
    title: "a flow that nobody can push into",
    spoil: ({ flow, bundle, document, binary }) => {
      flow.source = { kind: "service" };
      bundle.flows = [];
      document.bundles!.push({ name: "Pushed", flows: ["Impressions"] });
      binary.bundles!.push("Pushed");
    },
    pointer: "/flows/0/source",
  },
];
