import type { SourceText } from "@penstock/codegen/contract";
import { vi } from "vitest";

/** A server with the file f1, for tests; `refused` is why it takes no text, "" for that it does. */
export interface SourceServer {
  text: string;
  refused: string;
}

export function sourceServer(): SourceServer {
  const server: SourceServer = { text: "one\n", refused: "" };
  vi.stubGlobal("fetch", async (url: string, { method, body }: RequestInit) => {
    if (url.endsWith("/files"))
      return Response.json([{ id: "f1", path: "src/f1.cpp", node: "", owner: "user", written: true }]);
    if (method === "PUT") {
      if (server.refused)
        return Response.json(
          { error: { code: "refused", message: server.refused, help: "" } },
          { status: 404 },
        );
      server.text = (JSON.parse(body as string) as { text: string }).text;
    }
    const { text } = server;
    return Response.json({
      id: "f1",
      path: "src/f1.cpp",
      text,
      hash: text,
      readOnly: false,
      ...(method === "PUT" ? { written: true } : {}),
    } satisfies SourceText);
  });
  return server;
}
