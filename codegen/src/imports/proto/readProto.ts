import protobuf from "protobufjs";
import { nothingDescribed, type Described, type Source } from "../described.js";
import { loadProto } from "./loadProto.js";
import { describeEnum } from "./protoEnum.js";
import { describeMessage } from "./protoMessage.js";
import { describeServices } from "./protoService.js";
import { completeName, isGroup, type Reading } from "./reading.js";

/** All types and services that the file itself declares, in its order. */
function* declaredIn(space: protobuf.NamespaceBase, file: string): Generator<protobuf.ReflectionObject> {
  for (const item of space.nestedArray) {
    if (item.filename === file && !(item instanceof protobuf.Field)) yield item;
    if (item instanceof protobuf.Type || item instanceof protobuf.Namespace) yield* declaredIn(item, file);
  }
}

const OPTIONS = /^\.?google\.protobuf\.\w+Options$/;

function leaveOutExtensions({ loaded, leaveOut, note }: Reading, file: string): void {
  for (const field of loaded.extensions) {
    if (field.filename !== file) continue;
    if (OPTIONS.test(field.extend ?? ""))
      note("Options of its own, which only generators of code read, are not kept.");
    else leaveOut(completeName(field), `an extension of ${field.extend ?? ""}`);
  }
}

/**
 * Reads a `.proto` file: all that it declares, and of the files that it imports the messages and enums that are
 * needed for that.
 * @throws {NotReadable}
 */
export function readProto(source: Source): Described {
  const loaded = loadProto(source);
  const described = nothingDescribed();
  const notes = new Set<string>();
  const reading: Reading = {
    loaded,
    described,
    leaveOut: (name, reason, at = name) => described.leftOut.push({ name, reason, ...loaded.spotOf(at) }),
    note: (text) => notes.add(text),
  };
  leaveOutExtensions(reading, source.file);
  const declared = [...declaredIn(loaded.root, source.file)];
  const seen = new Set<protobuf.ReflectionObject>();
  const queue = declared.filter((item) => item instanceof protobuf.Type || item instanceof protobuf.Enum);
  for (const service of declared)
    if (service instanceof protobuf.Service) queue.push(...describeServices(service, reading));
  for (let at = 0; at < queue.length; ++at) {
    const item = queue[at]!;
    if (seen.has(item)) continue;
    seen.add(item);
    if (item instanceof protobuf.Enum) describeEnum(item, reading);
    else if (!isGroup(item)) queue.push(...describeMessage(item, reading));
  }
  described.leftOut.sort((a, b) => Number(a.file > b.file) - Number(a.file < b.file) || a.line - b.line);
  described.notes.push(...notes);
  return described;
}
