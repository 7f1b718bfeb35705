import { describe, expect, it } from "vitest";
import { changesRequest } from "./changingHandlers.js";

describe("a handler changes its request", () => {
  it.each([
    "void LogAd::handle(Ad& ad) {",
    "penstock::Task<void> ads::LogAd::handle( ::ads::Ad & request ) {",
    "void LogAd :: handle(\n    Ad &ad) {",
    "// handle(const Ad& ad)\nvoid LogAd::handle(Ad& /*const*/ ad) {",
    "void Other::count() { Base::handle(ad); }\nauto LogAd::handle(Ad& ad) noexcept -> void {",
    "void LogAd::handle(Ad& ad) try {",
  ])("by %j", (text) => expect(changesRequest(text, "LogAd")).toBe(true));

  it.each([
    "void LogAd::handle(const Ad& ad) {",
    "void LogAd::handle(Ad const& ad) {",
    "void LogAd::handle(Ad&& ad) {",
    "void LogAd::handle(Ad ad) { other(ad); Ad& same = ad; }",
    "void LogAd::handle(const Ad& ad) { Base::handle(a & b); }",
    "// void LogAd::handle(Ad& ad)",
    "void Parser::handle(std::string& token) { }\nvoid LogAd::handle(const Ad& ad) {",
    "",
  ])("not by %j", (text) => expect(changesRequest(text, "LogAd")).toBe(false));

  it("which may be one of several", () => {
    const text = "void Mark::Fast::handle(Ad& ad) { }\nvoid Mark::Slow::handle(const Ad& ad) { }";
    expect(changesRequest(text, "Mark::Fast")).toBe(true);
    expect(changesRequest(text, "Mark::Slow")).toBe(false);
  });

  it("not by an opening with blanks without an end, which is read once", () =>
    expect(changesRequest(`void LogAd::handle(${" ".repeat(400_000)}(Ad& ad)`, "LogAd")).toBe(false));
});
