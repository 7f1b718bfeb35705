import { isNode } from "@penstock/codegen/manifests";
import { LONGEST_DEADLINE_MS, SERVICE_KINDS, type Service } from "@penstock/codegen/topology";
import { FileCode2 } from "lucide-react";
import { patchService, setKind } from "../../../kernel/document/edits/services.js";
import { edit, openCode, useDocument } from "../../../kernel/document/index.js";
import { categoryColor } from "../../../kernel/ui/icons/categories.js";
import { NodeIcon } from "../../../kernel/ui/icons/NodeIcon.js";
import { Sections } from "../../../registry/Sections.js";
import { useNodeInfo } from "../../../kernel/server/usePalette.js";
import { Checkbox, Field, IconButton, NumberField } from "../../../kernel/ui/index.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { CallsSection } from "../sections/CallsSection.js";
import { ExposeSection } from "../sections/ExposeSection.js";
import { Head } from "../parts/Head.js";
import { ImplementationsSection } from "../sections/ImplementationsSection.js";
import { LiveSection } from "../sections/LiveSection.js";
import { partitionOptions, UNDIVIDED } from "../sections/partitionOptions.js";
import { PlacementSections } from "../sections/PlacementSections.js";
import { ChoiceField, MessageField, worded } from "../../../kernel/fields/Properties.js";
import { StageSection } from "../sections/StageSection.js";
import { ThingProblems } from "../sections/ThingProblems.js";

const KINDS = SERVICE_KINDS.map((kind) => ({ value: kind, label: worded(kind) }));
const icon = { size: 14, strokeWidth: 1.75 };

/** A service; with `flow` and `stage`, the place it has in that flow as well. */
export function ServiceInspector({ name, flow, stage }: { name: string; flow?: string; stage?: string }) {
  const service = useDocument((state) => state.topology.services.find((item) => item.name === name));
  const look = useNodeInfo(service?.node?.type ?? "");
  if (!service) {
    return flow !== undefined && stage !== undefined ? <StageSection flow={flow} stage={stage} /> : null;
  }
  return (
    <>
      <Head
        nodeRef={`service:${name}`}
        name={name}
        icon={service.kind}
        {...(look ? { picture: <NodeIcon icon={look.icon} color={categoryColor(look.category)} /> } : {})}
        rule="service"
        doc={service.doc}
        onDoc={(doc) => edit("Describe", (model) => patchService(model, name, { doc }))}
        actions={
          isNode(service) ? null : (
            <IconButton
              label="Edit the handler"
              size="sm"
              icon={<FileCode2 {...icon} />}
              onClick={() => openCode(`service:${name}`)}
            />
          )
        }
      />
      <ThingProblems refs={[`service:${name}`, ...(flow ? [`stage:${flow}/${stage}`] : [])]} />
      {isNode(service) ? <Sections at="node" of={{ service }} /> : <OwnService service={service} />}
      <Sections at="service" of={{ service }} />
      {flow !== undefined && stage !== undefined ? <StageSection flow={flow} stage={stage} /> : null}
      {isNode(service) ? null : <ImplementationsSection service={service} />}
      <LiveSection service={name} />
      <CallsSection service={service} />
      <ExposeSection service={name} />
      <PlacementSections service={name} />
    </>
  );
}

/** A service whose handler the user writes: all of it can be chosen. */
function OwnService({ service }: { service: Service }) {
  const topology = useDocument((state) => state.topology);
  const { name } = service;
  return (
    <TaggedSection title="Service" tag="rebuild">
      <ChoiceField
        label="Kind"
        value={service.kind}
        options={KINDS}
        onChange={(kind) => edit(`Make ${name} ${kind}`, (model) => setKind(model, name, kind))}
      />
      <MessageField
        label="Request"
        value={service.request}
        set={(model, request) => patchService(model, name, { request: request ?? "" })}
      />
      <MessageField
        label="Response"
        value={service.response}
        none="Nothing"
        set={(model, response) => patchService(model, name, { response })}
      />
      <Field label="Deadline">
        <NumberField
          label="Deadline"
          unit="ms"
          min={1}
          max={LONGEST_DEADLINE_MS}
          placeholder="none"
          value={service.deadlineMs}
          onChange={(deadlineMs) =>
            edit("Set deadline", (model) => patchService(model, name, { deadlineMs }))
          }
        />
      </Field>
      {topology.binaries.length > 1 || service.idempotent === true ? (
        <Checkbox
          label="Idempotent: may be asked twice"
          checked={service.idempotent === true}
          onChange={(idempotent) =>
            edit(idempotent ? `Make ${name} idempotent` : `Make ${name} not idempotent`, (model) =>
              patchService(model, name, { idempotent: idempotent || undefined }),
            )
          }
        />
      ) : null}
      {service.kind === "single-threaded" ? (
        <ChoiceField
          label="Partition by"
          value={service.partitionBy ?? UNDIVIDED}
          options={partitionOptions(topology, service)}
          onChange={(choice) =>
            edit("Set partition", (model) =>
              patchService(model, name, { partitionBy: choice === UNDIVIDED ? undefined : choice }),
            )
          }
        />
      ) : null}
    </TaggedSection>
  );
}
