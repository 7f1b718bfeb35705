import type { LoadTarget } from "@penstock/codegen/contract";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { expose } from "../../kernel/document/edits/expose.js";
import { edit } from "../../kernel/document/index.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { adsTopology, open } from "../../testing/ads.js";
import { LoadForm } from "./LoadForm.js";
import { loadStore } from "./loadStore.js";

const fresh = loadStore.getState();
afterEach(() => {
  cleanup();
  loadStore.setState(fresh);
  projectStore.setState(closedProject);
});
const show = (state: string, http: string | null, target: LoadTarget | null = null) => {
  const topology = adsTopology();
  const door = { address: "0.0.0.0:0", auth: "bearer" } as const;
  open({ ...topology, binaries: topology.binaries.map((one) => ({ ...one, http: door })) });
  edit("Expose", (model) => expose(model, "ads-server", "GetAd", true));
  projectStore.setState({ binaries: [{ binary: "ads-server", state, http, tls: true }] as never });
  const flows = [{ binary: "ads-server", flow: "Impressions" }];
  const form = <LoadForm flows={flows} target={target} running={null} onFault={() => undefined} />;
  render(form, { wrapper: TooltipProvider });
  const list = screen.getByLabelText<HTMLSelectElement>("What to load");
  return { list, labels: [...list.options].map(({ label }) => label).filter((one) => /Imp|HTTP/.test(one)) };
};

it("offers an exposed service that runs, and fills in how it is asked", () => {
  const { list, labels } = show("running", "0.0.0.0:41234");
  expect(labels).toEqual(["Impressions", "GetAd over HTTP", "An HTTP address"]);
  fireEvent.change(list, { target: { value: "service/ads-server/GetAd" } });
  expect(loadStore.getState()).toMatchObject({
    chosen: "url",
    method: "POST",
    url: "https://127.0.0.1:41234/twirp/ads.AdBundle/GetAd",
    body: "{}",
    header: "Authorization: Bearer TOKEN",
  });
});

it("shows which one is loaded, and leaves it for another address", () => {
  const url = "https://127.0.0.1:41234/twirp/ads.AdBundle/GetAd";
  const { list } = show("running", "127.0.0.1:41234", { kind: "url", method: "POST", url });
  expect(list.value).toBe("service/ads-server/GetAd");
  fireEvent.change(list, { target: { value: "url" } });
  expect(loadStore.getState().url).not.toBe(url);
});

it("goes from a service by a flow to another address, and gives no host the token of another", () => {
  const { list } = show("running", "127.0.0.1:41234");
  loadStore.setState({ url: "http://127.0.0.1:8090/x", header: "Authorization: Bearer of-another" });
  fireEvent.change(list, { target: { value: "service/ads-server/GetAd" } });
  expect(loadStore.getState().header).toBe("Authorization: Bearer TOKEN");
  fireEvent.change(list, { target: { value: "ads-server/Impressions" } });
  fireEvent.change(list, { target: { value: "url" } });
  expect(loadStore.getState()).toMatchObject({ chosen: "url", url: "http://127.0.0.1:8080/" });
});

it("keeps the body and the header that somebody wrote", () => {
  const { list } = show("running", "127.0.0.1:41234");
  const wrote = { body: '{"cookie": "c"}', header: "Authorization: Bearer abc" };
  loadStore.setState(wrote);
  fireEvent.change(list, { target: { value: "service/ads-server/GetAd" } });
  expect(loadStore.getState()).toMatchObject(wrote);
});

it("offers none that has no address yet", () => {
  expect(show("starting", null).labels).toEqual(["Impressions", "An HTTP address"]);
});
