import { describe, expect, it } from "vitest";
import { baseUrlFault, isRpcMethod, urlFault } from "./urlFault.js";

describe("a URL that cannot be asked", () => {
  it.each([
    ["", "does not begin with http:// or https://"],
    ["{host}/a", "does not begin with http:// or https://"],
    ["ftp://shop.example/", "does not begin with http:// or https://"],
    ["https://", "has no host and port that can be"],
    ["https://ann:secret@shop/", "holds a user"],
    ["http://", "has no host and port that can be"],
    ["http://shop:/", "has no host and port that can be"],
    ["http://shop.{zone}/", "has a field in its host or port"],
    ["http://shop:{port}", "has a field in its host or port"],
    ["http://ann:secret@shop/", "holds a user"],
    ["http://shop:0/", "has the port 0, not 1 to 65535"],
    ["http://shop:65536/", "has the port 65536, not 1 to 65535"],
    ["http://shop/{id", "has a brace without its partner"],
    ["http://shop/{id}/a b", "has a space or another character that is written as %20"],
    ["http://shop/\n", "has a space or another character that is written as %20"],
    ["http://shop/a#{id}", "has a #: what follows is never sent"],
  ])("%j", (text, fault) => expect(urlFault(text)).toBe(fault));

  it.each([
    "http://shop",
    "https://shop.example:8443/a/{id}",
    "http://[::1]:8080/",
    "http://shop?id={id}",
    "http://127.0.0.1:1/a/{id}/b?c={name}",
  ])("%j can", (text) => expect(urlFault(text)).toBeUndefined());
});

describe("a URL that a path is added to", () => {
  it.each([
    ["ftp://shop/", "does not begin with http:// or https://"],
    ["http://shop/twirp?a=b", "has a ?: the method is asked at a path behind it"],
    ["http://shop/{id}", "has a brace"],
    ["http://shop/{{id}}", "has a brace"],
  ])("%j is none", (text, fault) => expect(baseUrlFault(text)).toBe(fault));

  it.each(["http://shop", "http://shop/", "https://[::1]:8443/my/own/prefix"])("%j is one", (text) =>
    expect(baseUrlFault(text)).toBeUndefined(),
  );
});

describe("the full name of a method", () => {
  it.each(["shop.Prices/GetPrice", "Prices/GetPrice", "a.b_c.v1.D/e"])("%j is one", (text) =>
    expect(isRpcMethod(text)).toBe(true),
  );
  it.each([
    "",
    "GetPrice",
    "/shop.Prices/GetPrice",
    "shop.Prices/GetPrice/",
    "shop..Prices/Get",
    "a.B/C d",
    "a.B/../C",
    "1a.B/C",
    "a.B/C\n",
  ])("%j is none", (text) => expect(isRpcMethod(text)).toBe(false));
});
