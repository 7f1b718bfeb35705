import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { documentStore, select } from "../../kernel/document/index.js";
import type { Bottleneck } from "../../kernel/live/bottleneck/bottleneck.js";
import { liveStore, resetLive, takeLost, takeSample, takeSchema } from "../../kernel/live/liveStore.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { open } from "../../testing/ads.js";
import { joinedTopology } from "../../testing/joined.js";
import { sampleOf } from "../../testing/sampleOf.js";
import { schemaOf, threadsOf } from "../../testing/schemaOf.js";
import { ThreadsView } from "./ThreadsView.js";

beforeEach(() => {
  resetLive();
  projectStore.setState(closedProject);
});
afterEach(cleanup);

const show = (topology = joinedTopology()) => {
  open(topology);
  render(createElement(ThreadsView));
};
const card = (name: string) => screen.getByRole("article", { name: `Thread ${name}` });
const chips = (name: string) =>
  within(card(name))
    .getAllByRole("button")
    .map((chip) => chip.textContent);
const drag = (chip: HTMLElement, onto: HTMLElement) => {
  const dataTransfer = { setData: () => undefined, effectAllowed: "", dropEffect: "" };
  fireEvent.dragStart(chip, { dataTransfer });
  fireEvent.dragOver(onto, { dataTransfer });
  fireEvent.drop(onto, { dataTransfer });
};

describe("the threads view", () => {
  it("dims how busy threads are of which nothing is heard any more", async () => {
    show();
    const name = documentStore.getState().topology.binaries[0]!.name;
    act(() => {
      takeSchema(
        schemaOf({ binary: name, pools: [{ id: 0, name: "front", queue: 1, threads: threadsOf(1) }] }),
      );
      for (const t of [0, 1000]) takeSample(name, sampleOf(t, { threads: [[0, 0, t * 1e6, 0, 0, 0, 0]] }));
    });
    expect(card("front·0").dataset["stale"]).toBe("false");
    takeLost(name);
    await waitFor(() => expect(card("front·0").dataset["stale"]).toBe("true"));
  });

  it("stays with a binary when a service of it is selected next", () => {
    const topology = joinedTopology();
    const [first] = topology.binaries;
    show({ ...topology, binaries: [{ ...first!, name: "other", pools: [], placement: {} }, first!] });
    const tab = () => screen.getByRole("tab", { selected: true }).textContent;
    expect(tab()).toBe("other");
    act(() => select(`pool:${first!.name}/database`));
    expect(tab()).toBe(first!.name);
    act(() => select("service:Query"));
    expect(tab()).toBe(first!.name);
  });

  it("has the stages on the threads that run them, and leads to them", () => {
    show();
    expect(chips("front·0")).toEqual(["Parse", "Check"]);
    expect(chips("Orders.send·1")).toEqual(["Send", "Log"]);
    fireEvent.click(within(card("database·0")).getByRole("button", { name: "Service Query" }));
    expect(documentStore.getState().selection).toEqual(["stage:Orders/query"]);
  });

  it("has the pools with how many threads each has, which is no number of one", () => {
    show();
    const pools = within(screen.getByRole("group", { name: "Pools" })).getAllByRole("button", {
      name: /^Pool /,
    });
    expect(pools.map(({ textContent }) => textContent)).toEqual([
      "front×1",
      "database×1",
      "wide×2",
      "default1 per CPU",
    ]);
  });

  it("has no chips on threads that stand close together, as none would be seen", () => {
    const many = joinedTopology();
    many.binaries[0]!.pools[0]!.threads = Array.from({ length: 12 }, () => ({}));
    show(many);
    expect(within(card("front·11")).queryAllByRole("button")).toEqual([]);
    expect(document.querySelectorAll(".service-chip")).toHaveLength(0);
  });

  it("has the one thread red that is a bottleneck, not those beside it that idle", () => {
    takeSchema(
      schemaOf({
        binary: "shop-server",
        pools: [{ id: 0, name: "wide", queue: 8, threads: threadsOf(2) }],
      }),
    );
    liveStore.setState(({ version }) => ({
      version: version + 1,
      bottlenecks: [{ binary: "shop-server", pool: "wide", thread: 1 } as Bottleneck],
    }));
    show();
    const pressures = ["wide·0", "wide·1"].map((name) =>
      card(name).querySelector(".thread-bar")?.getAttribute("data-pressure"),
    );
    expect(pressures).toEqual(["", "bad"]);
  });

  it("leads from the threads of a join to it, and pins them nowhere", () => {
    show();
    expect(card("Orders.send·0").draggable).toBe(false);
    expect(card("front·0").draggable).toBe(true);
    fireEvent.click(card("Orders.send·0"));
    expect(documentStore.getState().selection).toEqual(["stage:Orders/send"]);
  });

  it("tells the calls to a service from its stage where both are on one thread", () => {
    const drawn = joinedTopology();
    drawn.services.find(({ name }) => name === "Send")!.calls.push("Query");
    drawn.binaries[0]!.placement["Query"] = { pool: "database" };
    show(drawn);
    expect(chips("database·0")).toEqual(["Query calls", "Query Orders/query"]);
  });

  it("joins a stage to the pool of the thread that it is dropped on, and places calls there", async () => {
    show();
    drag(within(card("database·0")).getByRole("button"), card("wide·1"));
    await expect
      .poll(() => documentStore.getState().topology.flows[0]!.stages[2]!.join)
      .toEqual({ pool: "wide" });
    drag(within(card("wide·0")).getByRole("button", { name: "Service Post" }), card("database·0"));
    const { placement } = documentStore.getState().topology.binaries[0]!;
    expect(placement["Post"]).toEqual({ pool: "database" });
    expect(placement["Query"]).toBeUndefined();
  });
});
