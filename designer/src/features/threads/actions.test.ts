import { beforeEach, describe, expect, it } from "vitest";
import { documentStore } from "../../kernel/document/index.js";
import { resetLive } from "../../kernel/live/liveStore.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { dismissToasts, toasts } from "../../kernel/ui/toast.js";
import { open } from "../../testing/ads.js";
import { joinedTopology } from "../../testing/joined.js";
import { joinToPool } from "./actions.js";

const drop = (stage: string, pool: string) => joinToPool("shop-server", { flow: "Orders", stage }, pool);
const state = () => documentStore.getState();
const joins = () => state().topology.flows[0]!.stages.map(({ join }) => join);
const said = () => toasts.getState().list.map(({ title }) => title);

beforeEach(() => {
  dismissToasts();
  resetLive();
  projectStore.setState(closedProject);
  open(joinedTopology());
});

describe("a stage dropped on a pool", () => {
  it("is joined to it, and the placement of its service stays", async () => {
    const { placement } = state().topology.binaries[0]!;
    await drop("query", "wide");
    expect(joins()[2]).toEqual({ pool: "wide" });
    expect(state().topology.binaries[0]!.placement).toEqual(placement);
    expect(state().selection).toEqual(["stage:Orders/query"]);
  });

  it("gets a join where it was fused or had threads of its own", async () => {
    await drop("log", "database");
    await drop("send", "default");
    expect(joins().slice(3)).toEqual([{ pool: "default" }, { pool: "database" }]);
  });

  it("changes nothing where it runs already, fused or not", async () => {
    await drop("check", "front");
    await drop("parse", "front");
    await drop("query", "database");
    expect(state().past).toEqual([]);
  });

  it("changes nothing where a rule is against it", async () => {
    const drawn = joinedTopology();
    drawn.services.find(({ name }) => name === "Query")!.kind = "sync-remote";
    drawn.binaries[0]!.pools[1]!.threads = [{}, {}];
    open(drawn);
    await drop("query", "front");
    expect(state().past).toEqual([]);
    expect(said()).toEqual(["The join was not changed"]);
    const dropped = drop("query", "front");
    dismissToasts();
    // What is opened meanwhile has refused nothing.
    documentStore.setState({ projectId: "another" });
    await dropped;
    expect(said()).toEqual([]);
  });
});
