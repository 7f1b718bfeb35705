import { expect, test } from "vitest";
import { topologyHash, topologySchema } from "../model/topology/index.js";
import { planProject } from "./planProject.js";

function planned(binary: object) {
  const topology = topologySchema.parse({
    penstock: 1,
    name: "shop",
    messages: [{ name: "Order" }],
    services: [
      { name: "Price", request: "Order", response: "Order" },
      { name: "Note", request: "Order" },
    ],
    bundles: [
      { name: "Prices", services: ["Price", "Note"] },
      { name: "More", services: ["Price"] },
      { name: "Elsewhere", services: ["Price"] },
    ],
    binaries: [{ name: "prices", bundles: ["Prices", "More"], ...binary }],
  });
  return planProject(topology, topologyHash(topology), "0.1.0", new Map()).binaries[0]!;
}

test("an exposed service has a route a bundle of its binary", () => {
  const { exposed, configuration, includes } = planned({ http: "127.0.0.1:0", expose: ["Price", "Note"] });
  expect(exposed.map(({ service, route }) => [service.name, route])).toEqual([
    ["Price", "shop.Prices/Price"],
    ["Price", "shop.More/Price"],
    ["Note", "shop.Prices/Note"],
  ]);
  expect(configuration).toMatchObject({ http: "127.0.0.1:0", expose: { prefix: "/twirp" } });
  expect(includes).toContain("messages_codec.hpp");
});

test("a binary is told the prefix and the origins that are drawn", () => {
  const http = { address: "127.0.0.1:8080", prefix: "", origins: ["https://shop.example"] };
  expect(planned({ http, expose: ["Note"] }).configuration).toMatchObject({
    http: "127.0.0.1:8080",
    expose: { prefix: "", origins: ["https://shop.example"] },
  });
});

test("without exposed services a configuration says nothing of them", () => {
  const { configuration, exposed } = planned({ http: { address: "127.0.0.1:0", prefix: "/a" } });
  expect(configuration.http).toBe("127.0.0.1:0");
  expect(configuration).not.toHaveProperty("expose");
  expect(exposed).toEqual([]);
});

test("a binary is told who may ask and what secures it where that is drawn, and TLS is linked for it alone", () => {
  const secured = planned({
    http: { address: "0.0.0.0:8080", auth: "bearer", tls: "keys", accepted: "why" },
  });
  expect(secured.configuration.http).toEqual({ address: "0.0.0.0:8080", auth: "bearer", tls: "keys" });
  expect(secured.isHttps).toBe(true);
  expect(secured.isSecured).toBe(false);
  const open = planned({ http: { address: "0.0.0.0:8080", auth: "none", tls: "off" } });
  expect(open.configuration.http).toEqual({ address: "0.0.0.0:8080", auth: "none", tls: "off" });
  expect(open.isHttps).toBe(false);
});
