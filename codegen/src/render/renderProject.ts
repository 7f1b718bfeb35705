import type { ProjectPlan, ServicePlan } from "../plan/index.js";
import { banner, OWNER_NOTE, type FileTree, type TreeFile } from "./fileTree.js";
import { containerContext, imageOf, secretsOf } from "./containerContext.js";
import { jsonText } from "./escape/json.js";
import { flowContext, madeEventsContext } from "./flowContext.js";
import { numbered } from "./nodeTemplate.js";
import { nodeSource, type NodeTexts } from "./nodeTexts.js";
import { ownSourceContext } from "./ownSourceContext.js";
import { messagesContext } from "./messagesContext.js";
import { openApi } from "./openApi/openApi.js";
import { handlerContext, skeletonContext, testContext } from "./serviceContext.js";
import { binaryContext, partContext } from "./binaryContext.js";
import { renderTemplate } from "./templates.js";

/**
 * The whole project as text, from the plan and what the templates of its nodes make alone: same
 * plan, same bytes. Throws what `textsOf` throws.
 */
export function renderProject(plan: ProjectPlan, textsOf: (service: ServicePlan) => NodeTexts): FileTree {
  const tree = new Map<string, TreeFile>();
  const shared = { project: plan.project, banner: banner(plan.version), ownerNote: OWNER_NOTE };
  const generated = (path: string, text: string, node: TreeFile["node"] = ""): void => {
    tree.set(`generated/${path}`, {
      path: `generated/${path}`,
      text,
      owner: "generated",
      node,
      required: true,
    });
  };
  const yours = (path: string, text: string, node: TreeFile["node"] = "", required = false): void => {
    tree.set(path, { path, text, owner: "yours", node, required });
  };

  const messages = { ...shared, ...messagesContext(plan) };
  generated("messages.hpp", renderTemplate("generated/messages.hpp", messages));
  generated("messages_codec.hpp", renderTemplate("generated/messages_codec.hpp", messages));
  generated("messages.cpp", renderTemplate("generated/messages.cpp", messages));
  generated(`${plan.project}/messages.proto`, renderTemplate("generated/messages.proto", messages));
  if (plan.needs.json)
    generated("messages_json.cpp", renderTemplate("generated/messages_json.cpp", messages));
  const hash = { ...shared, topologyHash: plan.topologyHash };
  generated("topology_hash.hpp", renderTemplate("generated/topology_hash.hpp", hash));
  generated("topology_hash.cpp", renderTemplate("generated/topology_hash.cpp", hash));
  generated("config_dir.hpp", renderTemplate("generated/config_dir.hpp", shared));
  generated("config_dir.cpp", renderTemplate("generated/config_dir.cpp", shared));

  for (const service of plan.services) {
    const state = service.standard === undefined ? "" : renderNode(service);
    generated(
      service.header,
      renderTemplate("generated/services/service.hpp", {
        ...shared,
        ...skeletonContext(plan, service, state),
      }),
      service.node,
    );
    if (service.standard === undefined) renderServiceStarts(service);
  }
  for (const flow of plan.flows.filter((one) => one.isGenerated)) {
    generated(
      flow.header,
      renderTemplate("generated/flows/flow.hpp", { ...shared, ...flowContext(flow) }),
      flow.node,
    );
    if (flow.made === undefined)
      yours(
        flow.source,
        renderTemplate("src/flows/flow.cpp", { ...shared, ...flowContext(flow) }),
        flow.node,
        true,
      );
    else {
      const context = { ...shared, ...madeEventsContext(flow, flow.made) };
      const text = numbered(renderTemplate("generated/flows/flow.cpp", context));
      generated(flow.source.replace(/^generated\//, ""), text, flow.node);
    }
  }
  for (const own of plan.ownSources)
    generated(
      own.header,
      renderTemplate("generated/sources/source.hpp", { ...shared, ...ownSourceContext(plan.project, own) }),
    );
  for (const binary of plan.binaries) {
    generated(
      binary.source,
      renderTemplate("generated/binaries/binary.cpp", { ...shared, ...binaryContext(plan, binary) }),
      binary.node,
    );
    for (const part of binary.parts)
      generated(
        part.source,
        renderTemplate("generated/binaries/part.cpp", { ...shared, ...partContext(plan.project, part) }),
        binary.node,
      );
    generated(binary.config, `${jsonText(binary.configuration)}\n`, binary.node);
    if (binary.openApi === undefined) continue;
    const document = `${jsonText(openApi(plan, binary))}\n`;
    const context = { ...shared, lines: document.match(/.*\n/gu) };
    generated(binary.openApi.document, document, binary.node);
    generated(binary.openApi.source, renderTemplate("generated/openapi/binary.cpp", context), binary.node);
  }
  if (plan.binaries.some((binary) => binary.openApi !== undefined))
    generated("openapi.hpp", renderTemplate("generated/openapi.hpp", shared));
  generated(
    "cmake/sources.cmake",
    renderTemplate("generated/cmake/sources.cmake", { ...shared, ...buildContext(plan) }),
  );

  const build = { ...shared, ...buildContext(plan) };
  yours("CMakeLists.txt", renderTemplate("CMakeLists.txt", build), "", true);
  yours("CMakePresets.json", renderTemplate("CMakePresets.json", build), "", true);
  for (const path of [".clang-format", ".gitignore", ".dockerignore", "README.md"])
    yours(path, renderTemplate(path.replace(/^\./, "dot-"), build));
  if (plan.binaries.length > 0) {
    yours("Dockerfile", renderTemplate("Dockerfile", build));
    yours("compose.yaml", renderTemplate("compose.yaml", build));
  }
  for (const binary of build.binaries)
    yours(
      `k8s/${binary.name}.yaml`,
      renderTemplate("k8s/binary.yaml", { ...shared, ...binary }),
      `binary:${binary.name}`,
    );
  return tree;

  /** The handler of a node, and its state where it has some: the state's path. */
  function renderNode(service: ServicePlan): string {
    const { state, handler } = textsOf(service);
    generated(nodeSource(service), handler, service.node);
    if (state.trim() === "") return "";
    generated(service.stateHeader, state, service.node);
    return service.stateHeader;
  }

  function renderServiceStarts(service: ServicePlan): void {
    for (const handler of service.handlers)
      yours(
        handler.source,
        renderTemplate("src/services/handler.cpp", { ...shared, ...handlerContext(service, handler) }),
        service.node,
        true,
      );
    const [test, bench] = plan.sources.filter(
      (s) => s.node === service.node && (s.role === "test" || s.role === "bench"),
    );
    if (test)
      yours(
        test.path,
        renderTemplate("tests/service_test.cpp", { ...shared, ...testContext(plan, service) }),
        service.node,
      );
    if (bench)
      yours(
        bench.path,
        renderTemplate("bench/service_bench.cpp", { ...shared, ...testContext(plan, service) }),
        service.node,
      );
  }
}

function buildContext(plan: ProjectPlan) {
  return {
    runtimeVersion: `${plan.runtimeMajor}.${plan.runtimeMinor}`,
    doc: plan.doc,
    precompiled: plan.precompiled,
    packages: [...new Set(plan.packages.map((one) => one.package))],
    targets: plan.packages.map((one) => one.target),
    runtimePackages: plan.runtimePackages.join(" "),
    sources: [
      // First, as they take longest; those of a binary are with the handlers for the sake of their precompiled header.
      ...plan.binaries.flatMap(({ parts }) => parts.map(({ source }) => `generated/${source}`)),
      ...plan.services.flatMap((s) => s.handlers.map((h) => h.source)),
      ...plan.flows.filter((f) => f.isGenerated).map((f) => f.source),
    ],
    json: plan.needs.json,
    binaries: plan.binaries.map((binary) => ({
      name: binary.name,
      sources: [binary.source, ...(binary.openApi === undefined ? [] : [binary.openApi.source])].join(" "),
      doc: binary.doc,
      ...containerContext(plan, binary),
    })),
    ...secretsOf(plan),
    image: imageOf(plan.project),
    firstBinary: plan.binaries[0]?.name ?? "",
    services: plan.services.map((s) => ({
      name: s.name,
      doc: s.doc,
      sources: s.handlers.map((h) => h.source),
    })),
    flows: plan.flows.map((f) => ({ name: f.name, doc: f.doc, source: f.isGenerated ? f.source : "" })),
  };
}
