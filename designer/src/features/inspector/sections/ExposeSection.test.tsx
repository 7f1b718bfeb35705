import type { Binary } from "@penstock/codegen/topology";
import { validateTopology } from "@penstock/codegen/validate";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { changeBinary } from "../../../kernel/document/edits/binaries.js";
import { withHttp } from "../../../kernel/document/edits/expose.js";
import { documentStore, edit, patched, undo } from "../../../kernel/document/index.js";
import { setDrawnProblems } from "../../../kernel/problems/problemStore.js";
import { TooltipProvider } from "../../../kernel/ui/index.js";
import { open } from "../../../testing/ads.js";
import { twoBinaries } from "../../../testing/twoBinaries.js";
import { BinaryInspector } from "../kinds/BinaryInspector.js";
import { HttpFields } from "./HttpFields.js";
import { ExposeSection } from "./ExposeSection.js";

const binary = () => documentStore.getState().topology.binaries[0]!;
const show = (service: string) => render(<ExposeSection service={service} />, { wrapper: TooltipProvider });

beforeEach(() => open());
afterEach(() => {
  cleanup();
  setDrawnProblems([]);
});

it("exposes a service with one tick, which is one step to undo, and says at which route", () => {
  const before = binary();
  show("GetAd");
  expect(screen.queryByText(/twirp/)).toBeNull();
  fireEvent.click(screen.getByLabelText("Expose over HTTP"));
  expect(binary()).toEqual({ ...before, http: "127.0.0.1:0", expose: ["GetAd"] });
  expect(screen.getByText(/^\/twirp\/.*\.AdBundle\/GetAd$/)).not.toBeNull();
  expect(screen.getByLabelText(/^Copy the route \/twirp/)).not.toBeNull();
  fireEvent.click(screen.getByLabelText("Expose over HTTP"));
  expect(binary()).toEqual(before);
  undo();
  undo();
  expect(binary()).toEqual(before);
});

it("names the binary where a service has several, and is not there where it has none", () => {
  const topology = twoBinaries();
  for (const { name } of topology.bundles)
    for (const one of topology.binaries) if (!one.bundles.includes(name)) one.bundles.push(name);
  open(topology);
  show("GetAd");
  for (const { name } of topology.binaries)
    expect(screen.getByLabelText(`Expose over HTTP in ${name}`)).not.toBeNull();
  cleanup();
  show("Nobody");
  expect(screen.queryByRole("checkbox")).toBeNull();
});

it("asks for a prefix where something is exposed", () => {
  const fields = () => render(<HttpFields binary={binary()} />, { wrapper: TooltipProvider });
  fields();
  expect(screen.queryByLabelText("Prefix of routes")).toBeNull();
  cleanup();
  show("GetAd");
  fireEvent.click(screen.getByLabelText("Expose over HTTP"));
  cleanup();
  fields();
  const prefix = screen.getByLabelText<HTMLInputElement>("Prefix of routes");
  expect(prefix.value).toBe("/twirp");
  fireEvent.change(prefix, { target: { value: "/api" } });
  fireEvent.blur(prefix);
  expect(binary().http).toEqual({ address: "127.0.0.1:0", prefix: "/api" });
});

it("lists the web pages that may ask what is exposed, and says which is no origin", () => {
  const show = () => {
    cleanup();
    setDrawnProblems(validateTopology(documentStore.getState().topology));
    render(<BinaryInspector name={binary().name} />, { wrapper: TooltipProvider });
  };
  const type = (text: string) => {
    fireEvent.change(screen.getByLabelText("Allowed origins"), { target: { value: text } });
    fireEvent.blur(screen.getByLabelText("Allowed origins"));
    show();
  };
  const expose = (http: Binary["http"], services?: string[]) => {
    edit("expose", (model) =>
      changeBinary(model, binary().name, (one) => patched(one, { http, expose: services })),
    );
    show();
  };
  expose("127.0.0.1:0");
  expect(screen.queryByLabelText("Allowed origins")).toBeNull();
  for (const address of ["0.0.0.0:8080", "127.0.0.1:0"]) {
    expose(address, ["GetAd"]);
    type("https://shop.example, http://localhost:3000/ ");
    const origins = ["https://shop.example", "http://localhost:3000/"];
    expect(binary().http).toEqual({ address, origins });
    expect(screen.getByLabelText<HTMLInputElement>("Allowed origins").value).toBe(origins.join(" "));
    expect(screen.getByText(/"http:\/\/localhost:3000\/" is no origin/)).not.toBeNull();
    type("https://shop.example");
    expect(screen.queryByText(/is no origin/)).toBeNull();
  }
  // Listed for what was exposed: seen before something is exposed again.
  expose(binary().http);
  type("");
  expect(binary().http).toBe("127.0.0.1:0");
  expect(screen.queryByLabelText("Allowed origins")).toBeNull();
});

it("takes the names of its host for the certificate of penstock keys, and forgets them with it", () => {
  edit("http", (model) =>
    changeBinary(model, binary().name, (one) =>
      patched(one, { http: { address: "0.0.0.0:8080", auth: "bearer", tls: "keys" } }),
    ),
  );
  cleanup();
  render(<BinaryInspector name={binary().name} />, { wrapper: TooltipProvider });
  fireEvent.change(screen.getByLabelText("Known as"), { target: { value: "api.shop.example 10.0.0.5" } });
  fireEvent.blur(screen.getByLabelText("Known as"));
  expect(binary().http).toMatchObject({ tls: "keys", hosts: ["api.shop.example", "10.0.0.5"] });
  fireEvent.change(screen.getByLabelText("Secured by"), { target: { value: "off" } });
  expect(binary().http).toEqual({ address: "0.0.0.0:8080", auth: "bearer", tls: "off" });
  expect(screen.queryByLabelText("Known as")).toBeNull();
});

it("asks who may ask and what secures it, and for a reason where others could do either", () => {
  const show = () => {
    cleanup();
    render(<HttpFields binary={binary()} />, { wrapper: TooltipProvider });
  };
  const type = (label: string, value: string) => {
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
    fireEvent.blur(screen.getByLabelText(label));
    show();
  };
  show();
  expect(screen.queryByLabelText("Who may ask")).toBeNull();
  type("HTTP", "0.0.0.0:8080");
  expect(screen.getByLabelText("Who may ask").textContent).toContain("Not set");
  expect(screen.getByLabelText("Secured by").textContent).toContain("Not set");
  expect(screen.queryByLabelText("Open because")).toBeNull();

  edit("open it", (model) =>
    changeBinary(model, binary().name, (one) => withHttp(one, { auth: "none", tls: "off" })),
  );
  show();
  type("Open because", "behind an ingress");
  expect(binary().http).toEqual({
    address: "0.0.0.0:8080",
    auth: "none",
    tls: "off",
    accepted: "behind an ingress",
  });
  type("Open because", "");
  expect(binary().http).not.toHaveProperty("accepted");

  edit("secure it", (model) =>
    changeBinary(model, binary().name, (one) =>
      withHttp(one, { auth: "bearer", tls: { cert: "tls.crt", key: "tls.key" } }),
    ),
  );
  show();
  expect(screen.queryByLabelText("Open because")).toBeNull();
  expect(screen.getByText(/The token is PENSTOCK_HTTP_TOKEN/)).not.toBeNull();
  type("Certificate", "site.crt");
  expect(binary().http).toMatchObject({ tls: { cert: "site.crt", key: "tls.key" } });
});
