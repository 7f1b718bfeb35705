import { expect, test } from "vitest";
import { nodeManifestSchema } from "../model/manifests/index.js";
import { planProject } from "../plan/index.js";
import { topologyHash, topologySchema, type HttpDoor } from "../model/topology/index.js";
import { renderProject } from "./renderProject.js";

function rendered(
  http: string | HttpDoor,
  binary: { name?: string; listen?: string[] } = {},
  project = "shop",
) {
  const { name = "prices_1" } = binary;
  const topology = topologySchema.parse({
    penstock: 1,
    name: project,
    messages: [{ name: "Order" }],
    services: [{ name: "Price", request: "Order", response: "Order" }],
    bundles: [{ name: "Prices", services: ["Price"] }],
    binaries: [{ name, bundles: ["Prices"], http, ...binary }],
  });
  const plan = planProject(topology, topologyHash(topology), "0.1.0", new Map());
  const tree = renderProject(plan, () => ({}) as never);
  const text = (path: string): string => tree.get(path)!.text;
  return {
    compose: text("compose.yaml"),
    docker: text("Dockerfile"),
    kubernetes: text(`k8s/${name}.yaml`),
    main: text(`generated/binaries/${name}.cpp`),
    cmake: text("generated/cmake/sources.cmake"),
  };
}

test("an HTTP address of this machine is published nowhere, and needs no secret and no TLS", () => {
  const { compose, kubernetes, main, cmake } = rendered("127.0.0.1:8080");
  for (const text of [compose, kubernetes]) expect(text).not.toMatch(/8080|keys|PENSTOCK_HTTP/);
  expect(main + cmake).not.toContain("tls");
});

test("one that other machines ask is published, with its token and its keys as secrets", () => {
  const { compose, kubernetes, main, cmake } = rendered({
    address: "0.0.0.0:8080",
    auth: "bearer",
    tls: "keys",
  });
  expect(compose).toContain("- PENSTOCK_HTTP_TOKEN\n");
  expect(compose).toContain("- ./keys/prices_1.key:/keys/prices_1.key:ro\n");
  expect(compose).toContain('    ports:\n      - "8080:8080"\n');
  expect(kubernetes).toContain(
    "#   kubectl create secret generic prices-1-keys --from-file=keys/ca.crt \\\n#     --from-file=keys/prices_1.crt --from-file=keys/prices_1.key\n",
  );
  expect(kubernetes).toContain(
    "secretKeyRef:\n                  name: prices-1-http\n                  key: token\n",
  );
  expect(kubernetes).toContain("- name: https\n              containerPort: 8080\n");
  expect(kubernetes).toContain("port: 8080\n      targetPort: https\n");
  expect(main).toContain("#include <penstock/tls.hpp>\n");
  expect(main).toContain(
    '"/prices_1.json",\n                       .http_security = &::penstock::http_tls});\n',
  );
  expect(cmake).toContain("penstock::tls");
});

test("a certificate of its own is mounted in place of the keys, and needs no authority", () => {
  const tls = { cert: "tls.crt", key: "tls.key" };
  const { compose, kubernetes } = rendered({ address: "0.0.0.0:8080", auth: "none", tls });
  expect(compose).toContain("- ./keys/tls.crt:/keys/tls.crt:ro\n      - ./keys/tls.key:/keys/tls.key:ro\n");
  for (const text of [compose, kubernetes]) expect(text).not.toMatch(/ca\.crt|HTTP_TOKEN/);
});

test("both hooks of TLS are given where calls and HTTP are secured", () => {
  const { main } = rendered({ address: "127.0.0.1:0", tls: "keys" }, { listen: ["tls://127.0.0.1:7400"] });
  expect(main).toContain(".security = &::penstock::tls,\n                       .http_security = ");
  expect(rendered("127.0.0.1:0").main).toContain('"/prices_1.json"});\n');
});

test("names that YAML takes for something else are quoted", () => {
  const { compose, kubernetes } = rendered("0.0.0.0:8080", { name: "on" }, "yes");
  expect(compose).toContain('services:\n  "on":\n    image: "yes"\n');
  expect(kubernetes).toContain('        - name: "on"\n          image: "yes"\n');
  for (const text of [compose, kubernetes]) expect(text).not.toMatch(/^[^#"]*\b(?:on|yes)(?::|$)/m);
});

test("no file of the image's own system is where a project's configuration goes", () => {
  const { docker, compose, kubernetes } = rendered("0.0.0.0:8080", {}, "profile");
  for (const text of [docker, compose, kubernetes])
    expect(text).toContain('"--config", "/etc/penstock/profile/prices_1.json"');
  expect(docker).toContain("COPY --from=build /project/generated/config /etc/penstock/profile\n");
});

test("no two services of Kubernetes have one name, and none more letters than it takes", () => {
  const long = `p${"x".repeat(62)}`;
  const names = ["shop", "shop_http", "shop_http_2", long, `${long.slice(1)}y`, `${long.slice(1)}z`];
  const topology = topologySchema.parse({
    penstock: 1,
    name: "shop",
    messages: [{ name: "Order" }],
    services: names.map((_, at) => ({ name: `Price${at}`, request: "Order", response: "Order" })),
    bundles: names.map((_, at) => ({ name: `Prices${at}`, services: [`Price${at}`] })),
    binaries: names.map((name, at) => ({ name, bundles: [`Prices${at}`], http: "0.0.0.0:8080" })),
  });
  const plan = planProject(topology, topologyHash(topology), "0.1.0", new Map());
  const tree = renderProject(plan, () => ({}) as never);
  const services = names.map(
    (name) => /kind: Service\nmetadata:\n {2}name: "?([\w-]+)/.exec(tree.get(`k8s/${name}.yaml`)!.text)?.[1],
  );
  expect(services).toEqual([
    "shop-http-3",
    "shop-http-http",
    "shop-http-2-http",
    `p${"x".repeat(57)}-http`,
    `${"x".repeat(58)}-http`,
    `${"x".repeat(56)}-http-2`,
  ]);
});

test("the name of an image ends as Docker wants", () => {
  const { docker, compose, kubernetes } = rendered("127.0.0.1:0", {}, "shop_");
  expect(docker).toContain("-t shop .\n");
  for (const text of [compose, kubernetes]) expect(text).toContain('image: "shop"\n');
  expect(compose).toContain('"--config", "/etc/penstock/shop_/prices_1.json"');
});

test.each([
  [{}, true],
  [{ listen: ["tcp://127.0.0.1:7400"] }, true],
  [{ listen: ["tcp://127.0.0.1:7400", "tls://prices:7400"] }, false],
  [{ listen: ["udp://0.0.0.0:7400"] }, false],
])("the files of one that others call say so where these reach it on its host alone: %j", (listens, says) => {
  const topology = topologySchema.parse({
    penstock: 1,
    name: "shop",
    messages: [{ name: "Order" }],
    services: [
      { name: "Price", request: "Order", response: "Order" },
      { name: "Sell", request: "Order", response: "Order", kind: "async-remote", calls: ["Price"] },
    ],
    bundles: [
      { name: "Prices", services: ["Price"] },
      { name: "Sales", services: ["Sell"] },
    ],
    binaries: [
      { name: "prices_1", bundles: ["Prices"], ...listens },
      { name: "sales", bundles: ["Sales"] },
    ],
  });
  const plan = planProject(topology, topologyHash(topology), "0.1.0", new Map());
  const tree = renderProject(plan, () => ({}) as never);
  const hint = "draw `listen` for it, `tcp://prices-1:7400`";
  expect(tree.get("compose.yaml")!.text.includes(hint)).toBe(says);
  expect(tree.get("k8s/prices_1.yaml")!.text.includes(hint)).toBe(says);
  expect(tree.get("k8s/sales.yaml")!.text).not.toContain("draw `listen`");
});

test("what a node reads in the environment is handed on, each binary its own", () => {
  const asks = nodeManifestSchema.parse({
    type: "asks",
    title: "Asks",
    doc: "Asks.",
    icon: "x",
    category: "io",
    kind: "async-remote",
    roles: ["map"],
    ports: { request: { is: "any" }, response: { is: "any" }, calls: 0 },
    settings: {
      type: "object",
      properties: {
        how: { type: "string", enum: ["shown", "open"], default: "open" },
        token: { type: "string", format: "environment-variable", default: "", when: { how: "shown" } },
        other: { type: "string", default: "NOT_THIS" },
      },
    },
  });
  const node = (settings: object) => ({ node: { type: "asks", settings } });
  const topology = topologySchema.parse({
    penstock: 1,
    name: "shop",
    messages: [{ name: "Order" }],
    services: [
      { name: "Price", request: "Order", response: "Order", ...node({ how: "shown", token: "SHOP_TOKEN" }) },
      {
        name: "Own",
        request: "Order",
        response: "Order",
        ...node({ how: "shown", token: "PENSTOCK_CONTROL_TOKEN" }),
      },
      // That of another's door.
      {
        name: "Asks",
        request: "Order",
        response: "Order",
        ...node({ how: "shown", token: "PENSTOCK_HTTP_TOKEN" }),
      },
      { name: "Stock", request: "Order", response: "Order", ...node({ token: "UNUSED" }) },
    ],
    bundles: [
      { name: "Prices", services: ["Price", "Own", "Asks"] },
      { name: "Stocks", services: ["Stock"] },
    ],
    binaries: [
      { name: "prices_1", bundles: ["Prices"] },
      { name: "stocks", bundles: ["Stocks"] },
    ],
  });
  const plan = planProject(topology, topologyHash(topology), "0.1.0", new Map([["asks", asks]]));
  const tree = renderProject(plan, () => ({ state: "", handler: "" }));
  const [compose = "", prices = "", stocks = ""] = [
    "compose.yaml",
    "k8s/prices_1.yaml",
    "k8s/stocks.yaml",
  ].map((path) => tree.get(path)?.text);
  expect(compose.match(/^ +- "SHOP_TOKEN"$/gm)).toHaveLength(1);
  expect(compose.match(/PENSTOCK_CONTROL_TOKEN$/gm)).toHaveLength(2);
  expect(compose).toContain("handed on from here: PENSTOCK_HTTP_TOKEN, SHOP_TOKEN.\n");
  expect(prices).toContain(
    "secret generic prices-1-environment --from-literal=PENSTOCK_HTTP_TOKEN=... --from-literal=SHOP_TOKEN=...\n",
  );
  expect(prices).toContain(
    '            - name: "SHOP_TOKEN"\n              valueFrom:\n                secretKeyRef:\n' +
      '                  name: prices-1-environment\n                  key: "SHOP_TOKEN"\n',
  );
  for (const text of [compose, prices, stocks]) expect(text).not.toMatch(/UNUSED|NOT_THIS/);
  expect(stocks).not.toMatch(/SHOP_TOKEN|environment/);
});
