import { isJsonObject } from "../../json/index.js";
import { nodeRef, type NodeKind, type NodeRef } from "./nodeRef.js";

const LISTS: Readonly<
  Record<string, { kind: NodeKind; inner?: { list: string; kind: NodeKind; key: string } }>
> = {
  messages: { kind: "message" },
  enums: { kind: "enum" },
  services: { kind: "service" },
  flows: { kind: "flow", inner: { list: "stages", kind: "stage", key: "id" } },
  bundles: { kind: "bundle" },
  binaries: { kind: "binary", inner: { list: "pools", kind: "pool", key: "name" } },
};

/** The drawn thing that a place in a (perhaps ill-formed) document belongs to, undefined when there is none. */
export function nodeAtPath(document: unknown, path: readonly PropertyKey[]): NodeRef | undefined {
  const [listName, index, innerName, innerIndex] = path;
  if (typeof listName !== "string" || !Object.hasOwn(LISTS, listName)) return undefined;
  const list = LISTS[listName];
  const item = itemOf(document, listName, index);
  if (list === undefined || item === undefined || typeof item["name"] !== "string") return undefined;
  if (list.inner !== undefined && innerName === list.inner.list) {
    const name = itemOf(item, innerName, innerIndex)?.[list.inner.key];
    if (typeof name === "string") return nodeRef(list.inner.kind, item["name"], name);
  }
  return nodeRef(list.kind, item["name"]);
}

function itemOf(
  holder: unknown,
  key: PropertyKey,
  index: PropertyKey | undefined,
): Record<string, unknown> | undefined {
  if (!isJsonObject(holder) || typeof key !== "string" || typeof index !== "number") return undefined;
  const list: unknown = holder[key];
  const item: unknown = Array.isArray(list) ? list[index] : undefined;
  return isJsonObject(item) ? item : undefined;
}
