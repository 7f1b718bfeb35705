import { counts, isNode, nodePorts, type NodeManifest } from "@penstock/codegen/manifests";
import { indexTopology, type Service } from "@penstock/codegen/topology";
import { useMemo } from "react";
import { useDocument } from "../../kernel/document/index.js";
import { patchService } from "../../kernel/document/edits/services.js";
import { Fact, MessageField } from "../../kernel/fields/Properties.js";
import { TaggedSection } from "../../kernel/fields/TaggedSection.js";
import { Prose } from "../../kernel/ui/index.js";
import { setSetting } from "./editSettings.js";
import { useNodeInfo } from "../../kernel/server/usePalette.js";
import { Fault } from "./Fault.js";
import { SettingField } from "./SettingField.js";
import "./nodes.css";

/** What a service that is a node takes and gives, and its settings as a form made from their schema. */
export function NodeSections({ service }: { service: Service }) {
  const info = useNodeInfo(service.node?.type ?? "");
  const topology = useDocument((state) => state.topology);
  const at = topology.services.indexOf(service);
  if (!isNode(service)) return null;
  return (
    <>
      <TaggedSection title={info?.title ?? service.node?.type ?? "Node"} tag="rebuild">
        {info ? (
          <p className="setting-help node-doc">
            <Prose text={info.doc} />
          </p>
        ) : null}
        <MessageField
          label="Request"
          value={service.request}
          set={(model, request) => patchService(model, service.name, { request: request ?? "" })}
        />
        {info?.ports.response.is === "none" ? null : (
          <MessageField
            label="Response"
            value={service.response}
            none="Nothing"
            set={(model, response) => patchService(model, service.name, { response })}
          />
        )}
        <Fact label="Runs as">{service.kind}</Fact>
      </TaggedSection>
      {info ? <Settings service={service} manifest={info} pointer={`/services/${at}/node/settings`} /> : null}
    </>
  );
}

function Settings({
  service,
  manifest,
  pointer,
}: {
  service: Service;
  manifest: NodeManifest;
  pointer: string;
}) {
  const topology = useDocument((state) => state.topology);
  const readOnly = useDocument((state) => state.readOnly);
  const ports = useMemo(() => nodePorts(service, indexTopology(topology)), [service, topology]);
  const settings = service.node?.settings ?? {};
  const { properties } = manifest.settings;
  const entries = Object.entries(properties).filter(([, schema]) => counts(schema, properties, settings));
  if (entries.length === 0) return null;
  return (
    <TaggedSection title="Settings" tag="rebuild">
      <div className="settings">
        <Fault pointer={pointer} />
        {entries.map(([key, schema]) => (
          <SettingField
            key={`${service.name}/${key}`}
            title={schema.title ?? key}
            schema={schema}
            value={settings[key]}
            pointer={`${pointer}/${key}`}
            ports={ports}
            required={manifest.settings.required.includes(key)}
            readOnly={readOnly}
            onChange={(value) => setSetting(service.name, manifest, key, value)}
          />
        ))}
      </div>
    </TaggedSection>
  );
}
