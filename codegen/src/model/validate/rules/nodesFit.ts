import { quote, quoteList } from "../../diagnostics/index.js";
import { kindOfNode, listsOf, nodePorts, type NodeManifest, type NodePorts } from "../../manifests/index.js";
import { type Message, type Service } from "../../topology/index.js";
import { SettingChecker } from "../nodes/settingFaults.js";
import type { Place, Rule, RuleContext } from "../rule.js";

/** A service with `node` is what its package's manifest asks for: settings, ports, kind. */
export const nodesFit: Rule = {
  name: "nodesFit",
  codes: ["PS320", "PS321", "PS322", "PS323", "PS324", "PS325", "PS326", "PS327", "PS329"],
  check(context) {
    const { topology, index, palette, report, didYouMean } = context;
    if (palette === undefined) return;
    for (const [at, service] of topology.services.entries()) {
      const { node } = service;
      if (node === undefined) continue;
      const place = ["services", at];
      const manifest = palette.get(node.type);
      if (manifest === undefined) {
        const message = `There is no node of the type ${quote(node.type)}`;
        report("PS320", [...place, "node", "type"], message, didYouMean(node.type, palette.keys()));
        continue;
      }
      const ports = nodePorts(service, index);
      const settings = new SettingChecker(context, index, ports);
      settings.check(manifest.settings, node.settings, [...place, "node", "settings"]);
      checkKind(context, service, manifest, place);
      checkPorts(context, service, manifest, ports, place);
    }
  },
};

function checkKind({ report }: RuleContext, service: Service, manifest: NodeManifest, place: Place): void {
  const { kind, implementations, node } = service;
  const wanted = kindOfNode(manifest, node?.settings ?? {});
  if (kind !== wanted)
    report(
      "PS327",
      [...place, "kind"],
      `${quote(service.name)} is ${kind}; as a ${manifest.type} node it is ${wanted}`,
      {
        help: `Make the service ${quote(wanted)}.`,
      },
    );
  if (implementations.length > 0)
    report(
      "PS329",
      [...place, "implementations"],
      `${quote(service.name)} is a node and has implementations`,
    );
}

function checkPorts(
  { report }: RuleContext,
  service: Service,
  manifest: NodeManifest,
  ports: NodePorts,
  place: Place,
): void {
  const what = `${quote(service.name)}, a ${manifest.type} node,`;
  const { request, response, calls } = manifest.ports;
  if (service.calls.length !== calls) {
    const wanted = calls === 0 ? "no other service" : "one other service";
    report(
      "PS329",
      [...place, "calls"],
      `${what} calls ${service.calls.length} services; it is to call ${wanted}`,
    );
  }
  const misfit = (side: "request" | "response", message: string): void =>
    report("PS326", [...place, ...(service[side] === undefined ? [] : [side])], message);
  const { callee } = ports;
  if (request.is === "callee" && callee !== undefined && callee.request !== service.request)
    misfit(
      "request",
      `${what} takes ${quote(service.request)}, but ${quote(callee.name)} takes ${quote(callee.request)}`,
    );
  const wanted =
    response.is === "request" ? service.request : response.is === "callee" ? callee?.response : undefined;
  if (response.is === "none") {
    if (service.response !== undefined)
      misfit("response", `${what} gives nothing back, so it has no response`);
  } else if (service.response === undefined)
    misfit("response", `${what} gives something back and has no response`);
  else if (wanted !== undefined && service.response !== wanted)
    misfit("response", `${what} gives ${quote(wanted)} back, not ${quote(service.response)}`);
  else if (response.is === "callee" && callee !== undefined && wanted === undefined)
    misfit("response", `${what} calls ${quote(callee.name)}, which gives nothing back`);
  if (response.needs === "one-enum" && ports.response !== undefined && ports.decides === undefined)
    misfit(
      "response",
      `${what} decides by the only enum field of ${quote(ports.response.name)}, which has not exactly one`,
    );
  if (
    response.needs === "list-of-request" &&
    ports.response !== undefined &&
    listsOf(ports.response, service.request).length !== 1
  )
    misfit(
      "response",
      `${what} needs one repeated field of ${quote(service.request)} in ${quote(ports.response.name)}`,
    );
  const sides = [
    ["request", ports.request, request.fields],
    ["response", ports.response, response.fields],
  ] as const;
  for (const [side, message, fields] of sides)
    for (const field of fields ?? [])
      if (message !== undefined && !hasField(message, field))
        misfit(
          side,
          `${what} needs a field ${quote(field.name)} of ${quoteList(field.types)} in ${quote(message.name)}`,
        );
}

const hasField = (message: Message, { name, types }: { name: string; types: readonly string[] }): boolean =>
  message.fields.some(
    (field) =>
      field.name === name &&
      types.includes(field.type) &&
      field.repeated !== true &&
      field.length === undefined,
  );
