import type { SettingSchema } from "@penstock/codegen/manifests";
import { setMadeFields } from "../../kernel/document/edits/flows.js";
import { edit, useDocument } from "../../kernel/document/index.js";
import { SettingField } from "./SettingField.js";

/** What the standard node `random` has for its response. */
const SCHEMA: SettingSchema = {
  type: "object",
  propertyNames: { format: "field-of-response", fieldTypes: ["any"] },
  additionalProperties: { type: "object", format: "generator" },
};
const MADE = "Other fields keep their default. Without any of these your C++ makes the events.";
const WRITTEN = "Your C++ makes the events, unless it is said here how their fields are made.";

/** How a rate source makes the fields of its events; undefined: by the user's C++. */
export function MadeFields({
  flow: name,
  fields,
}: {
  flow: string;
  fields: Readonly<Record<string, unknown>> | undefined;
}) {
  const topology = useDocument((state) => state.topology);
  const readOnly = useDocument((state) => state.readOnly);
  const at = topology.flows.findIndex((flow) => flow.name === name);
  const message = topology.messages.find((item) => item.name === topology.flows[at]?.event);
  if (!message && !fields) return null;
  return (
    <div className="settings">
      <SettingField
        title="Fields"
        schema={{ ...SCHEMA, description: fields ? MADE : WRITTEN }}
        value={fields}
        pointer={`/flows/${at}/source/event`}
        ports={{ request: undefined, response: message, callee: undefined, decides: undefined }}
        required={false}
        readOnly={readOnly}
        onChange={(next) =>
          edit("Set how events are made", (model) =>
            setMadeFields(model, name, next as Record<string, unknown>),
          )
        }
      />
    </div>
  );
}
