import { expect, test } from "vitest";
import { topologySchema } from "../model/topology/index.js";
import { stopInOrder } from "./stopInOrder.js";

const service = (name: string, ...calls: string[]): object => ({
  name,
  request: "Ask",
  response: "Ask",
  calls,
});
const topology = topologySchema.parse({
  penstock: 1,
  name: "shop",
  messages: [{ name: "Ask" }],
  services: [service("Price"), service("Stock", "Buy"), service("Buy", "Stock", "Price")],
  bundles: ["Price", "Stock", "Buy"].map((name) => ({ name: `${name}Bundle`, services: [name] })),
  binaries: ["Price", "Stock", "Buy"].map((name) => ({
    name: name.toLowerCase(),
    bundles: [`${name}Bundle`],
    control: "127.0.0.1:0",
  })),
});

const NAMES = ["price", "stock", "buy"];

/** What was told to stop, and had, in this order. */
async function stopped(by: typeof topology | undefined, hurries?: Promise<unknown>): Promise<string[]> {
  const noted: string[] = [];
  await stopInOrder(
    by,
    NAMES,
    async (name) => {
      noted.push(name);
      await new Promise(setImmediate);
      noted.push(`${name} has`);
    },
    hurries,
  );
  return noted;
}

test("who calls others stops before them, and who call each other stop together", async () => {
  expect(await stopped(topology)).toEqual(["stock", "buy", "stock has", "buy has", "price", "price has"]);
});

test("without a drawing all stop at once", async () => {
  expect((await stopped(undefined)).slice(0, 3)).toEqual(["price", "stock", "buy"]);
});

test("who is called is told as well once there is no time left to wait for who calls", async () => {
  const noted = await stopped(topology, Promise.resolve());
  expect([noted.slice(0, 3), noted.length]).toEqual([["stock", "buy", "price"], 6]);
});

test("one that cannot be stopped keeps no other from it, and is told of", async () => {
  const told: string[] = [];
  const stopping = stopInOrder(topology, NAMES, async (name) => {
    told.push(name);
    if (name === "stock") throw new Error("it is not there");
  });
  await expect(stopping).rejects.toThrow("it is not there");
  expect(told).toEqual(["stock", "buy", "price"]);
});
