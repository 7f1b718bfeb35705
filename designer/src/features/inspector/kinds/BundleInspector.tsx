import { Plus, Trash2 } from "lucide-react";
import { addBinaryFor } from "../../../drawing/edits/group.js";
import { changeBinary } from "../../../kernel/document/edits/binaries.js";
import { changeBundle, moveToBundle } from "../../../kernel/document/edits/bundles.js";
import { nodeOfService } from "../../../kernel/document/edits/flows.js";
import { edit, reveal, useDocument } from "../../../kernel/document/index.js";
import { useSourceIcon } from "../../../kernel/server/usePalette.js";
import { Button, Checkbox, IconButton, KindIcon } from "../../../kernel/ui/index.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { Head } from "../parts/Head.js";
import { ThingProblems } from "../sections/ThingProblems.js";

const take = (members: { services: string[]; flows: string[] }) =>
  edit("Take out of bundle", (model) => moveToBundle(model, members, null));

/** A bundle: what is in it, and the binaries that serve it. */
export function BundleInspector({ name }: { name: string }) {
  const topology = useDocument((state) => state.topology);
  const sourceIcon = useSourceIcon();
  const bundle = topology.bundles.find((item) => item.name === name);
  if (!bundle) return null;
  const trash = <Trash2 size={14} strokeWidth={1.75} />;
  return (
    <>
      <Head
        nodeRef={`bundle:${name}`}
        name={name}
        icon="bundle"
        rule="bundle"
        doc={bundle.doc}
        onDoc={(doc) => edit("Describe", (model) => changeBundle(model, name, { doc }))}
      />
      <ThingProblems refs={[`bundle:${name}`]} />
      <TaggedSection title="Binaries" tag="rebuild">
        {topology.binaries.map((binary) => (
          <Checkbox
            key={binary.name}
            label={binary.name}
            checked={binary.bundles.includes(name)}
            onChange={(on) =>
              edit(on ? `Serve in ${binary.name}` : `Take out of ${binary.name}`, (model) =>
                changeBinary(model, binary.name, (item) => ({
                  ...item,
                  bundles: on ? [...item.bundles, name] : item.bundles.filter((other) => other !== name),
                })),
              )
            }
          />
        ))}
        <Button size="sm" icon={<Plus size={14} strokeWidth={1.75} />} onClick={() => addBinaryFor(name)}>
          Add binary for this bundle
        </Button>
      </TaggedSection>
      <TaggedSection title="In it" tag="rebuild">
        {bundle.services.length + bundle.flows.length === 0 ? (
          <p className="hint">Empty: drag services and sources into its border.</p>
        ) : null}
        <ul className="item-list">
          {bundle.flows.map((flow) => (
            <li key={`flow:${flow}`} className="item">
              <button type="button" className="item-link" onClick={() => reveal(`flow:${flow}`)}>
                <KindIcon
                  kind={sourceIcon(topology.flows.find((item) => item.name === flow)?.source.kind ?? "rate")}
                />
                {flow}
              </button>
              <IconButton
                size="sm"
                label={`Take ${flow} out`}
                icon={trash}
                onClick={() => take({ services: [], flows: [flow] })}
              />
            </li>
          ))}
          {bundle.services.map((service) => (
            <li key={service} className="item">
              <button
                type="button"
                className="item-link"
                onClick={() => reveal(nodeOfService(topology, service))}
              >
                <KindIcon kind={topology.services.find((item) => item.name === service)?.kind ?? "simple"} />
                {service}
              </button>
              <IconButton
                size="sm"
                label={`Take ${service} out`}
                icon={trash}
                onClick={() => take({ services: [service], flows: [] })}
              />
            </li>
          ))}
        </ul>
      </TaggedSection>
    </>
  );
}
