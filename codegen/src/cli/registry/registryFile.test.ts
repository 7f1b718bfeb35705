import { expect, test } from "vitest";
import { readRegistry, registryText } from "./registryFile.js";

/** What the registry of FORB's chapter 3.3 says: ns::A at 192.0.2.1:13994. */
const OBJECT = { name: "obj_name", module: "ns", class: "A", ip: "192.0.2.1", port: 13_994 };

test("a registry is read as FORB reads it, and written so", () => {
  const text = registryText([OBJECT, { ...OBJECT, name: "other", module: "" }]);
  expect(JSON.parse(text)).toEqual({ objects: [OBJECT, { ...OBJECT, name: "other", module: "" }] });
  expect(readRegistry(text)).toEqual([OBJECT, { ...OBJECT, name: "other", module: "" }]);
  const more = JSON.stringify({
    objects: [
      { ...OBJECT, comment: 1 },
      { ...OBJECT, port: 1 },
    ],
    by: "hand",
  });
  expect(readRegistry(more)).toEqual([OBJECT]);
});

test.each([
  ["{", "is no JSON"],
  ["null", 'has no list "objects"'],
  ['{"models-server": ["10.0.0.5:7400"]}', 'has no list "objects"'],
  ['{"objects": [null]}', "has null as its object 1"],
  ['{"objects": [[]]}', "has a list as its object 1"],
  [
    JSON.stringify({ objects: [OBJECT, { ...OBJECT, name: "" }] }),
    'has no "name" in object 2, which is a string',
  ],
  [JSON.stringify({ objects: [{ ...OBJECT, class: 1 }] }), 'has no "class" in object 1, which is a string'],
  ...[0, 65_536, 1.5, "1", null].map((port) => [
    JSON.stringify({ objects: [{ ...OBJECT, port }] }),
    'has no "port" in object 1, which is a number from 1 to 65535',
  ]),
] as [string, string][])("refuses %j", (text, why) => {
  expect(() => readRegistry(text)).toThrow(why);
});
