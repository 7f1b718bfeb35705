import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GOLDEN_FOLDER, temporaryFolder } from "../test/support/project.js";
import { generateProject } from "./pipeline.js";

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
const made = (path: string): string => readFileSync(`${folder.path}/${path}`, "utf8");

/** Draws where the models are called, and who may. */
async function draw(change: { listen: string[]; allow?: string; discovery?: string }): Promise<void> {
  const file = `${folder.path}/topology.json`;
  copyFileSync(`${GOLDEN_FOLDER}apart/topology.json`, file);
  const drawn = JSON.parse(readFileSync(file, "utf8")) as { binaries: { name: string }[] };
  Object.assign(
    drawn.binaries.find(({ name }) => name === "models-server")!,
    change,
  );
  writeFileSync(file, JSON.stringify(drawn));
  const { problems } = await generateProject(folder.path);
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
}

beforeAll(() => draw({ listen: ["tcp://models-server:7400"] }));

test("binaries that call each other beyond their host are made with TLS", () => {
  for (const file of ["ads_server", "models_server"]) {
    expect(made(`generated/binaries/${file}.cpp`)).toContain("#include <penstock/tls.hpp>");
    expect(made(`generated/binaries/${file}.cpp`)).toContain(".security = &::penstock::tls});");
  }
  expect(made("generated/cmake/sources.cmake")).toContain("find_package(penstock COMPONENTS tls REQUIRED)");
  expect(made("generated/cmake/sources.cmake")).toContain("penstock::penstock penstock::tls)");
  expect(made("Dockerfile")).toContain("libssl3");
});

test("they are told where the other one is, and who may call them", () => {
  expect(JSON.parse(made("generated/config/ads-server.json"))).toMatchObject({
    peers: { "models-server": "tcp://models-server:7400" },
  });
  expect(JSON.parse(made("generated/config/models-server.json"))).toMatchObject({
    listen: ["tcp://models-server:7400"],
    callers: { LogAd: ["ads-server"], ProduceAd: ["ads-server"] },
  });
});

test("their containers get their own keys, and no others", () => {
  const models = made("k8s/models-server.yaml");
  expect(models).toContain("secretName: models-server-keys");
  expect(models).toContain("clusterIP: None");
  expect(models).toContain("- name: calls-7400\n      port: 7400\n");
  const ads = made("k8s/ads-server.yaml");
  expect(ads).toContain("secretName: ads-server-keys");
  expect(ads).not.toContain("kind: Service");
  const compose = made("compose.yaml");
  expect(compose.match(/\.\/keys\/\S+?:/g)).toEqual([
    "./keys/ca.crt:",
    "./keys/ads-server.crt:",
    "./keys/ads-server.key:",
    "./keys/ca.crt:",
    "./keys/models-server.crt:",
    "./keys/models-server.key:",
  ]);
});

test("any binary of the project may call one that is drawn so", async () => {
  await draw({ listen: ["tls://127.0.0.1:7400"], allow: "any-project-binary" });
  expect(JSON.parse(made("generated/config/models-server.json"))).not.toHaveProperty("callers");
});

test("over UDP beyond loopback they are made with TLS, and are a service by name", async () => {
  await draw({ listen: ["udp://10.0.0.5:7400"] });
  expect(made("generated/binaries/ads_server.cpp")).toContain(".security = &::penstock::tls});");
  expect(made("k8s/models-server.yaml")).toContain("secretName: models-server-keys");
  expect(made("k8s/models-server.yaml")).toContain(
    "- name: calls-7400-udp\n      port: 7400\n      protocol: UDP\n",
  );
});

test.each([
  ["udp://models-server:7400", undefined, "udp://models-server:7400"],
  ["udp://0.0.0.0:7400", "file:run/peers.json", "udp+keys+file:run/peers.json"],
  ["udp://[::]:0", "nats://nats:4222", "udp+keys+nats://nats:4222"],
  ["udp://localhost:0", "nats://nats:4222", "udp+nats://nats:4222"],
  ["tcp://127.0.0.1:7400", "file:run/a+nats:b.json", "tcp+file:run/a+nats:b.json"],
])("at %s with the discovery %s they are looked for there", async (address, discovery, peer) => {
  await draw({ listen: [address], ...(discovery === undefined ? {} : { discovery }) });
  expect(JSON.parse(made("generated/config/ads-server.json"))).toMatchObject({
    peers: { "models-server": peer },
  });
  expect(made("k8s/ads-server.yaml").includes("envFrom")).toBe(discovery?.startsWith("nats:") === true);
});

test("over loopback alone nothing of TLS is there", async () => {
  await draw({ listen: ["tcp://127.0.0.1:7400"] });
  expect(made("generated/binaries/ads_server.cpp")).not.toContain("tls");
  expect(made("generated/cmake/sources.cmake")).not.toContain("tls");
});

test("at all addresses of its host a binary listens where a file says which those are", async () => {
  await draw({ listen: ["tcp://0.0.0.0:7400"], discovery: "file:/etc/penstock/peers.json" });
  expect(JSON.parse(made("generated/config/ads-server.json"))).toMatchObject({
    peers: { "models-server": "tls+file:/etc/penstock/peers.json" },
  });
  expect(JSON.parse(made("generated/config/models-server.json"))).toMatchObject({
    listen: ["tcp://0.0.0.0:7400"],
  });
});

test("a binary that is announced at a server listens at any port, and the server is asked for it", async () => {
  await draw({ listen: ["tcp://0.0.0.0:0"], discovery: "nats://nats.example:4222" });
  expect(JSON.parse(made("generated/config/ads-server.json"))).toMatchObject({
    peers: { "models-server": "tls+nats://nats.example:4222" },
  });
  expect(JSON.parse(made("generated/config/models-server.json"))).toMatchObject({
    announce: "nats://nats.example:4222",
    listen: ["tcp://0.0.0.0:0"],
  });
  // Nobody asks for it by its name.
  expect(made("k8s/models-server.yaml")).not.toContain("kind: Service");
  // Both are let in by what the environment says.
  for (const binary of ["ads-server", "models-server"])
    expect(made(`k8s/${binary}.yaml`)).toContain("        - secretRef:\n                name: ads-nats\n");
  expect(made("compose.yaml").match(/- PENSTOCK_NATS_TOKEN\n/g)).toHaveLength(2);
});
