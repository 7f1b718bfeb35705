// The monolith: POST /Count {"times": n} sums n random numbers from 0 to 100. By itself; or, with the address of the
// carved service in CARVED (http://127.0.0.1:8090), by asking that. PORT (3000) is where it listens, on this machine.
import process from "node:process";
import express from "express";
import { carvedCount } from "./carved.mjs";
import { count } from "./count.mjs";
import { Refused } from "./refused.mjs";

const { CARVED, PORT = "3000" } = process.env;
const sumOf = CARVED ? carvedCount(CARVED) : count;

const app = express();
app.use(express.json());

async function answer({ body }, response) {
  const times = body?.times;
  // What is no int32 cannot be said to the service.
  if (!Number.isInteger(times) || Math.abs(times) > 2 ** 31 - 1) throw new Refused(400, "times has to be a whole number");
  response.json({ sum: await sumOf(times) });
}

// Express waits for what it returns, and hands its error on.
app.post("/Count", (request, response) => answer(request, response));

// Express knows it by its four parameters.
app.use((error, request, response, next) => {
  if (response.headersSent) return next(error);
  const status = error instanceof Refused || error.type === "entity.parse.failed" ? error.status : 500;
  if (status === 500) console.error(error);
  return response.status(status).json({ error: status === 500 ? "something went wrong" : error.message });
});

const server = app.listen(Number(PORT), "127.0.0.1", (error) => {
  if (error) {
    console.error(`port ${PORT}: ${error.message}`);
    process.exit(1);
  }
  const who = CARVED ? `asks ${CARVED}` : "counts by itself";
  console.log(`http://127.0.0.1:${server.address().port}/Count ${who}`);
});
