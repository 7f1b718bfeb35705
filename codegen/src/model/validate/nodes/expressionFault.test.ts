import { expect, test } from "vitest";
import { expressionFault } from "./expressionFault.js";

test.each([
  "request.cents > 100",
  'request.text + "// no comment, no ; and no (" + std::string(1, \'"\')',
  "[&] { int sum = 0; for (int x : request.list) sum += x; return sum; }()",
  "1'000'000 + 0x1p-3 + 1e+6 + .5",
  "static_cast<std::vector<::shop::Order>>(request.list)[0].id",
  '"Zoë"',
  'request.a\n  + u8"b"\n',
  "a % b && !c ? d : ~e ^ f",
])("%j is an expression", (text) => {
  expect(expressionFault(text)).toBeUndefined();
});

test.each([
  ["", "is empty"],
  [" \n", "is empty"],
  ["f(1", "has a ( that is never closed"],
  ["f(1]", "has a ] that closes nothing of its kind"],
  ["1)", "has a ) that closes nothing of its kind"],
  ["} int x = [] {", "has a } that closes nothing of its kind"],
  ['"a', 'has a " without its partner'],
  ["'a", "has a ' without its partner"],
  ['"a\nb"', 'has a " without its partner'],
  ["1; 2", "has a ; outside of a lambda's body"],
  ["f(1; 2)", "has a ; outside of a lambda's body"],
  ["1 // one", "has a comment"],
  ["1 /* one", "has a comment"],
  ['R"(")" + 1', "has a raw string"],
  ['u8R"(")"', "has a raw string"],
  ["#define x", "has a line for the preprocessor"],
  ["1 +\n  #include <x>\n 2", "has a line for the preprocessor"],
  ["%:include <x>", "has a line for the preprocessor"],
  ["1 + \\\n2", "has a line that ends with a backslash"],
  ["1 ??/\n2", "has a line that ends with a backslash"],
  ["a <% b", "has <%; write the bracket itself"],
  ["a @ b", "has the character @"],
  ["a \\ b", "has the character \\"],
  ["é", "has the character é"],
  ["a\u0000", "has a control or invisible character"],
  ["a\u202e", "has a control or invisible character"],
  ['"\u0001"', "has a control or invisible character"],
  ["x".repeat(4001), "is longer than 4000 characters"],
])("%j is none: it %s", (text, fault) => {
  expect(expressionFault(text)).toBe(fault);
});
