import { expect, test } from "vitest";
import { idlName } from "../../imports/index.js";
import { newProject, type Binary, type Topology } from "../../model/topology/index.js";
import { leadOf } from "./leadsTo.js";
import { drawnPlaces, endOf, objectsOf, placeOf } from "./objectsOf.js";

const [plain] = newProject("ads").binaries;
const binary = (name: string, more: Partial<Binary>): Binary => ({ ...plain!, name, ...more });
const models = binary("models-server", {
  bundles: ["Models", "Prices", "Idle"],
  listen: ["tcp://127.0.0.1:7400"],
});
const topology: Topology = {
  ...newProject("ads"),
  bundles: [
    { name: "Models", services: ["ProduceAd"], flows: [] },
    { name: "Prices", services: ["Price"], flows: [] },
    { name: "Idle", services: [], flows: ["Impressions"] },
    { name: "NsSubACalc", services: ["NsSubACalcAdd"], flows: [] },
  ],
  binaries: [models, binary("spare", { bundles: ["Models"] })],
};
const object = { name: "models-server/Models", module: "ads", class: "Models", ip: "127.0.0.1", port: 7400 };

test("each bundle with services of each process is an object", () => {
  const places = ["tcp://127.0.0.1:7400", "tls://[2001:db8::5]:41230"];
  const second = { ip: "2001:db8::5", port: 41_230 };
  expect(objectsOf(topology, [{ binary: models, places }])).toEqual([
    object,
    { ...object, name: "models-server/Prices", class: "Prices" },
    { ...object, name: "models-server.2/Models", ...second },
    { ...object, name: "models-server.2/Prices", class: "Prices", ...second },
  ]);
});

test("a binary is where it listens first, if that is a place", () => {
  expect(drawnPlaces(models).places).toEqual(["tcp://127.0.0.1:7400"]);
  expect(drawnPlaces(binary("a", {})).why).toBe("it listens at no address");
  const file = { listen: ["tcp://0.0.0.0:7400"], discovery: "file:run/peers.json" };
  expect(drawnPlaces(binary("a", file))).toMatchObject({
    places: [],
    why: "tcp://0.0.0.0:7400 is no place: the file of its discovery says where it is",
  });
});

test.each([
  ["tcp://localhost:1", { ip: "127.0.0.1", port: 1 }],
  ["udp+reliable+ordered://10.0.0.5:7400", { ip: "10.0.0.5", port: 7400 }],
  ["udp+keys://10.0.0.5:41230", { ip: "10.0.0.5", port: 41_230 }],
  ["tls://models.example:65535", { ip: "models.example", port: 65_535 }],
  ["tcp://127.0.0.1:0", undefined],
  ["tcp://[::]:7400", undefined],
  ["unix:///run/a.sock", undefined],
  ["shm://a", undefined],
])("host and port of %s", (place, end) => {
  expect(endOf(place)).toEqual(end);
});

test("an object is looked for at the transport of its binary", () => {
  expect(placeOf(object, models)).toBe("tcp://127.0.0.1:7400");
  expect(placeOf({ ...object, ip: "::1" }, binary("a", { listen: ["udp://127.0.0.1:1"] }))).toBe(
    "udp://[::1]:7400",
  );
  expect(placeOf(object, undefined)).toBe("tcp://127.0.0.1:7400");
});

test("an object leads to the bundle of its class, of an imported interface too", () => {
  const lead = (more: Partial<typeof object>) => leadOf(topology, { ...object, ...more }, idlName);
  expect(lead({})).toEqual({ bundle: "Models", services: ["ProduceAd"], binaries: ["models-server"] });
  expect(lead({ name: "anything" }).binaries).toEqual(["models-server", "spare"]);
  expect(lead({ name: "spare.2/Models" }).binaries).toEqual(["spare"]);
  expect(lead({ module: "ns::sub", class: "a_calc" })).toMatchObject({ bundle: "NsSubACalc", binaries: [] });
  expect(lead({ module: "other" }).bundle).toBeNull();
  expect(lead({ class: "Other" }).bundle).toBeNull();
});
