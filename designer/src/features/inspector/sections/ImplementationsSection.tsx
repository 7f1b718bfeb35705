import { removeImplementation, renameImplementation } from "@penstock/codegen/rename";
import { GREATEST_INT32, type Service } from "@penstock/codegen/topology";
import { nameFault } from "../../../kernel/problems/checks.js";
import { FileCode2, Plus, Trash2 } from "lucide-react";
import { binariesOf, place } from "../../../kernel/document/edits/binaries.js";
import { addImplementation, changeService, handlerRenames } from "../../../kernel/document/edits/services.js";
import { edit, openCode, useDocument, withTopology } from "../../../kernel/document/index.js";
import { IconButton, Input, NumberField, toast } from "../../../kernel/ui/index.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { useServiceFigures } from "../../../kernel/live/hooks.js";
import { formatMicros, words } from "../../../kernel/live/figures/format.js";

const icon = { size: 14, strokeWidth: 1.75 };

/** The handlers of one service, what each has of the calls, and how quick each is. */
export function ImplementationsSection({ service }: { service: Service }) {
  const { name } = service;
  return (
    <TaggedSection
      title="Implementations"
      tag={service.implementations.length > 0 ? "rebuild" : undefined}
      action={
        <IconButton
          label="Add an implementation"
          size="sm"
          icon={<Plus {...icon} />}
          onClick={() =>
            edit("Add implementation", (model) => changeService(model, name, addImplementation), {
              renames: handlerRenames(service, addImplementation(service).implementations),
            })
          }
        />
      }
    >
      {service.implementations.length === 0 ? (
        <p className="hint">One handler. Add another to compare or split.</p>
      ) : null}
      <ul className="item-list">
        {service.implementations.map((implementation) => (
          <Row key={implementation} service={service} implementation={implementation} />
        ))}
      </ul>
    </TaggedSection>
  );
}

function Row({ service, implementation }: { service: Service; implementation: string }) {
  const topology = useDocument((state) => state.topology);
  const latency = useImplementationLatency(service.name, implementation);
  const { name } = service;
  const others = service.implementations.filter((other) => other !== implementation);
  const rename = (to: string) => {
    const fault = nameFault("implementation", to);
    if (fault || service.implementations.includes(to)) {
      toast(fault?.message ?? `${to} is there already`, { tone: "warn" });
      return;
    }
    edit(
      `Rename to ${to}`,
      (model) => withTopology(model, renameImplementation(model.topology, name, implementation, to)),
      { renames: [{ kind: "implementation", from: `${name}/${implementation}`, to: `${name}/${to}` }] },
    );
  };
  return (
    <li className="item implementation">
      <span>
        <Input
          mono
          aria-label={`Name of implementation ${implementation}`}
          value={implementation}
          onCommit={rename}
        />
      </span>
      {binariesOf(topology, name).map((binary) => (
        <Weight key={binary.name} binary={binary.name} service={service} implementation={implementation} />
      ))}
      <span className="mono item-figure" title={LATENCY}>
        {latency}
      </span>
      <IconButton
        label={`Edit ${implementation}`}
        size="sm"
        icon={<FileCode2 {...icon} />}
        onClick={() => openCode(`service:${name}`, implementation)}
      />
      <IconButton
        label={`Remove ${implementation}`}
        size="sm"
        icon={<Trash2 {...icon} />}
        onClick={() =>
          edit(
            "Remove implementation",
            (model) => withTopology(model, removeImplementation(model.topology, name, implementation)),
            { renames: handlerRenames(service, others) },
          )
        }
      />
    </li>
  );
}

/** Share of the calls in one binary, as a whole weight; nothing said anywhere: equal shares. */
function Weight({
  binary,
  service,
  implementation,
}: {
  binary: string;
  service: Service;
  implementation: string;
}) {
  const placement = useDocument(
    (state) => state.topology.binaries.find((item) => item.name === binary)?.placement[service.name],
  );
  const said = placement?.implementation;
  const weight = typeof said === "string" ? (said === implementation ? 1 : 0) : said?.[implementation];
  const set = (value: number | undefined) => {
    const old = typeof said === "string" ? { [said]: 1 } : { ...said };
    const next = { ...old };
    if (value === undefined) delete next[implementation];
    else next[implementation] = value;
    edit("Set weight", (model) =>
      place(model, binary, service.name, { implementation: Object.keys(next).length > 0 ? next : undefined }),
    );
  };
  return (
    <span title={`Weight in ${binary}; nothing said: equal shares`}>
      <NumberField
        label={`Weight of ${implementation} in ${binary}`}
        placeholder={said === undefined ? "=" : "0"}
        min={0}
        max={GREATEST_INT32}
        value={weight}
        onChange={set}
      />
    </span>
  );
}

/** What the figure beside an implementation is. */
const LATENCY = "Average time that it ran in the last seconds with a sample, without waiting";

/** `2.9 ms` that one implementation runs; empty while nothing runs. */
export function useImplementationLatency(service: string, implementation: string): string {
  const figures = useServiceFigures(service);
  const found = figures?.implementations.find((item) => item.name === implementation);
  const ran = found?.ranLately ?? found?.p50 ?? null;
  return ran === null ? "" : words(formatMicros(ran));
}
