import { expect, test } from "vitest";
import { newProject, type Binary } from "../../model/topology/index.js";
import { calledAt } from "./announcedPlaces.js";

const [plain] = newProject("ads").binaries;
const binary = (...listen: string[]): Binary => ({ ...plain!, listen, discovery: "nats://nats:4222" });
const processes = [
  ["tls://10.0.0.5:1", "udp+keys://10.0.0.5:2", "udp://127.0.0.1:3"],
  ["tcp://10.0.0.5:5", "tcp://127.0.0.1:4"],
  [],
].map((addresses, at) => ({ instance: `${at}`.repeat(16), addresses }));

test.each([
  ["udp://0.0.0.0:0", "udp+keys://10.0.0.5:2"],
  ["udp://127.0.0.1:0", "udp://127.0.0.1:3"],
  ["tcp://0.0.0.0:0", "tls://10.0.0.5:1"],
  ["tcp://127.0.0.1:0", "tcp://127.0.0.1:4"],
])("a binary that is drawn at %s is called at %s", (listen, place) => {
  expect(calledAt(processes, binary(listen, "tcp://127.0.0.1:9"))).toEqual({ places: [place] });
});

test("where nothing that is announced is spoken to as it is drawn, that is said", () => {
  expect(calledAt(processes.slice(1), binary("udp://0.0.0.0:0"))).toEqual({
    places: [],
    misfit: "it announces itself at tcp://10.0.0.5:5, and by the drawing it is called over udp+keys",
  });
  expect(calledAt(processes.slice(2), binary("udp://127.0.0.1:0"))).toEqual({
    places: [],
    misfit: "it announces itself at no address that is known here, and by the drawing it is called over udp",
  });
  expect(calledAt([], binary("udp://127.0.0.1:0"))).toEqual({ places: [] });
});
