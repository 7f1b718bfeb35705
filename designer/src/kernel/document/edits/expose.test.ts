import { describe, expect, it } from "vitest";
import type { Topology } from "@penstock/codegen/topology";
import { validateTopology } from "@penstock/codegen/validate";
import { modelOf } from "../../../testing/ads.js";
import { addBinary, newBinary } from "./binaries.js";
import { expose, withHttp } from "./expose.js";
import { moveBundle } from "./moveBundle.js";

const binaryOf = (model: ReturnType<typeof modelOf>, at = 0) => model.topology.binaries[at]!;
const codes = (model: ReturnType<typeof modelOf>) =>
  validateTopology(model.topology)
    .filter(({ severity }) => severity === "error")
    .map(({ code }) => code);

describe("a service over HTTP", () => {
  it("is exposed at any port where its binary takes no HTTP yet", () => {
    const exposed = expose(modelOf(), "ads-server", "GetAd", true);
    expect(binaryOf(exposed)).toMatchObject({ http: "127.0.0.1:0", expose: ["GetAd"] });
    expect(codes(exposed)).toEqual([]);
  });

  it("keeps the address that is drawn, and is listed once", () => {
    const drawn = expose(modelOf(), "ads-server", "LogAd", true);
    binaryOf(drawn).http = "127.0.0.1:8080";
    const both = expose(expose(drawn, "ads-server", "GetAd", true), "ads-server", "GetAd", true);
    expect(binaryOf(both)).toMatchObject({ http: "127.0.0.1:8080", expose: ["LogAd", "GetAd"] });
  });

  it("leaves neither an empty list behind nor a port that was opened for it", () => {
    const both = expose(expose(modelOf(), "ads-server", "GetAd", true), "ads-server", "LogAd", true);
    const one = expose(both, "ads-server", "LogAd", false);
    expect(binaryOf(one)).toMatchObject({ http: "127.0.0.1:0", expose: ["GetAd"] });
    expect(binaryOf(expose(one, "ads-server", "GetAd", false))).toEqual(binaryOf(modelOf()));
  });

  it("leaves behind the address that a flow has its events from, or that says more", () => {
    const unexposed = (change: (topology: Topology) => void) => {
      const model = expose(modelOf(), "ads-server", "GetAd", true);
      change(model.topology);
      return binaryOf(expose(model, "ads-server", "GetAd", false));
    };
    const fed = unexposed(({ flows }) => void (flows[0]!.source = { kind: "http", path: "/a" }));
    expect(fed).toEqual({ ...binaryOf(modelOf()), http: "127.0.0.1:0" });
    for (const http of ["127.0.0.1:8080", { address: "127.0.0.1:0", prefix: "/api" }]) {
      const kept = unexposed(({ binaries }) => void (binaries[0]!.http = http));
      expect(kept).toEqual({ ...binaryOf(modelOf()), http });
    }
    const elsewhere = unexposed((topology) => {
      topology.flows[0]!.source = { kind: "http", path: "/a" };
      topology.bundles[0]!.flows = [];
    });
    expect(elsewhere).not.toHaveProperty("http");
  });

  it("goes along with its bundle", () => {
    const drawn = addBinary(expose(modelOf(), "ads-server", "GetAd", true), newBinary("other", []));
    const moved = moveBundle(drawn, "AdBundle", "other");
    expect(binaryOf(moved)).not.toHaveProperty("expose");
    expect(binaryOf(moved)).not.toHaveProperty("http");
    expect(binaryOf(moved, 1)).toMatchObject({ http: "127.0.0.1:0", expose: ["GetAd"] });
  });
});

describe("http of a binary", () => {
  const binary = newBinary("one", []);

  it("is short where its address says all", () => {
    const long = withHttp(binary, { address: "127.0.0.1:0", prefix: "/api" });
    expect(long.http).toEqual({ address: "127.0.0.1:0", prefix: "/api" });
    expect(withHttp(long, { address: "[::1]:0" }).http).toEqual({ address: "[::1]:0", prefix: "/api" });
    expect(withHttp(long, { prefix: undefined }).http).toBe("127.0.0.1:0");
  });

  it("has no reason to be open left once it is not, by whatever closes it", () => {
    const accepted = "behind an ingress";
    const open = withHttp(binary, { address: "0.0.0.0:8080", auth: "none", tls: "off", accepted });
    const half = withHttp(open, { auth: "bearer" });
    expect(half.http).toMatchObject({ auth: "bearer", accepted });
    for (const closed of [withHttp(half, { tls: "keys" }), withHttp(open, { address: "127.0.0.1:0" })])
      expect(closed.http).not.toHaveProperty("accepted");
    expect(withHttp(withHttp(half, { tls: "keys" }), { tls: "off" }).http).toEqual({
      address: "0.0.0.0:8080",
      auth: "bearer",
      tls: "off",
    });
  });

  it("is gone without an address", () => {
    const drawn = withHttp(binary, { address: "127.0.0.1:0" });
    expect(withHttp(drawn, { address: "" })).not.toHaveProperty("http");
  });
});
