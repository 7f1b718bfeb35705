import type { BinaryPlan, ExposedPlan, ProjectPlan } from "../../plan/index.js";
import { markdownText } from "../escape/besideCpp.js";
import { described, refTo, schemasOf, type Schema } from "./messageSchemas.js";
import { ERROR_REF, HEADER_REFS, security, SHARED_PARTS } from "./twirp.js";

/** Of the hash of a drawing, `sha256:9f86...`, so much as tells two apart. */
const version = (hash: string): string => hash.replace(/^.*:/, "").slice(0, 12);

/** The last paragraph of the whole description: the page has it below. */
const HOW_TO_ASK = [
  "Services are asked by POST (Twirp, version 7), in JSON by proto3's rules or in the bytes of the messages of messages.proto.",
  "Unknown names are ignored. Fields are read by their names in messages.proto, too, 64-bit integers as numbers, and null as left out.",
  "A body has 1 MiB at most, and what it becomes in memory 16 MiB.",
].join("\n");

/** The exposed services of a binary in OpenAPI 3.1: what tools of other people make clients, forms and tests from. */
export function openApi(plan: ProjectPlan, binary: BinaryPlan): object {
  const { name, doc, exposed, configuration } = binary;
  const prefix = configuration.expose?.prefix ?? "";
  const bundles = [...new Map(exposed.map(({ bundle }) => [bundle.name, bundle])).values()];
  const roots = exposed.flatMap(({ request, response }) => [request, ...(response === "" ? [] : [response])]);
  const { schemes, security: wanted } = security(binary.asksForToken);
  return {
    openapi: "3.1.0",
    info: {
      title: `${plan.project} ${name}`,
      version: version(plan.topologyHash),
      description: [plan.doc, doc]
        .filter((text) => text.trim() !== "")
        .map(markdownText)
        .concat(markdownText(HOW_TO_ASK))
        .join("\n\n"),
    },
    tags: bundles.map((bundle) => ({ name: bundle.name, ...described(bundle.doc) })),
    paths: Object.fromEntries(exposed.map((one) => [`${prefix}/${one.route}`, { post: operation(one) }])),
    security: wanted,
    components: {
      schemas: { ...schemasOf(plan, roots), ...SHARED_PARTS.schemas },
      parameters: SHARED_PARTS.parameters,
      responses: SHARED_PARTS.responses,
      ...(Object.keys(schemes).length > 0 && { securitySchemes: schemes }),
    },
  };
}

function operation({ service, bundle, request, response }: ExposedPlan): object {
  const limit = service.deadlineMs > 0 ? `Ends after ${service.deadlineMs} ms at the latest.` : "";
  return {
    operationId: `${bundle.name}_${service.name}`,
    tags: [bundle.name],
    summary: service.name,
    ...described([service.doc, limit].filter((text) => text.trim() !== "").join("\n")),
    parameters: HEADER_REFS,
    requestBody: { required: true, content: inBothForms(refTo(request)) },
    responses: {
      "200": {
        description: response === "" ? "Done; the answer is empty." : "The answer.",
        content: inBothForms(response === "" ? { type: "object" } : refTo(response)),
      },
      default: ERROR_REF,
    },
  };
}

const inBothForms = (schema: Schema): object => ({
  "application/json": { schema },
  "application/protobuf": {},
});
