import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { select } from "../../kernel/document/index.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { open } from "../../testing/ads.js";
import { Inspector } from "./Inspector.js";

const panel = () => screen.getByTestId("inspector");
const scrolledAfter = (...ids: string[]): number => {
  panel().scrollTop = 40;
  act(() => select(ids));
  return panel().scrollTop;
};

beforeEach(() => {
  open();
  select("service:GetAd");
  render(<Inspector />, { wrapper: TooltipProvider });
});
afterEach(cleanup);

it("says of a pool that was taken back that it is gone, and shows no other in its place", () => {
  act(() => select("pool:ads-server/front"));
  expect(screen.queryByText(/built in/i)).toBeNull();
  act(() => select("pool:ads-server/pool"));
  expect(screen.queryByText(/pool/i)).toBeNull();
  act(() => select("pool:ads-server/default"));
  expect(screen.getByText(/built in/i)).toBeDefined();
});

it("begins at its top for another sort of thing, and stays where it is for another of the same", () => {
  expect(scrolledAfter("service:ProduceAd")).toBe(40);
  expect(scrolledAfter("stage:Impressions/pick")).toBe(40);
  expect(scrolledAfter("binary:ads-server")).toBe(0);
  expect(scrolledAfter("pool:ads-server/front")).toBe(0);
  expect(scrolledAfter("pool:ads-server/models")).toBe(40);
  expect(scrolledAfter()).toBe(0);
});
