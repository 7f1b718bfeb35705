import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Source } from "@penstock/codegen/topology";
import { documentStore, select, undo } from "../../../kernel/document/index.js";
import { adsTopology, open } from "../../../testing/ads.js";
import { openTwoBinaries } from "../../../testing/twoBinaries.js";
import { ContextMenuBody } from "./ContextMenuBody.js";

afterEach(cleanup);

it.each<[offered: boolean, source: Source]>([
  [true, { kind: "rate", perSecond: 1 }],
  [false, { kind: "rate", perSecond: 1, event: { cookie: { choice: ["a"] } } }],
  [false, { kind: "http", path: "/a" }],
])("offers the code of a flow's events (%s) where there is some: %j", (offered, source) => {
  const topology = adsTopology();
  topology.flows[0]!.source = source;
  open(topology);
  render(<ContextMenuBody target="flow:Impressions" at={{ x: 0, y: 0 }} />);
  expect(screen.queryByText("Edit event source") !== null).toBe(offered);
});

it("moves a bundle to another binary and to one of its own, each a step that can be undone", () => {
  const topology = adsTopology();
  topology.bundles = [
    { ...topology.bundles[0]!, services: ["GetAd", "LogAd", "CountError"] },
    { name: "Models", services: ["ProduceAd"], flows: [] },
  ];
  topology.binaries[0]!.bundles.push("Models");
  open(topology);
  const drawn = () => documentStore.getState().topology.binaries;
  const served = () => drawn().map(({ name, bundles }) => [name, bundles]);
  const before = served();
  const choose = (label: string) => {
    render(<ContextMenuBody target="bundle:Models" at={{ x: 0, y: 0 }} />);
    fireEvent.click(screen.getByText(label));
    cleanup();
  };
  choose("Move to a binary of its own");
  expect(served()).toEqual([
    ["ads-server", ["AdBundle"]],
    ["models-server", ["Models"]],
  ]);
  expect(drawn()[1]).toMatchObject({ placement: { ProduceAd: { pool: "models" } } });
  choose("Move to ads-server");
  expect(served()).toEqual([
    ["ads-server", ["AdBundle", "Models"]],
    ["models-server", []],
  ]);
  undo();
  undo();
  expect(served()).toEqual(before);
});

it("moves all selected bundles to another binary, as one step", () => {
  openTwoBinaries();
  const served = () => documentStore.getState().topology.binaries.map(({ bundles }) => bundles);
  select(["bundle:Models", "bundle:Logs"]);
  render(<ContextMenuBody target="bundle:Logs" at={{ x: 0, y: 0 }} />);
  expect(screen.queryByText("Move to models-server")).toBeNull();
  expect(screen.queryByText("Move to a binary of their own")).toBeNull();
  fireEvent.click(screen.getByText("Move to ads-server"));
  expect(served()).toEqual([["AdBundle", "Models", "Logs"], []]);
  undo();
  expect(served()).toEqual([["AdBundle"], ["Models", "Logs"]]);
  // One of two binaries each: together they may go to either.
  cleanup();
  select(["bundle:AdBundle", "bundle:Logs"]);
  render(<ContextMenuBody target="bundle:Logs" at={{ x: 0, y: 0 }} />);
  expect(screen.queryByText("Move to models-server")).not.toBeNull();
  fireEvent.click(screen.getByText("Move to ads-server"));
  expect(served()).toEqual([["AdBundle", "Logs"], ["Models"]]);
});

it("offers of a frame what is done with its binary", () => {
  openTwoBinaries();
  render(<ContextMenuBody target="binary:ads-server" at={{ x: 0, y: 0 }} />);
  expect(screen.queryByText("Take out of bundle")).toBeNull();
  expect(screen.queryByText(/^Move to/)).toBeNull();
});

it("has only the binaries where a command asks where to move a bundle", () => {
  openTwoBinaries();
  render(<ContextMenuBody target="bundle:Logs" at={{ x: 0, y: 0 }} only="binaries" />);
  expect(screen.getAllByRole("menuitem").map(({ textContent }) => textContent)).toEqual([
    "Move to ads-server",
    "Move to a binary of its own",
    "Add binary for this bundle",
  ]);
});
