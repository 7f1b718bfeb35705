import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { snakeCase } from "../../topology/index.js";
import { legalName, NAME_KINDS, NAME_PATTERNS, nameFault, nameLists } from "../index.js";

const WISHES = [
  "", "x", "X", "class", "Class", "co_await", "NULL", "EOF", "std", "penstock", "signal", "main", "default", "Task",
  "../../x", "%2e", "a b-c", "größe", "سجل", "\u202eevil", "😀", "1st", "__a__b__", "a".repeat(10_240), "ab_".repeat(40), "İI", "__proto__",
  "test", "HTTPGet", "I", "errno", "n\u0000ul", "*/ \" \\ newline\n ??/", "Md5sum", "B2B", "-a_b-", "A".repeat(64), "a".repeat(64),
]; // prettier-ignore

describe("names", () => {
  it("row 66: a suggestion is always a legal name, whatever was wished for", () => {
    for (const kind of NAME_KINDS)
      for (const wish of WISHES) {
        const name = legalName(kind, wish);
        expect(nameFault(kind, name), `${kind}: ${wish.slice(0, 20)} -> ${name}`).toBeUndefined();
        expect(legalName(kind, name)).toBe(name);
      }
  });

  it("row 67: enum values leave the runtime's macros alone", () => {
    expect(nameFault("enum value", "PENSTOCK_VERSION_CHECK")?.code).toBe("PS205");
    expect(nameFault("enum value", "PENSTOCKS")).toBeUndefined();
  });

  it("keep what was good in a wish", () => {
    expect(legalName("service", "get ad")).toBe("GetAd");
    expect(legalName("field", "User name")).toBe("user_name");
    expect(legalName("enum value", "veryGood")).toBe("VERY_GOOD");
    expect(legalName("binary", "Ads Server")).toBe("ads_server");
    expect(legalName("project", "größe")).toBe("gro_e");
    expect(legalName("service", "GetAd")).toBe("GetAd");
    expect(legalName("enum value", "MD5SUM")).toBe("MD5SUM");
  });

  it("row 67: no word of any list is let through where it matters", () => {
    const lists = nameLists();
    const slips: string[] = [];
    for (const [list, kinds] of [
      ["keywords", NAME_KINDS],
      ["macros", NAME_KINDS],
      ["testMacros", ["message", "enum", "service", "implementation", "flow"]],
      ["types", ["message", "enum", "service", "implementation", "flow"]],
      ["globals", ["project"]],
      ["namespaces", ["project"]],
      ["targets", ["binary"]],
    ] as const)
      for (const kind of kinds)
        for (const word of lists[list] ?? [])
          if (
            NAME_PATTERNS[kind].pattern.test(word) &&
            nameFault(kind, word) === undefined &&
            !(kind === "pool" && word === "default")
          )
            slips.push(`${kind} ${word}`);
    expect(slips).toEqual([]);
    // What compilers keep lies there in the build folder (build/compilerCache.ts).
    expect(nameFault("binary", "ccache")).toMatchObject({ code: "PS205" });
    expect(lists["macros"]).toEqual(
      expect.arrayContaining(["NULL", "EOF", "NAN", "BUFSIZ", "errno", "stdin", "linux", "unix", "NDEBUG"]),
    );
    expect(lists["globals"]).toEqual(
      expect.arrayContaining(["time", "signal", "index", "main", "stat", "y0", "environ"]),
    );
  });

  it("let ordinary words through", () => {
    for (const name of [
      "Ad",
      "Order",
      "User",
      "Log",
      "Request",
      "Response",
      "Event",
      "Status",
      "Config",
      "Address",
    ])
      for (const kind of ["message", "enum", "service", "implementation", "flow", "bundle"] as const)
        expect(nameFault(kind, name)).toBeUndefined();
    for (const name of [
      "id",
      "name",
      "type",
      "value",
      "text",
      "message",
      "required",
      "package",
      "syntax",
      "rpc",
      "time",
      "handle",
      "calls",
    ])
      expect(nameFault("field", name)).toBeUndefined();
    for (const name of ["ads", "hello", "telecom", "trading", "order_book"])
      expect(nameFault("project", name)).toBeUndefined();
    for (const name of ["OK", "FREE", "PAID", "FAIL", "UNKNOWN", "NONE", "HIGH"])
      expect(nameFault("enum value", name)).toBeUndefined();
    expect(nameFault("pool", "default")).toBeUndefined();
  });

  it("become files in snake case", () => {
    expect(["GetAd", "HTTPGet", "HttpGet", "Md5Sum", "GetV2Ad", "userId", "ads-server", "A", "ABC"].map(snakeCase)).toEqual([
      "get_ad", "http_get", "http_get", "md5_sum", "get_v2_ad", "user_id", "ads_server", "a", "abc",
    ]); // prettier-ignore
  });
});

it.each(NAME_KINDS)("what is wrong with the form of a %s's name is said in words", (kind) => {
  const { code, message } = nameFault(kind, "9 lives?") ?? {};
  expect(code).toBe("PS201");
  expect(message).toMatch(/: use .*letters/);
  expect(message).not.toMatch(/[[\]*^$\\]/);
});

it("of headers are in a file of their own, apart from the rules", async () => {
  const built = await rolldown({
    input: new URL("../index.ts", import.meta.url).pathname,
    platform: "browser",
  });
  const { output } = await built.generate({ format: "esm" });
  await built.close();
  const chunks = output.flatMap((one) => (one.type === "chunk" ? [one] : []));
  const holding = (word: string) => chunks.filter(({ code }) => code.includes(word));
  expect(holding("a macro of the C or C++ headers").map(({ isEntry }) => isEntry)).toEqual([true]);
  for (const word of ["ABDAY_1", "ASSERT_DEATH", "aligned_alloc"])
    expect(holding(word).map(({ isEntry }) => isEntry)).toEqual([false]);
});
