import { sha256 } from "@noble/hashes/sha2.js";
import type { JsonValue } from "../../json/index.js";
import { ruledPresets } from "../graph/ruledPresets.js";
import { plain } from "./print.js";
import { topologySchema, type Binary, type Topology } from "../schema/schema.js";
import { encodeUtf8 } from "../../text/index.js";

/**
 * `sha256:` and 64 hex digits of what a topology means: its canonical form without the `doc` texts
 * and the presets, but for those that a rule brings into force, so that a binary counts as up to date while only
 * descriptions change or a preset is saved. Synchronous, browser-safe, O(n).
 */
export function topologyHash(topology: Topology): string {
  const meant = { ...topology, binaries: topology.binaries.map(withoutUnruledPresets) };
  const bytes = sha256(encodeUtf8(JSON.stringify(withoutDocs(plain(topologySchema, meant, "long") ?? null))));
  return `sha256:${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Keys whose values hold names of the user's at any place. */
const OF_OTHERS: ReadonlySet<string> = new Set(["settings", "event"]);

function withoutUnruledPresets(binary: Binary): Binary {
  const { presets: _, ...rest } = binary;
  const presets = ruledPresets(binary);
  return presets.length === 0 ? rest : { ...rest, presets };
}

/**
 * No name of the format is `doc` (names of maps begin with a capital), so the key always is the text, except
 * in settings, which are another's.
 */
function withoutDocs(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutDocs);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "doc")
      .map(([key, inner]) => [key, OF_OTHERS.has(key) ? inner : withoutDocs(inner)]),
  );
}
