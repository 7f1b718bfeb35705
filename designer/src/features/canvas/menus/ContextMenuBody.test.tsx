import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Source } from "@penstock/codegen/topology";
import { documentStore, undo } from "../../../kernel/document/index.js";
import { adsTopology, open } from "../../../testing/ads.js";
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
