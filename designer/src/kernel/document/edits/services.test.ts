import { describe, expect, it } from "vitest";
import { modelOf } from "../../../testing/ads.js";
import { addImplementation, handlerRenames, patchService, setKind } from "./services.js";

const logAd = (model: ReturnType<typeof modelOf>) =>
  model.topology.services.find((service) => service.name === "LogAd");

describe("the kind of a service", () => {
  const divided = () => patchService(modelOf(), "LogAd", { partitionBy: "text" });

  it("should keep what divides a single-threaded one", () => {
    expect(logAd(setKind(divided(), "LogAd", "single-threaded"))?.partitionBy).toBe("text");
  });
  it("should take away with it what only that kind can have", () => {
    const service = logAd(setKind(divided(), "LogAd", "simple"));
    expect(service?.kind).toBe("simple");
    expect(service).not.toHaveProperty("partitionBy");
  });
});

describe("the code of a service with one handler", () => {
  const one = () => logAd(modelOf())!;

  it("should become that of the first implementation", () => {
    const two = addImplementation(one());
    expect(two.implementations).toEqual(["LogAdA", "LogAdB"]);
    expect(handlerRenames(one(), two.implementations)).toEqual([
      { kind: "implementation", from: "LogAd/", to: "LogAd/LogAdA" },
    ]);
    expect(handlerRenames(two, addImplementation(two).implementations)).toEqual([]);
  });

  it("should come back from the last implementation that is taken out", () => {
    const two = addImplementation(one());
    expect(handlerRenames(two, ["LogAdB"])).toEqual([]);
    expect(handlerRenames({ ...two, implementations: ["LogAdB"] }, [])).toEqual([
      { kind: "implementation", from: "LogAd/LogAdB", to: "LogAd/" },
    ]);
  });
});
