import { cleanup, render, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { resetLive } from "../../../kernel/live/liveStore.js";
import { open } from "../../../testing/ads.js";
import { joinedTopology } from "../../../testing/joined.js";
import { PlacementSections } from "./PlacementSections.js";
import { PoolInspector } from "../kinds/PoolInspector.js";

beforeEach(() => {
  resetLive();
  open(joinedTopology());
});
afterEach(cleanup);

const inspectPool = (pool: string) => render(createElement(PoolInspector, { binary: "shop-server", pool }));
const inspectService = (service: string) => render(createElement(PlacementSections, { service }));
const listed = () => screen.queryAllByRole("listitem").map((item) => item.textContent);

describe("the inspector of a pool", () => {
  it("lists the stages that run on it, by their joins or fused", () => {
    inspectPool("database");
    expect(listed()).toEqual(["Querystage query of Orders"]);
    cleanup();
    inspectPool("front");
    expect(listed()).toEqual(["Parsestage parse of Orders", "Checkstage check of Orders"]);
  });

  it("lists calls where they are placed, and says how an empty pool gets something to do", () => {
    inspectPool("wide");
    expect(listed()).toEqual(["Postcalls"]);
    cleanup();
    inspectPool("default");
    expect(listed()).toEqual([]);
    expect(screen.getByText(/^Nothing yet: no stage is joined to it/)).toBeTruthy();
  });
});

describe("the inspector of a service", () => {
  it("that runs as a stage only says where, with the threads of that pool and no placement", () => {
    inspectService("Query");
    expect(screen.getByText("Runs as stage query of Orders on pool database, by its join.")).toBeTruthy();
    expect(screen.getByLabelText("Threads of pool database")).toBeTruthy();
    expect(screen.queryByLabelText("Threads of pool default")).toBeNull();
    expect(screen.queryByLabelText("Pool")).toBeNull();
  });

  it("keeps a placement that decides nothing, and says so", () => {
    const drawn = joinedTopology();
    drawn.binaries[0]!.placement["Query"] = { pool: "wide" };
    open(drawn);
    inspectService("Query");
    expect(screen.getByText(/^For calls, and nothing calls the service/)).toBeTruthy();
    expect(screen.getByLabelText("Threads of pool database")).toBeTruthy();
    expect(screen.queryByLabelText("Threads of pool wide")).toBeNull();
  });

  it("that is asked over HTTP is placed, though it is a stage that nothing calls", () => {
    const drawn = joinedTopology();
    drawn.binaries[0]!.expose = ["Query"];
    open(drawn);
    inspectService("Query");
    expect(screen.getByLabelText("Pool")).toBeTruthy();
    expect(screen.queryByText(/nothing calls the service/)).toBeNull();
  });

  it("that runs on the threads of a join leads to the join", () => {
    inspectService("Log");
    expect(screen.getByRole("button", { name: "Set at the join before send" })).toBeTruthy();
    expect(screen.queryByLabelText(/^Threads of pool/)).toBeNull();
  });

  it("that is called, or is a first stage, is placed", () => {
    inspectService("Post");
    expect(screen.getByLabelText("Pool")).toBeTruthy();
    expect(screen.getByLabelText("Threads of pool wide")).toBeTruthy();
    cleanup();
    inspectService("Parse");
    expect(screen.getByLabelText("Pool")).toBeTruthy();
    expect(screen.getByLabelText("Threads of pool front")).toBeTruthy();
  });
});
