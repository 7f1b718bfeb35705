import { expect, test } from "vitest";
import { topologySchema } from "../model/topology/index.js";
import { nodeOfFile } from "./nodeOfFile.js";

const topology = topologySchema.parse({
  penstock: 1,
  name: "ads",
  services: [{ name: "GetAd", request: "Failure" }],
  binaries: [{ name: "ads-server" }],
});

test.each([
  ["src/services/get_ad.cpp", "service:GetAd"],
  ["src/services/get_ad/model_a.cpp", "service:GetAd"],
  ["tests/get_ad_test.cpp", "service:GetAd"],
  ["generated/binaries/ads_server.cpp", "binary:ads-server"],
  ["generated/binaries/ads_server/services_12.cpp", "binary:ads-server"],
  ["generated/binaries/other/services_1.cpp", ""],
  ["generated/messages.hpp", ""],
])("%s belongs to %s", (path, node) => {
  expect(nodeOfFile(topology, path)).toBe(node);
});
