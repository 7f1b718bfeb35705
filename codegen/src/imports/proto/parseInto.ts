import protobuf from "protobufjs";

/** Parses into `root`. @throws what the parser throws */
export function parseInto(root: protobuf.Root, file: string, text: string): protobuf.IParserResult {
  const parse = protobuf.parse as typeof protobuf.parse & { filename: string | null };
  try {
    parse.filename = file;
    return protobuf.parse(text, root, { keepCase: true, alternateCommentMode: true });
  } finally {
    parse.filename = null;
  }
}
