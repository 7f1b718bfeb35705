import { describe, expect, it } from "vitest";
import { urlFault } from "./urlFault.js";

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
