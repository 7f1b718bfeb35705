import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { topologySchema } from "../model/topology/index.js";
import { MessageSchemas } from "./messageSchemas.js";

interface Field {
  name: string;
  tag: number;
  type: string;
  optional?: boolean;
  repeated?: boolean;
  packed?: false;
}
const schemasOf = (fields: Field[], name = "Tree", colour = "RED") =>
  new MessageSchemas(
    topologySchema.parse({
      penstock: 1,
      name: "a",
      enums: [{ name: "Colour", values: [{ name: colour, number: 0 }] }],
      messages: [
        { name, fields },
        { name: "Leaf", fields: [{ name: "sizes", tag: 1, type: "int32", repeated: true }] },
      ],
    }),
  );
const tree = (fields: Field[], name = "Tree", colour = "RED") => schemasOf(fields, name, colour).of(name);
const LEFT: Field = { name: "left", tag: 1, type: "Tree", optional: true };
const LEAF: Field = { name: "leaf", tag: 2, type: "Leaf" };
const COLOUR: Field = { name: "colour", tag: 3, type: "Colour" };
const first64 = (text: string) => `0x${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;

test("the schema of a message is that of all it holds, a circle included", () => {
  expect(tree([LEFT, LEAF, COLOUR])).toBe(
    first64("message 1=left:#0? 2=leaf:#1 3=colour:#2\nmessage 1=sizes:int32*\nenum 0=RED\n"),
  );
});

test("what two binaries compare is what the schema is made of", () => {
  expect(first64(schemasOf([LEFT, LEAF, COLOUR]).definitionsOf("Tree"))).toBe(tree([LEFT, LEAF, COLOUR]));
});

test("it changes with what the bytes mean, not with order or the name of the message", () => {
  const schema = tree([LEFT, LEAF, COLOUR]);
  expect(tree([COLOUR, LEAF, LEFT])).toBe(schema);
  expect(tree([{ ...LEFT, type: "Bush" }, LEAF, COLOUR], "Bush")).toBe(schema);
  const others = [
    tree([LEFT, LEAF]),
    tree([{ ...LEFT, tag: 4 }, LEAF, COLOUR]),
    tree([{ ...LEFT, name: "right" }, LEAF, COLOUR]),
    tree([LEFT, { ...LEAF, optional: true }, COLOUR]),
    tree([LEFT, LEAF, COLOUR], "Tree", "BLUE"),
  ];
  expect(new Set([schema, ...others]).size).toBe(6);
});

test("how a list is packed says nothing, as readers take both", () => {
  const list = { name: "sizes", tag: 1, type: "int32", repeated: true };
  expect(tree([{ ...list, packed: false }])).toBe(tree([list]));
});

test("no message is 0, and the built-in one has one in every project", () => {
  const schemas = new MessageSchemas(topologySchema.parse({ penstock: 1, name: "a" }));
  expect(schemas.of(undefined)).toBe("0");
  expect(schemas.of("Failure")).toBe(
    first64("message 1=code:int32 2=message:string 3=flow:string 4=stage:string\n"),
  );
});

test("a stage's answers say what became of its event, and are known by other numbers than a call's", () => {
  const schemas = new MessageSchemas(
    topologySchema.parse({
      penstock: 1,
      name: "a",
      messages: [{ name: "Leaf", fields: [{ name: "size", tag: 1, type: "int32" }] }, { name: "Out" }],
    }),
  );
  const leaf = "message 1=size:int32\n";
  expect(schemas.ofStage("side-effect", "Leaf", "Out")).toBe(
    first64(`message 1=ended:bool 2=changed:#1?\n${leaf}`),
  );
  expect(schemas.ofStage("map", "Out", "Leaf")).toBe(first64(`message 1=value:#1?\n${leaf}`));
  expect(schemas.ofStage("catch", "Failure", "Leaf")).toBe(schemas.ofStage("map", "Out", "Leaf"));
  expect(schemas.ofStage("catch", "Failure", undefined)).toBe("0");
});
