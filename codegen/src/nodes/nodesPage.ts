import type { NodeManifest } from "../model/manifests/index.js";
import { standardNodes } from "./loadNodes.js";
import { settingLine } from "./settingLine.js";
import { sourcesSection } from "./sourcesSection.js";

/** The text of `docs/nodes.md` behind its hand-written head: sources, and every standard node from its manifest. */
export const nodesPage = (head: string): string => {
  const nodes = [...standardNodes().values()].map(({ manifest, documentation }) =>
    section(manifest, documentation),
  );
  return `${head.trimEnd()}\n\n${[sourcesSection(), ...nodes].join("\n")}`;
};

function section(manifest: NodeManifest, documentation: string): string {
  const settings = Object.entries(manifest.settings.properties).map(([key, schema]) =>
    settingLine(key, schema, manifest.settings.required.includes(key)),
  );
  const facts = [`Roles: ${manifest.roles.join(", ")}`, `kind: ${kinds(manifest)}`, response(manifest)];
  return [
    `## ${manifest.title} (\`${manifest.type}\`)`,
    manifest.doc,
    `${facts.join("; ")}.`,
    documentation.trim(),
    settings.join("\n"),
  ]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
}

const kinds = ({ kind }: NodeManifest): string =>
  typeof kind === "string"
    ? `\`${kind}\``
    : Object.entries(kind.of)
        .map(([value, one]) => `\`${one}\` (\`${kind.setting}\` is \`${value}\`)`)
        .join(", ");

function response({ ports }: NodeManifest): string {
  const calls = ports.calls === 0 ? "" : "; calls one service, and takes what that takes";
  const words = {
    any: "gives a response",
    none: "has no response",
    request: "gives its request back",
    callee: "gives back what that gives",
  };
  return `${words[ports.response.is]}${calls}`;
}

/** What ends the hand-written head of the page. */
export const PAGE_MARK =
  "<!-- From here on made by `npx tsx codegen/tools/writePages.ts` from templates/sources and templates/nodes; do not edit. -->";

/** The page with its sections made again. */
export function refreshed(page: string): string {
  const end = page.indexOf(PAGE_MARK) + PAGE_MARK.length;
  return nodesPage(page.slice(0, end));
}
