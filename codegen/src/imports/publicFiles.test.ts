import { readdirSync, readFileSync } from "node:fs";
import protobuf from "protobufjs";
import { expect, test } from "vitest";
import { newProject } from "../model/topology/index.js";
import { findAmong } from "./findAmong.js";
import { importFiles } from "./importFiles.js";

const folder = new URL("../../test/protos/", import.meta.url);
const filesIn = (part: string) =>
  readdirSync(new URL(`${part}/`, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".proto"))
    .sort()
    .map((path) => ({
      path: `${part}/${path}`,
      text: readFileSync(new URL(`${part}/${path}`, folder), "utf8"),
    }));

/** Complete names of all that is declared, as the parser alone has them. */
function declared(texts: readonly string[]): { messages: string[]; enums: string[]; calls: string[] } {
  const root = new protobuf.Root();
  for (const text of texts) protobuf.parse(text, root, { keepCase: true });
  const found = { messages: [] as string[], enums: [] as string[], calls: [] as string[] };
  const look = (space: protobuf.NamespaceBase): void => {
    for (const item of space.nestedArray) {
      const name = item.fullName.slice(1);
      if (item instanceof protobuf.Type) found.messages.push(name);
      if (item instanceof protobuf.Enum) found.enums.push(name);
      if (item instanceof protobuf.Service)
        found.calls.push(...item.methodsArray.map((call) => `${name}.${call.name}`));
      if (item instanceof protobuf.Namespace) look(item);
    }
  };
  look(root);
  return found;
}

test.each([
  ["OpenTelemetry's files", ["opentelemetry"]],
  ["googleapis' common types and OpenTelemetry's files", ["google", "opentelemetry"]],
])("%s come in without a message, field, enum or call lost", async (_, parts) => {
  const files = parts.flatMap(filesIn);
  const sources = files.map((file) => ({
    file: file.path,
    text: file.text,
    find: findAmong(files, file),
  }));
  const { topology, report, problems } = await importFiles(newProject("taken"), sources);
  expect(report.leftOut).toEqual([]);
  expect(problems).toEqual([]);
  const there = declared(files.map(({ text }) => text));
  expect(there.messages.length).toBeGreaterThan(50);
  const from = (list: { from: string }[]): string[] => list.map((one) => one.from);
  expect(from(report.messages)).toEqual(expect.arrayContaining(there.messages));
  expect(from(report.enums)).toEqual(expect.arrayContaining(there.enums));
  expect(from(report.services).sort()).toEqual(there.calls.sort());
  expect(topology.messages).toHaveLength(report.messages.length);

  const again = await importFiles(topology, sources);
  expect(again.report).toMatchObject({ messages: [], enums: [], services: [], bundles: [] });
});

test("fields of the public files keep tags, how many and oneofs", async () => {
  const files = filesIn("opentelemetry");
  const metric = files.find(({ path }) => path.endsWith("/metrics.proto"))!;
  const { topology } = await importFiles(newProject("taken"), [
    { file: metric.path, text: metric.text, find: findAmong(files, metric) },
  ]);
  const point = topology.messages.find(({ name }) => name === "NumberDataPoint");
  expect(point?.fields).toMatchObject([
    { name: "attributes", tag: 7, type: "KeyValue", repeated: true },
    { name: "start_time_unix_nano", tag: 2, type: "uint64", encoding: "fixed" },
    { name: "time_unix_nano", tag: 3, type: "uint64", encoding: "fixed" },
    { name: "as_double", tag: 4, type: "double", optional: true, oneof: "value" },
    { name: "as_int", tag: 6, type: "int64", encoding: "fixed", optional: true, oneof: "value" },
    { name: "exemplars", tag: 5, type: "Exemplar", repeated: true },
    { name: "flags", tag: 8, type: "uint32" },
  ]);
  expect(point?.reserved).toEqual({ numbers: [1], names: [] });
});
