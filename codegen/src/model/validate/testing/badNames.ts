import { force, type BadExample } from "./badExample.js";

/** Mistakes in names, messages and enums. */
export const BAD_NAMES: readonly BadExample[] = [
  {
    code: "PS201",
    title: "row 66: a service in Arabic",
    spoil: ({ logAd, bundle, log }) => {
      logAd.name = "سجل";
      log.service = "سجل";
      bundle.services![2] = "سجل";
    },
    pointer: "/services/2/name",
    help: '"MyService"',
  },
  {
    code: "PS201",
    title: "row 66: a right-to-left override in a name",
    spoil: ({ tier, request, ad }) => {
      tier.name = "Tier\u202e";
      request.fields![1]!.type = tier.name;
      ad.fields![1]!.type = tier.name;
    },
    pointer: "/enums/0/name",
    help: '"Tier"',
  },
  {
    code: "PS201",
    title: "row 66: an umlaut in a field",
    spoil: ({ ad }) => void (ad.fields![0]!.name = "größe"),
    pointer: "/messages/1/fields/0/name",
  },
  {
    code: "PS201",
    title: "an empty name",
    spoil: ({ document }) => void (document.name = ""),
    pointer: "/name",
  },
  {
    code: "PS201",
    title: "a path as the project's name",
    spoil: ({ document }) => void (document.name = "../../x"),
    pointer: "/name",
    help: '"x"',
  },
  {
    code: "PS201",
    title: "a field that starts in upper case",
    spoil: ({ ad }) => void (ad.fields![0]!.name = "Text"),
    pointer: "/messages/1/fields/0/name",
    help: '"text"',
  },
  {
    code: "PS202",
    title: "row 66: a name of 10 kB",
    spoil: ({ document }) => void (document.name = "a".repeat(10_240)),
    pointer: "/name",
  },
  {
    code: "PS202",
    title: "a name of 65 characters",
    spoil: ({ front, pick, document }) => {
      front.name = "p".repeat(65);
      pick.join = { pool: front.name };
      document.binaries![0]!.placement!["GetAd"] = { pool: front.name };
    },
    pointer: "/binaries/0/pools/0/name",
    node: `pool:ads-server/${"p".repeat(65)}`,
  },
  {
    code: "PS203",
    title: "row 67: `class` as a field",
    spoil: ({ ad }) => void (ad.fields![0]!.name = "class"),
    pointer: "/messages/1/fields/0/name",
    node: "message:Ad",
    help: '"class_value"',
  },
  {
    code: "PS203",
    title: "row 67: `co_await` as a stage",
    spoil: ({ pick }) => void (pick.id = "co_await"),
    pointer: "/flows/0/stages/0/id",
    help: '"co_await_stage"',
  },
  {
    code: "PS203",
    title: "`module` as the project",
    spoil: ({ document }) => void (document.name = "module"),
    pointer: "/name",
  },
  {
    code: "PS204",
    title: "row 67: `NULL` as a message",
    spoil: ({ document }) => void document.messages!.push({ name: "NULL" }),
    pointer: "/messages/2/name",
    help: '"NULLMessage"',
  },
  {
    code: "PS204",
    title: "`EOF` as an enum value",
    spoil: ({ tier }) => void (tier.values![1]!.name = "EOF"),
    pointer: "/enums/0/values/1/name",
    help: '"EOF_VALUE"',
  },
  {
    code: "PS204",
    title: "`st_mtime` as a field",
    spoil: ({ ad }) => void (ad.fields![0]!.name = "st_mtime"),
    pointer: "/messages/1/fields/0/name",
  },
  {
    code: "PS204",
    title: "`linux` as a binary",
    spoil: ({ binary }) => void (binary.name = "linux"),
    pointer: "/binaries/0/name",
  },
  {
    code: "PS205",
    title: "`std` as the project",
    spoil: ({ document }) => void (document.name = "std"),
    pointer: "/name",
  },
  {
    code: "PS205",
    title: "a function of the C library as the project",
    spoil: ({ document }) => void (document.name = "signal"),
    pointer: "/name",
    help: '"signal_app"',
  },
  {
    code: "PS205",
    title: "the built-in message",
    spoil: ({ document }) => void document.messages!.push({ name: "Failure" }),
    pointer: "/messages/2/name",
  },
  {
    code: "PS205",
    title: "a target of the build as a binary",
    spoil: ({ binary }) => void (binary.name = "test"),
    pointer: "/binaries/0/name",
  },
  {
    code: "PS205",
    title: "two underscores in a row",
    spoil: ({ ad }) => void (ad.fields![0]!.name = "a__b"),
    pointer: "/messages/1/fields/0/name",
  },
  {
    code: "PS206",
    title: "row 64: two services of one name",
    spoil: ({ document, logAd }) => void document.services!.push({ ...logAd }),
    pointer: "/services/4/name",
    node: "service:LogAd",
  },
  {
    code: "PS206",
    title: "row 64: two stages of one id",
    spoil: ({ log }) => void (log.id = "pick"),
    pointer: "/flows/0/stages/1/id",
  },
  {
    code: "PS206",
    title: "two pools of one name",
    spoil: ({ binary, front }) => void binary.pools!.push({ ...front }),
    pointer: "/binaries/0/pools/2/name",
  },
  {
    code: "PS207",
    title: "HTTPGet and HttpGet",
    spoil: ({ document }) => void document.messages!.push({ name: "HTTPGet" }, { name: "HttpGet" }),
    pointer: "/messages/3/name",
  },
  {
    code: "PS207",
    title: "user_id and userId",
    spoil: ({ ad }) =>
      void ad.fields!.push(
        { name: "user_id", type: "int32", tag: 8 },
        { name: "userId", type: "int32", tag: 9 },
      ),
    pointer: "/messages/1/fields/3/name",
  },
  {
    code: "PS207",
    title: "binaries a-b and a_b",
    spoil: ({ document }) => void document.binaries!.push({ name: "a-b" }, { name: "a_b" }),
    pointer: "/binaries/2/name",
  },
  {
    code: "PS207",
    title: "a service and a message that differ in case",
    spoil: ({ document }) => void document.messages!.push({ name: "Getad" }),
    pointer: "/services/0/name",
  },
  {
    code: "PS207",
    title: "enum values that meet in the .proto",
    spoil: ({ document }) =>
      void document.enums!.push(
        { name: "A", values: [{ name: "B_C", number: 0 }] },
        { name: "AB", values: [{ name: "X", number: 0 }] },
        { name: "AbC", values: [{ name: "Y", number: 0 }] },
        { name: "Ab", values: [{ name: "C_Y", number: 0 }] },
      ),
    pointer: "/enums/4/values/0/name",
  },
  {
    code: "PS208",
    title: "a flow named as a message",
    spoil: ({ flow, bundle }) => {
      flow.name = "Ad";
      bundle.flows = ["Ad"];
    },
    pointer: "/flows/0/name",
  },
  {
    code: "PS210",
    title: "row 65: a field of an unknown type",
    spoil: ({ ad }) => void (ad.fields![1]!.type = "Teir"),
    pointer: "/messages/1/fields/1/type",
    node: "message:Ad",
    help: 'Did you mean "Tier"?',
  },
  {
    code: "PS211",
    title: "tag 0",
    spoil: ({ ad }) => void (ad.fields![0]!.tag = 0),
    pointer: "/messages/1/fields/0/tag",
    help: "for example 3.",
  },
  {
    code: "PS211",
    title: "tag 2^29",
    spoil: ({ ad }) => void (ad.fields![0]!.tag = 2 ** 29),
    pointer: "/messages/1/fields/0/tag",
  },
  {
    code: "PS212",
    title: "a tag of protobuf's own",
    spoil: ({ ad }) => void (ad.fields![0]!.tag = 19_000),
    pointer: "/messages/1/fields/0/tag",
  },
  {
    code: "PS213",
    title: "a tag twice",
    spoil: ({ ad }) => void (ad.fields![1]!.tag = 1),
    pointer: "/messages/1/fields/1/tag",
  },
  {
    code: "PS214",
    title: "repeated and optional",
    spoil: ({ ad }) => force(ad.fields![0]!, { repeated: true, optional: true }),
    pointer: "/messages/1/fields/0/optional",
  },
  {
    code: "PS215",
    title: "an array of nothing",
    spoil: ({ ad }) => void (ad.fields![0]!.length = 0),
    pointer: "/messages/1/fields/0/length",
  },
  {
    code: "PS215",
    title: "an array of 65537",
    spoil: ({ ad }) => void (ad.fields![0]!.length = 65_537),
    pointer: "/messages/1/fields/0/length",
  },
  {
    code: "PS216",
    title: "a message in itself by way of another",
    spoil: ({ ad, request }) => {
      ad.fields!.push({ name: "request", type: "AdRequest", tag: 9 });
      request.fields!.push({ name: "ad", type: "Ad", tag: 9, length: 2 });
    },
    pointer: "/messages/1/fields/2/type",
  },
  {
    code: "PS221",
    title: "arrays of arrays",
    spoil: ({ document }) =>
      void document.messages!.push(
        { name: "Room", fields: [{ name: "shelves", type: "Shelf", tag: 1, length: 65_536 }] },
        {
          name: "Shelf",
          fields: [
            { name: "number", type: "int32", tag: 1 },
            { name: "boxes", type: "Box", tag: 2, length: 65_536 },
          ],
        },
        { name: "Box", fields: [{ name: "weights", type: "double", tag: 1, length: 65_536 }] },
      ),
    pointer: "/messages/3/fields/1/length",
  },
  {
    code: "PS221",
    title: "many arrays in one message that holds itself",
    spoil: ({ ad, document }) => {
      ad.fields!.push({ name: "next", type: "Twin", tag: 3, optional: true });
      document.messages!.push({ name: "Twin", fields: ad.fields });
      for (const tag of [4, 5, 6])
        ad.fields!.push({ name: `list${tag}`, type: "double", tag, length: 65_536 });
    },
    pointer: "/messages/1/fields/3/length",
  },
  {
    code: "PS217",
    title: "an empty enum",
    spoil: ({ document }) => void document.enums!.push({ name: "None" }),
    pointer: "/enums/1",
    node: "enum:None",
  },
  {
    code: "PS218",
    title: "an enum that starts with 1",
    spoil: ({ document }) =>
      void document.enums!.push({ name: "From1", values: [{ name: "ONE", number: 1 }] }),
    pointer: "/enums/1/values/0/number",
  },
  {
    code: "PS219",
    title: "an enum number beyond int32",
    spoil: ({ tier }) => void (tier.values![1]!.number = 2 ** 31),
    pointer: "/enums/0/values/1/number",
  },
  {
    code: "PS220",
    title: "an alias",
    spoil: ({ tier }) => void (tier.values![1]!.number = 0),
    pointer: "/enums/0/values/1/number",
  },
];
