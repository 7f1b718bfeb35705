import type { IncomingMessage } from "node:http";
import { LIMITS } from "../http/limits.js";
import { HttpRefusal } from "../http/httpRefusal.js";

const FORBIDDEN_KEYS = new Set(["__proto__", "constructor", "prototype"]);

const tooLarge = (limit: number): HttpRefusal =>
  new HttpRefusal(413, "too-large", `The body is larger than ${limit} bytes`, "", { close: true });

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Depth of the JSON text, counted without parsing it. */
function isTooDeep(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (inString) {
      if (char === "\\") index++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") {
      if (++depth > limit) return true;
    } else if (char === "}" || char === "]") depth--;
  }
  return false;
}

function hasForbiddenKey(root: unknown): boolean {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) for (const item of value) stack.push(item);
    else
      for (const [key, inner] of Object.entries(value)) {
        if (FORBIDDEN_KEYS.has(key)) return true;
        stack.push(inner);
      }
  }
  return false;
}

/** Reads a body of at most `limit` bytes as JSON; undefined when there is none. Type and encoding were checked before. */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<unknown> {
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new HttpRefusal(400, "utf-8", "The body is not valid UTF-8");
  }
  if (isTooDeep(text, LIMITS.bodyDepth)) {
    throw new HttpRefusal(400, "depth", `The body is nested deeper than ${LIMITS.bodyDepth} levels`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new HttpRefusal(400, "json", `The body is no JSON: ${(error as Error).message.slice(0, 200)}`);
  }
  if (hasForbiddenKey(value)) throw new HttpRefusal(400, "key", "The body has a key that is not allowed");
  return value;
}
