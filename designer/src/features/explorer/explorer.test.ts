import { describe, expect, it } from "vitest";
import { standardSourceIcon } from "../../kernel/ui/icons/iconKind.js";
import { adsTopology } from "../../testing/ads.js";
import { searchFor } from "./search.js";
import { treeRows } from "./tree.js";

const rows = (query = "", folded: string[] = []) =>
  treeRows(
    adsTopology(),
    searchFor(query, {
      unwritten: new Set(["LogAd"]),
      marks: new Map([["service:GetAd", "error" as const]]),
      blocked: new Set(["ProduceAd"]),
    }),
    new Set(folded),
    standardSourceIcon,
  ).map((row) => `${"  ".repeat(row.depth)}${row.label}`);

describe("the project tree", () => {
  it("shows binaries, bundles, flows with their stages, other services, pools and messages", () => {
    expect(rows()).toEqual([
      "ads-server",
      "  AdBundle",
      "    Impressions",
      "      GetAd",
      "      LogAd",
      "      CountError",
      "    ProduceAd",
      "  front",
      "  models",
      "AdRequest",
      "Ad",
    ]);
  });

  it("hides what is folded away, and shows it again while searching", () => {
    expect(rows("", ["binary:ads-server"])).toEqual(["ads-server", "AdRequest", "Ad"]);
    expect(rows("count", ["binary:ads-server"])).toContain("      CountError");
  });

  it("keeps the way to what matches", () => {
    expect(rows("produce")).toEqual(["ads-server", "  AdBundle", "    ProduceAd"]);
  });

  it("understands states", () => {
    expect(rows("is:unwritten").at(-1)).toBe("      LogAd");
    expect(rows("is:error").at(-1)).toBe("      GetAd");
    expect(rows("is:blocked").at(-1)).toBe("    ProduceAd");
    expect(rows("is:blocked is:unwritten")).toEqual([]);
  });

  it("keeps what nobody holds in sight", () => {
    const topology = { ...adsTopology(), bundles: [], binaries: [] };
    const labels = treeRows(topology, undefined, new Set(), standardSourceIcon).map((row) => row.label);
    expect(labels).toEqual(["Impressions", "GetAd", "LogAd", "CountError", "ProduceAd", "AdRequest", "Ad"]);
  });
});
