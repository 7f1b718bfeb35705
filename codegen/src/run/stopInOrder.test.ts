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

/** What was told to stop, and had, in this order. */
async function stopped(by: typeof topology | undefined): Promise<string[]> {
  const noted: string[] = [];
  await stopInOrder(by, ["price", "stock", "buy"], async (name) => {
    noted.push(name);
    await new Promise(setImmediate);
    noted.push(`${name} has`);
  });
  return noted;
}

test("who calls others stops before them, and who call each other stop together", async () => {
  expect(await stopped(topology)).toEqual(["stock", "buy", "stock has", "buy has", "price", "price has"]);
});

test("without a drawing all stop at once", async () => {
  expect((await stopped(undefined)).slice(0, 3)).toEqual(["price", "stock", "buy"]);
});
