import { freshSource, keepsRate } from "@penstock/codegen/sources";
import { sourceText, type Source } from "@penstock/codegen/topology";
import { FileCode2 } from "lucide-react";
import { connection } from "../../../drawing/edits/connect.js";
import { PORTS } from "../../../kernel/document/canvasRefs.js";
import {
  flowRef,
  hasEventCode,
  nodeOfService,
  patchFlow,
  stageRef,
} from "../../../kernel/document/edits/flows.js";
import { edit, openCode, reveal, useDocument } from "../../../kernel/document/index.js";
import { usePalette, useSourceIcon } from "../../../kernel/server/usePalette.js";
import { IconButton, KindIcon, Select } from "../../../kernel/ui/index.js";
import { Sections } from "../../../registry/Sections.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { Head } from "../parts/Head.js";
import { ChoiceField, MessageField } from "../../../kernel/fields/Properties.js";
import { RateSection } from "../sections/RateSection.js";
import { Doors } from "../sections/Doors.js";
import { ThingProblems } from "../sections/ThingProblems.js";

/** A flow: what its events are, where they come from and where they go. */
export function FlowInspector({ name }: { name: string }) {
  const flow = useDocument((state) => state.topology.flows.find((item) => item.name === name));
  const sourceIcon = useSourceIcon();
  const { sources } = usePalette();
  if (!flow) return null;
  const { source } = flow;
  const manifest = sources.find(({ kind }) => kind === source.kind);
  const kinds = sources.map(({ kind, title }) => ({ value: kind, label: title }));
  // One that the project does not have, or does not have yet.
  if (manifest === undefined) kinds.push({ value: source.kind, label: `${source.kind} (missing)` });
  const setSource = (next: Source) => edit("Set source", (model) => patchFlow(model, name, { source: next }));
  return (
    <>
      <Head
        nodeRef={`flow:${name}`}
        name={name}
        icon={sourceIcon(source.kind)}
        rule="flow"
        doc={flow.doc}
        onDoc={(doc) => edit("Describe", (model) => patchFlow(model, name, { doc }))}
        actions={
          hasEventCode(flow) ? (
            <IconButton
              label="Edit the event source"
              size="sm"
              icon={<FileCode2 size={14} strokeWidth={1.75} />}
              onClick={() => openCode(`flow:${name}`)}
            />
          ) : undefined
        }
      />
      <ThingProblems refs={[`flow:${name}`]} />
      {manifest === undefined || keepsRate(manifest) === "not" ? null : (
        <RateSection key={source.kind} flow={name} source={source} manifest={manifest} />
      )}
      <TaggedSection title="Source" tag="rebuild">
        <ChoiceField
          label="Kind"
          value={source.kind}
          options={kinds}
          onChange={(kind) => {
            const next = sources.find((one) => one.kind === kind);
            if (next) setSource(freshSource(next));
          }}
        />
        <MessageField
          label="Event"
          value={flow.event}
          set={(model, event) => patchFlow(model, name, { event: event ?? "" })}
        />
        <Sections at="source" of={{ flow: name }} />
        {source.kind === "http" ? <Doors flow={name} path={sourceText(source, "path")} /> : null}
      </TaggedSection>
      <TaggedSection title="Stages" tag="rebuild">
        {flow.stages.length === 0 ? (
          <p className="hint">No stage yet: draw from the right port of the source to a service.</p>
        ) : null}
        <ul className="item-list">
          {flow.stages.map((stage) => (
            <li key={stage.id} className="item">
              <button type="button" className="item-link" onClick={() => reveal(`stage:${name}/${stage.id}`)}>
                <KindIcon kind={stage.role === "map" ? "simple" : stage.role} />
                {stage.service}
                <span className="mono item-figure">{stage.id}</span>
              </button>
            </li>
          ))}
        </ul>
        <AddStage flow={name} />
      </TaggedSection>
    </>
  );
}

/** Puts a service at the end of the flow: what a line between flow ports does, done by keyboard. */
function AddStage({ flow: name }: { flow: string }) {
  const topology = useDocument((state) => state.topology);
  const last = topology.flows
    .find((item) => item.name === name)
    ?.stages.findLast((stage) => stage.role !== "catch");
  const from = {
    node: last ? stageRef(name, last.id) : flowRef(name),
    handle: PORTS.flowOut,
  };
  const verdictOf = (service: string) =>
    connection(topology, from, { node: nodeOfService(topology, service), handle: PORTS.flowIn });
  const fitting = topology.services.filter((service) => verdictOf(service.name).ok);
  if (fitting.length === 0) return null;
  return (
    <Select
      label="Add a stage"
      value=""
      placeholder="Add a stage…"
      options={fitting.map((service) => ({ value: service.name, label: service.name }))}
      onChange={(service) => {
        const verdict = verdictOf(service);
        if (verdict.ok) edit(verdict.label, verdict.edit);
      }}
    />
  );
}
