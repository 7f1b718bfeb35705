import { RATE_SETTING } from "@penstock/codegen/sources";
import { madeFields, type Source } from "@penstock/codegen/topology";
import { patchFlow } from "../../kernel/document/edits/flows.js";
import { edit, useDocument } from "../../kernel/document/index.js";
import { useSourceInfo } from "../../kernel/server/usePalette.js";
import { Prose } from "../../kernel/ui/index.js";
import { MadeFields } from "./MadeFields.js";
import { Fault } from "./Fault.js";
import { SettingField } from "./SettingField.js";

/** What a source has besides its kind and its rate, as a form made of its manifest. */
export function SourceForm({ flow: name }: { flow: string }) {
  const topology = useDocument((state) => state.topology);
  const readOnly = useDocument((state) => state.readOnly);
  const at = topology.flows.findIndex((flow) => flow.name === name);
  const flow = topology.flows[at];
  const manifest = useSourceInfo(flow?.source.kind ?? "");
  const pointer = `/flows/${at}/source`;
  if (!flow || !manifest) return <Fault pointer={`${pointer}/kind`} />;
  const { source } = flow;
  const properties = Object.entries(manifest.settings.properties).filter(([key]) => key !== RATE_SETTING);
  const isMade = properties.some(([, schema]) => schema.additionalProperties?.format === "generator");
  const entries = properties.filter(([, schema]) => schema.additionalProperties?.format !== "generator");
  const ports = {
    request: undefined,
    response: topology.messages.find((message) => message.name === flow.event),
    callee: undefined,
    decides: undefined,
  };
  return (
    <>
      {properties.length === 0 || manifest.own ? (
        <p className="hint">
          <Prose text={manifest.doc.replaceAll("<Flow>", name)} />
        </p>
      ) : null}
      {isMade ? <MadeFields flow={name} fields={madeFields(source)} /> : null}
      {entries.length > 0 ? (
        <div className="settings">
          {entries.map(([key, schema]) => (
            <SettingField
              key={`${name}/${source.kind}/${key}`}
              title={schema.title ?? key}
              schema={schema}
              value={Object.hasOwn(source, key) ? source[key] : undefined}
              pointer={`${pointer}/${key}`}
              ports={ports}
              required={manifest.settings.required.includes(key)}
              readOnly={readOnly}
              onChange={(value) =>
                edit("Set source", (model) =>
                  patchFlow(model, name, { source: withSetting(source, key, value, schema.default) }),
                )
              }
            />
          ))}
        </div>
      ) : null}
    </>
  );
}

/** What is as it would be anyway is left out of the document. */
function withSetting(source: Source, key: string, value: unknown, standard: unknown): Source {
  const { [key]: _, ...rest } = source;
  return (value === undefined || value === standard ? rest : { ...source, [key]: value }) as Source;
}
