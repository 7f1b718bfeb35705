import { expect, test } from "vitest";
import { frameName } from "./frameName.js";

test.each([
  ["ads::GetAd::handle", "GetAd::handle"],
  ["ads::GetAd::handle [clone .actor]", "GetAd::handle"],
  ["penstock::call::serve<ads::ProduceAd::ModelA>", "penstock::call::serve<ProduceAd::ModelA>"],
  ["penstock::call::(anonymous namespace)::begin", "penstock::call::begin"],
  [
    "penstock::flow::done<ads::Ad, (penstock::flow::Role)0, ads::Ad>",
    "penstock::flow::done<Ad, (penstock::flow::Role)0, Ad>",
  ],
  [
    "std::_Invoker<std::tuple<penstock::flow::PacedSource::start(unsigned int)::{lambda()#1}> >::go",
    "std::_Invoker<…>::go",
  ],
  ["std::operator<< <std::char_traits<char> >", "std::operator<< <std::char_traits<char> >"],
  ["Price::operator->", "Price::operator->"],
  ["a<b>::c<d>", "a<b>::c<d>"],
  ["f<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > >", "f<std::string >"],
  ["other::ads::Thing::run", "other::ads::Thing::run"],
  ["loads::GetAd::handle", "loads::GetAd::handle"],
  [">>>>", ">>>>"],
])("%s is shown as %s", (name, shown) => {
  expect(frameName(name, ["ads"])).toBe(shown);
});

test("a project that was renamed since has two namespaces, and neither is shown", () => {
  expect(frameName("penstock::call::serve<ads::GetAd, shop::Pick>", ["shop", "ads"])).toBe(
    "penstock::call::serve<GetAd, Pick>",
  );
});

test("no name fills a line", () => {
  expect(frameName("x".repeat(5_000), ["ads"])).toHaveLength(120);
});
