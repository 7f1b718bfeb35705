import { expect, test } from "vitest";
import { LIMITS, type Message, type Service, type Topology } from "../model/topology/index.js";
import { validateTopology } from "../model/validate/index.js";
import { addTo } from "./addTo.js";
import { nothingDescribed, refTo, type Described, type Thing } from "./described/described.js";
import { TakenNames } from "./giveNames.js";
import { shortDoc } from "./named.js";

const message = (from: string, name: string, fields: Message["fields"] = []): Thing<Message> => ({
  from,
  scope: from.split(".").at(-2) ?? "",
  item: { name, fields },
});
const service = (from: string, name: string, request: string, response?: string): Thing<Service> => ({
  from,
  scope: from.split(".").at(-2) ?? "",
  item: {
    name,
    request: refTo(request),
    ...(response === undefined ? {} : { response: refTo(response) }),
    kind: "simple",
    calls: [],
    implementations: [],
  },
});
const described = (part: Partial<Described>): Described => ({ ...nothingDescribed(), ...part });
const drawn = (part: Partial<Topology>): Topology => ({
  penstock: 1,
  name: "shop",
  messages: [],
  enums: [],
  services: [],
  flows: [],
  bundles: [],
  binaries: [],
  ...part,
});
const errors = (topology: Topology) =>
  validateTopology(topology).filter(({ severity }) => severity === "error");

test("what is described comes behind what is drawn, which stays as it is", () => {
  const before = drawn({ messages: [{ name: "Old", fields: [{ name: "a", type: "bool", tag: 1 }] }] });
  const { topology, report } = addTo(
    before,
    described({
      messages: [message("p.A", "A", [{ name: "b", type: refTo("p.B"), tag: 1 }]), message("p.B", "B")],
      enums: [{ from: "p.E", scope: "p", item: { name: "E", values: [{ name: "NONE", number: 0 }] } }],
      services: [service("p.S.Get", "Get", "p.A", "p.B")],
      bundles: [{ from: "p.S", scope: "p", item: { name: "S", services: [refTo("p.S.Get")], flows: [] } }],
    }),
  );
  expect(topology.messages).toEqual([
    ...before.messages,
    { name: "A", fields: [{ name: "b", type: "B", tag: 1 }] },
    { name: "B", fields: [] },
  ]);
  expect(topology.services).toMatchObject([{ name: "Get", request: "A", response: "B" }]);
  expect(topology.bundles).toEqual([{ name: "S", services: ["Get"], flows: [] }]);
  expect(report).toMatchObject({
    messages: [
      { from: "p.A", to: "A" },
      { from: "p.B", to: "B" },
    ],
    enums: [{ from: "p.E", to: "E" }],
    services: [{ from: "p.S.Get", to: "Get" }],
    bundles: [{ from: "p.S", to: "S" }],
    kept: [],
    renamed: [],
  });
  expect(errors(topology)).toEqual([]);
});

test("a name that is taken gets its scope in front, then a number", () => {
  const field = [{ name: "a", type: "bool", tag: 1 }];
  const { topology, report } = addTo(
    drawn({ messages: [{ name: "status", fields: [] }] }),
    described({
      messages: [
        message("x.spans.Status", "Status", field),
        message("y.spans.Status", "Status", field),
        message("z.Get", "Get", field),
        message("z.M", "M", [{ name: "s", type: refTo("y.spans.Status"), tag: 1 }]),
      ],
      services: [service("z.Door.Get", "Get", "z.Get")],
    }),
  );
  expect(report.messages.map(({ to }) => to)).toEqual(["SpansStatus", "SpansStatus2", "Get", "M"]);
  expect(report.services.map(({ to }) => to)).toEqual(["DoorGet"]);
  expect(topology.messages.at(-1)?.fields[0]?.type).toBe("SpansStatus2");
});

test("row 67: names that C++ or the format refuses are the validator's suggestion, and are told", () => {
  const { topology, report } = addTo(
    drawn({}),
    described({
      messages: [
        message("p.NULL", "NULL", [
          { name: "class", type: "bool", tag: 1 },
          { name: "Size", type: "bool", tag: 2 },
          { name: "size", type: "bool", tag: 3 },
        ]),
        message("p.Failure", "Failure"),
        message("p.Long", "L".repeat(200)),
      ],
      enums: [
        {
          from: "p.E",
          scope: "p",
          item: {
            name: "E",
            values: [
              { name: "EOF", number: 0 },
              { name: "low", number: 1 },
            ],
          },
        },
      ],
    }),
  );
  expect(report.messages.map(({ to }) => to)).toEqual(["NULLMessage", "FailureMessage", "L".repeat(57)]);
  expect(report.renamed).toEqual([
    { from: "p.NULL.class", to: "class_value" },
    { from: "p.NULL.Size", to: "size" },
    { from: "p.NULL.size", to: "size2" },
    { from: "p.E.EOF", to: "EOF_VALUE" },
    { from: "p.E.low", to: "LOW" },
  ]);
  // What others send as JSON is still understood.
  expect(topology.messages[0]?.fields.map(({ jsonName }) => jsonName)).toEqual(["class", "Size", undefined]);
  expect(errors(topology)).toEqual([]);
});

test("what is there in the same words is used, docs aside, and a second import adds nothing", () => {
  const whole = described({
    messages: [
      message("p.Node", "Node", [{ name: "next", type: refTo("p.Node"), tag: 1, optional: true }]),
      message("p.a.Status", "Status", [{ name: "a", type: "bool", tag: 1 }]),
      message("p.b.Status", "Status", [{ name: "b", type: "bool", tag: 1, doc: "Which" }]),
    ],
    services: [service("p.S.Get", "Get", "p.Node", "p.b.Status")],
    bundles: [{ from: "p.S", scope: "p", item: { name: "S", services: [refTo("p.S.Get")], flows: [] } }],
  });
  const once = addTo(drawn({}), whole).topology;
  const changed = {
    ...once,
    services: once.services.map((one) => ({ ...one, kind: "async-remote" as const, deadlineMs: 5 })),
  };
  const twice = addTo(changed, whole);
  expect(twice.topology).toEqual(changed);
  expect(twice.report).toMatchObject({ messages: [], services: [], bundles: [] });
  expect(twice.report.kept.map(({ to }) => to)).toEqual(["Node", "Status", "BStatus", "Get"]);
});

test("oneofs stay apart from each other and from fields when they are renamed, which is told", () => {
  const member = (name: string, tag: number, oneof: string): Message["fields"][number] => ({
    name,
    type: "bool",
    tag,
    optional: true,
    oneof,
  });
  const whole = described({
    messages: [
      message("p.M", "M", [
        member("value", 1, "Value"),
        member("a", 2, "kind"),
        member("b", 3, "Kind"),
        member("c", 4, "kind"),
      ]),
    ],
  });
  const { topology, report } = addTo(drawn({}), whole);
  expect(topology.messages[0]?.fields.map(({ oneof }) => oneof)).toEqual(["value2", "kind", "kind2", "kind"]);
  expect(report.renamed).toEqual([
    { from: "p.M.Value", to: "value2" },
    { from: "p.M.Kind", to: "kind2" },
  ]);
  expect(errors(topology)).toEqual([]);
  expect(addTo(topology, whole).topology).toEqual(topology);
});

test("what was renamed is known again, whatever it is", () => {
  const dangerous = ["v4stream", "Md5sum", "class", "_a", "a__b", `${"x".repeat(60)}_`, "NULL"];
  const whole = described({
    messages: dangerous.map((name, at) =>
      message(`p.${name}`, name, [
        { name, type: "bool", tag: 1 },
        { name: "kind", type: refTo("p.e4kind"), tag: 2, optional: true, oneof: name },
        { name: "other", type: refTo(`p.${dangerous.at(at - 1)}`), tag: 3, optional: true, oneof: name },
      ]),
    ),
    enums: [
      {
        from: "p.e4kind",
        scope: "p",
        item: {
          name: "e4kind",
          values: dangerous.map((name, number) => ({ name, number, protoName: name })),
        },
      },
    ],
    services: dangerous.map((name) => service(`p.s.${name}`, `Do${name}`, `p.${name}`)),
    bundles: [
      {
        from: "p.s",
        scope: "p",
        item: { name: "s4door", services: dangerous.map((name) => refTo(`p.s.${name}`)), flows: [] },
      },
    ],
  });
  const { topology } = addTo(drawn({}), whole);
  expect(addTo(topology, whole).report).toMatchObject({ messages: [], enums: [], services: [], bundles: [] });
});

test("a list that is drawn in other bytes stays so, which is noted, and draws nothing twice", () => {
  const whole = (packed?: false): Described =>
    described({
      messages: [
        message("p.Order", "Order", [
          { name: "sizes", type: "int32", tag: 1, repeated: true, ...(packed === false && { packed }) },
        ]),
        message("p.Cart", "Cart", [{ name: "order", type: refTo("p.Order"), tag: 1 }]),
      ],
    });
  const before = addTo(drawn({}), whole()).topology;
  const { topology, report } = addTo(before, whole(false));
  expect(topology).toEqual(before);
  expect(report.kept.map(({ to }) => to)).toEqual(["Order", "Cart"]);
  expect(report.notes).toEqual(["Order.sizes stays packed as drawn; the file has it unpacked"]);
  expect(addTo(before, whole()).report.notes).toEqual([]);
});

test("of messages that name each other one that differs makes all others new", () => {
  const pair = (type: string) =>
    described({
      messages: [
        message("p.A", "A", [{ name: "b", type: refTo("p.B"), tag: 1, optional: true }]),
        message("p.B", "B", [{ name: "x", type, tag: 1 }]),
      ],
    });
  const once = addTo(drawn({}), pair("bool")).topology;
  const { topology, report } = addTo(once, pair("string"));
  expect(report.messages).toEqual([
    { from: "p.A", to: "PA" },
    { from: "p.B", to: "PB" },
  ]);
  expect(topology.messages[2]?.fields[0]?.type).toBe("PB");
});

test("a doc that is too long keeps its first lines", () => {
  const doc = Array.from({ length: 100 }, (_, at) => `${at} ${"x".repeat(60)}`).join("\n");
  const { topology } = addTo(
    drawn({}),
    described({ messages: [{ ...message("p.A", "A"), item: { name: "A", fields: [], doc } }] }),
  );
  expect(doc.startsWith(topology.messages[0]?.doc ?? "?")).toBe(true);
  expect(errors(topology)).toEqual([]);
});

test("a doc may have as many bytes as a text, and is none where its first line has more", () => {
  const full = `${"ä".repeat(LIMITS.textBytes / 2 - 1)}\nb`;
  expect(shortDoc(full)).toBe(full);
  expect(shortDoc(`${full}\n`)).toBe(full);
  expect(shortDoc(`${"x".repeat(LIMITS.textBytes + 1)}\nb`)).toBe("");
});

test("names that are taken get the next numbers, whichever case they are in, and skip those that are there", () => {
  const taken = new TakenNames(["Ad", "Ad3"]);
  expect(["Ad", "AD", "Ad", "AD2"].map((name) => taken.take("message", [name]))).toEqual([
    "Ad2",
    "AD4",
    "Ad5",
    "AD22",
  ]);
});

test("values of two enums with one name in protobuf get that of their enum, and are told", () => {
  const kind = (from: string, name: string) => ({
    from,
    scope: "p",
    item: { name, values: [{ name: "STRING", number: 0, protoName: "STRING" }] },
  });
  const both = described({ enums: [kind("p.A.Kind", "AKind"), kind("p.B.Kind", "BKind")] });
  const { topology, report } = addTo(drawn({}), both);
  expect(topology.enums.map(({ values }) => values)).toEqual([
    [{ name: "STRING", number: 0, protoName: "STRING" }],
    [{ name: "STRING", number: 0 }],
  ]);
  expect(report.renamed).toEqual([{ from: "p.B.Kind.STRING", to: "B_KIND_STRING" }]);
  expect(errors(topology)).toEqual([]);
  expect(addTo(topology, both).topology).toEqual(topology);
});

test("things of one shape are each the one that was made of them, and none is drawn again", () => {
  const field = [{ name: "a", type: "bool", tag: 1 }];
  const both = described({
    messages: [message("x.A", "A", field), message("y.A", "A", field)],
    services: [service("x.S.Get", "Get", "x.A"), service("y.T.Get", "Get", "x.A")],
    bundles: [
      { from: "x.S", scope: "x", item: { name: "S", services: [refTo("x.S.Get")], flows: [] } },
      { from: "y.S", scope: "y", item: { name: "S", services: [refTo("y.T.Get")], flows: [] } },
    ],
  });
  const { topology } = addTo(drawn({}), both);
  expect(topology.bundles.map(({ name, services }) => [name, services])).toEqual([
    ["S", ["Get"]],
    ["YS", ["TGet"]],
  ]);
  const again = addTo(topology, both);
  expect(again.report).toMatchObject({ messages: [], services: [], bundles: [] });
  expect(again.report.kept.map(({ to }) => to)).toEqual(["A", "YA", "Get", "TGet"]);

  const turned = described({ ...both, messages: both.messages.toReversed() });
  expect(addTo(topology, turned).report).toMatchObject({ messages: [], services: [], bundles: [] });
});
