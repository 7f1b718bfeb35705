import protobuf from "protobufjs";
import {
  nothingDescribed,
  type Described,
  type Read,
  type ReadDescriptions,
  type Source,
} from "../described/described.js";
import { Loader, type Loaded, type ProtoFile } from "./loadProto.js";
import { describeEnum } from "./protoEnum.js";
import { describeMessage } from "./protoMessage.js";
import { describeServices } from "./protoService.js";
import { isGroup, type Reading } from "./reading.js";

const OPTIONS = /^\.?google\.protobuf\.\w+Options$/;

function leaveOutExtensions({ extensions }: ProtoFile, { leaveOut, note }: Reading): void {
  for (const { name, extend } of extensions) {
    if (OPTIONS.test(extend)) note("Options of its own, which only generators of code read, are not kept.");
    else leaveOut(name, `an extension of ${extend}`);
  }
}

/** What a file declares, and of what it imports the messages and enums that are needed for that; nothing of `seen`. */
function describe(file: ProtoFile, loaded: Loaded, seen: Set<protobuf.ReflectionObject>): Described {
  const described = nothingDescribed();
  const notes = new Set<string>();
  const reading: Reading = {
    loaded,
    described,
    leaveOut: (name, reason, at = name) => described.leftOut.push({ name, reason, ...loaded.spotOf(at) }),
    note: (text) => notes.add(text),
  };
  leaveOutExtensions(file, reading);
  const queue = file.declared.filter(
    (item) => item instanceof protobuf.Type || item instanceof protobuf.Enum,
  );
  for (const service of file.declared)
    if (service instanceof protobuf.Service && !seen.has(service)) {
      seen.add(service);
      queue.push(...describeServices(service, reading));
    }
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

/**
 * Reads `.proto` files: all that they declare, and of the files that they import the messages and enums that are
 * needed for that. Each distinct text is parsed once; between two `pause` lets others go on, or throws.
 * @throws {NotReadable}
 */
export const readProtos: ReadDescriptions = async (sources, pause) => {
  const loader = new Loader(new Map(sources.toReversed().map(({ file, text }) => [text, file])));
  const files = new Set<ProtoFile>();
  for (const source of sources) {
    files.add(loader.load(source));
    await pause();
  }
  loader.resolve();
  const seen = new Set<protobuf.ReflectionObject>();
  const read: Read[] = [];
  for (const file of files) {
    read.push({ file: file.file, described: describe(file, loader, seen) });
    await pause();
  }
  return read;
};

/** The same of one file, at once. @throws {NotReadable} */
export function readProto(source: Source): Described {
  const loader = new Loader();
  const file = loader.load(source);
  loader.resolve();
  return describe(file, loader, new Set());
}
