import { callLine, possibleCallees, type Service } from "@penstock/codegen/topology";
import { Copy, Trash2 } from "lucide-react";
import { useMemo } from "react";
import { joinBundleOf } from "../../../kernel/document/edits/bundles.js";
import { nodeOfService } from "../../../kernel/document/edits/flows.js";
import { addCall, removeCall } from "../../../kernel/document/edits/services.js";
import { edit, reveal, useDocument } from "../../../kernel/document/index.js";
import { copyLine, IconButton, KindIcon, Select } from "../../../kernel/ui/index.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";

/** The services that a service may ask; what a line between call ports does, done by keyboard. */
export function CallsSection({ service }: { service: Service }) {
  const topology = useDocument((state) => state.topology);
  const { name } = service;
  const lineOf = (callee: string): string => {
    const asked = topology.services.find((item) => item.name === callee);
    return asked ? callLine(service, asked) : "";
  };
  const possible = useMemo(() => possibleCallees(topology, name), [topology, name]);
  return (
    <TaggedSection title="Calls" tag="rebuild">
      <ul className="item-list">
        {service.calls.map((callee) => (
          <li key={callee} className="item item-call">
            <button
              type="button"
              className="item-link"
              onClick={() => reveal(nodeOfService(topology, callee))}
            >
              <KindIcon kind={topology.services.find((item) => item.name === callee)?.kind ?? "simple"} />
              {callee}
            </button>
            <IconButton
              label={`Copy the C++ of the call to ${callee}`}
              size="sm"
              icon={<Copy size={14} strokeWidth={1.75} />}
              onClick={() => void copyLine(lineOf(callee), "Copied: paste it into the handler")}
            />
            <IconButton
              label={`Remove the call to ${callee}`}
              size="sm"
              icon={<Trash2 size={14} strokeWidth={1.75} />}
              onClick={() => edit("Remove call", (model) => removeCall(model, name, callee))}
            />
            <code className="call-line mono" title={lineOf(callee)}>
              {lineOf(callee)}
            </code>
          </li>
        ))}
      </ul>
      {possible.length > 0 ? (
        <Select
          label="Add a call"
          value=""
          placeholder="Add a call to…"
          options={possible.map((other) => ({ value: other, label: other }))}
          onChange={(to) =>
            edit(`Call ${to} from ${name}`, (model) =>
              joinBundleOf(addCall(model, name, to), to, { service: name }),
            )
          }
        />
      ) : null}
    </TaggedSection>
  );
}
