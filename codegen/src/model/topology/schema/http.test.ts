import { expect, test } from "vitest";
import { certifiedHosts } from "./http.js";

test("a certificate is for its binary, this machine, its address and the hosts that are drawn, each once", () => {
  const hostsOf = (address: string, hosts: string[], tls: "keys" | "off" = "keys"): string[] =>
    certifiedHosts({ name: "ads_server", http: { address, tls, hosts } });
  const anyway = ["ads-server", "ads-server-http", "localhost", "127.0.0.1"];
  expect(hostsOf("0.0.0.0:8080", ["api.shop.example", "localhost"])).toEqual([...anyway, "api.shop.example"]);
  expect(hostsOf("[2001:db8::5]:8080", ["2001:db8::5"])).toEqual([...anyway, "2001:db8::5"]);
  expect(hostsOf("0.0.0.0:8080", ["api.shop.example"], "off")).toEqual([]);
});
