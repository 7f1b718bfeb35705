import type { Topology } from "@penstock/codegen/topology";
import { expect, it } from "vitest";
import { twoBinaries } from "../../testing/twoBinaries.js";
import { hostTexts } from "./hosts.js";

/** A drawing whose binaries, `0`, `1` and so on, listen there. */
function listening(...addresses: string[]): Topology {
  const topology = twoBinaries();
  const [binary] = topology.binaries;
  topology.binaries = addresses.map((address, index) => ({
    ...binary!,
    name: String(index),
    listen: address === "" ? [] : [address],
  }));
  return topology;
}
const said = (...addresses: string[]) => Object.fromEntries(hostTexts(listening(...addresses)));

it("hosts are named where the drawing has several", () => {
  expect(said("tcp://10.0.0.5:7400", "tls://10.0.0.6:7400", "tcp://10.0.0.5:7401")).toEqual({
    "0": "10.0.0.5",
    "1": "10.0.0.6",
    "2": "10.0.0.5",
  });
  expect(said("tcp://127.0.0.1:7400", "tcp://models.example:7400", "tcp://[2001:db8::5]:7400")).toEqual({
    "0": "127.0.0.1",
    "1": "models.example",
    "2": "[2001:db8::5]",
  });
});

it("hosts are not named where all that are known are one", () => {
  expect(said("tcp://10.0.0.5:7400", "", "tcp://0.0.0.0:7400", "tcp://10.0.0.5:7401")).toEqual({});
  expect(said("tcp://127.0.0.1:7400", "udp://127.0.0.2:7400", "tcp://[::1]:7400")).toEqual({});
  expect(said("tcp://Models:7400", "tcp://models:7401", "nothing")).toEqual({});
});

it("a host is not named of a binary that listens at all addresses of whatever host it is on", () => {
  expect(said("tcp://10.0.0.5:7400", "tcp://10.0.0.6:7400", "tcp://[::]:7400", "")).toEqual({
    "0": "10.0.0.5",
    "1": "10.0.0.6",
  });
});

it("a long name of a host loses its end", () => {
  const long = "models-server.production.svc.cluster.local";
  expect(said("tcp://10.0.0.5:7400", `tcp://${long}:7400`)["1"]).toBe("models-server.productio…");
});
