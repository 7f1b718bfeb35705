import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Source } from "@penstock/codegen/topology";
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
