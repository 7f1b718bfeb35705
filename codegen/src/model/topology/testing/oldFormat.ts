import type { JsonObject } from "../../json/index.js";
import type { Migration } from "../migrations/index.js";

/** A step from a format that never was, as a later version will bring one: messages were called structs. */
export const STRUCTS_TO_MESSAGES: Migration = {
  from: 0,
  title: '`"structs"` became `"messages"`',
  migrate(document: JsonObject) {
    if (Object.hasOwn(document, "messages"))
      return { ok: false, reason: "stands beside messages", path: ["structs"] };
    const { structs = [], ...rest } = document;
    return { ok: true, document: { ...rest, penstock: 1, messages: structs } };
  },
};
