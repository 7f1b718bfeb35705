import type { Binary } from "@penstock/codegen/topology";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { edit } from "../../kernel/document/index.js";
import { expose } from "../../kernel/document/edits/expose.js";
import { closedProject, projectStore } from "../../kernel/server/projectStore.js";
import { TooltipProvider } from "../../kernel/ui/index.js";
import { adsTopology, open } from "../../testing/ads.js";
import { TryOverHttp } from "./TryOverHttp.js";

const show = (request = '{"cookie": "it\'s"}') =>
  render(<TryOverHttp service="GetAd" request={request} />, { wrapper: TooltipProvider });
const draw = (http?: Binary["http"]) => {
  const topology = adsTopology();
  open({
    ...topology,
    binaries: topology.binaries.map((one) => (http === undefined ? one : { ...one, http })),
  });
  edit("Expose", (model) => expose(model, "ads-server", "GetAd", true));
};
const running = (more: object) =>
  projectStore.setState({ binaries: [{ binary: "ads-server", state: "running", ...more }] as never });
const links = () =>
  screen.queryAllByRole<HTMLAnchorElement>("link").map((link) => [link.textContent, link.href]);
const PATH = "/twirp/ads.AdBundle/GetAd";

afterEach(() => {
  cleanup();
  projectStore.setState(closedProject);
});

it("leads to the page of a service while it runs, in a tab that knows nothing of this one", () => {
  draw();
  running({ http: "127.0.0.1:41234" });
  show();
  expect(links()).toEqual([["Open the page of this service", `http://127.0.0.1:41234/#${PATH}`]]);
  expect(screen.getByRole("link").getAttribute("rel")).toBe("noreferrer");
});

it("has a link a process where there are several", () => {
  draw();
  running({
    http: null,
    processes: [
      { name: "ads-server", http: "127.0.0.1:1" },
      { name: "ads-server.2", http: "127.0.0.1:2" },
      { name: "ads-server.3", http: null },
    ],
  });
  show();
  expect(links()).toEqual([
    ["Open the page of this service in ads-server", `http://127.0.0.1:1/#${PATH}`],
    ["Open the page of this service in ads-server.2", `http://127.0.0.1:2/#${PATH}`],
  ]);
});

it("gives the line that asks it in a shell, in which no text of the form is anything else", () => {
  draw("127.0.0.1:8080");
  show();
  expect(links()).toEqual([]);
  expect(
    screen.getByText(
      `curl -H 'Content-Type: application/json' --data-raw '{"cookie": "it'\\''s"}' http://127.0.0.1:8080${PATH}`,
    ),
  ).not.toBeNull();
  expect(screen.getByLabelText("Copy the command that asks it")).not.toBeNull();
});

it("shows a token and trusts the keys where others ask, and leads to no page, which they do not get", () => {
  draw({ address: "0.0.0.0:8443", auth: "bearer", tls: "keys" });
  running({ http: "0.0.0.0:8443", tls: true });
  show("{}");
  expect(links()).toEqual([]);
  expect(
    screen.getByText(
      `curl --cacert keys/ca.crt -H "Authorization: Bearer $PENSTOCK_HTTP_TOKEN" -H 'Content-Type: application/json' --data-raw '{}' https://127.0.0.1:8443${PATH}`,
    ),
  ).not.toBeNull();
});

it("asks what runs as it was started, though TLS is drawn since then", () => {
  draw({ address: "127.0.0.1:0", tls: "keys" });
  running({ http: "127.0.0.1:41234" });
  show("{}");
  expect(links()).toEqual([["Open the page of this service", `http://127.0.0.1:41234/#${PATH}`]]);
  expect(
    screen.getByText(
      `curl -H 'Content-Type: application/json' --data-raw '{}' http://127.0.0.1:41234${PATH}`,
    ),
  ).not.toBeNull();
});

it("trusts the keys of what runs, though TLS is drawn no more, and leads no browser there", () => {
  draw({ address: "127.0.0.1:0", tls: "off" });
  running({ http: "127.0.0.1:41234", tls: true });
  show("{}");
  expect(links()).toEqual([]);
  expect(screen.getByText(/^Browsers do not take/)).not.toBeNull();
  expect(screen.getByText(/^curl --cacert keys\/ca\.crt .* https:\/\/127\.0\.0\.1:41234\//)).not.toBeNull();
});

it("says that an address of any port is known once it runs, and nothing of a service that is not exposed", () => {
  draw();
  show();
  expect(screen.getByText("Its page and address are there while it runs.")).not.toBeNull();
  cleanup();
  open(adsTopology());
  show();
  expect(document.body.textContent).toBe("");
});
