import { expect, it } from "vitest";
import { adsTopology } from "../../../testing/ads.js";
import { schemaOf } from "../../../testing/schemaOf.js";
import { threadPlaces } from "./threadPlaces.js";

const schema = (services: string[], pools: string[]) =>
  schemaOf({
    services: services.map((name, id) => ({ id, name })),
    pools: pools.map((name, id) => ({ id, name })),
  });

it("are those of the drawing by the names of now, of services that the binary has", () => {
  const built = adsTopology();
  built.services.find(({ name }) => name === "LogAd")!.partitionBy = "cookie";
  built.binaries[0]!.placement = {
    GetAd: { pool: "front" },
    ProduceAd: { pool: "models", thread: 2 },
    LogAd: { pool: "models", thread: 0 },
    CountError: { pool: "models", thread: 1 },
  };
  const own = schema(["ProduceAd", "GetAd", "LogAd"], ["default", "front", "models"]);
  const drawn = schema(["Produce", "GetAd", "LogAd"], ["default", "front", "edge"]);
  expect([...threadPlaces(built, "ads-server", own, drawn)]).toEqual([
    ["Produce", { pool: "edge", thread: 2, partitioned: false }],
    ["LogAd", { pool: "edge", thread: 0, partitioned: true }],
  ]);
  expect([...threadPlaces(built, "other", own, drawn)]).toEqual([]);
});
