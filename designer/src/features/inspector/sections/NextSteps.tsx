import type { Topology } from "@penstock/codegen/topology";
import { CircleCheck, CircleDashed } from "lucide-react";
import { runCommand } from "../../../registry/commands.js";
import { addBinaryFor } from "../../../drawing/edits/group.js";
import { addBundle, freshBundleName } from "../../../kernel/document/edits/bundles.js";
import { edit, select, useDocument } from "../../../kernel/document/index.js";
import { Button } from "../../../kernel/ui/index.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";

interface Step {
  label: string;
  done: boolean;
  action?: { label: string; perform: () => void };
}

/** The way from nothing to a running binary, with the step that comes next as a button. */
export function stepsOf(topology: Topology): Step[] {
  const bundled = new Set(topology.bundles.flatMap((bundle) => bundle.services));
  const loose = topology.services.filter((service) => !bundled.has(service.name));
  const served = new Set(topology.binaries.flatMap((binary) => binary.bundles));
  const unserved = topology.bundles.find((bundle) => !served.has(bundle.name));
  return [
    {
      label: "Messages",
      done: topology.messages.length > 0,
      action: { label: "Add a message", perform: () => void runCommand("add.message") },
    },
    {
      label: "Services",
      done: topology.services.length > 0,
      action: { label: "Add a service", perform: () => void runCommand("add.quick") },
    },
    {
      label: "A bundle holds every service",
      done: topology.services.length > 0 && loose.length === 0,
      action: {
        label: "Bundle them",
        perform: () => {
          const name = freshBundleName(topology);
          const flows = topology.flows.filter(
            (flow) => !topology.bundles.some((item) => item.flows.includes(flow.name)),
          );
          const members = { services: loose.map((item) => item.name), flows: flows.map((item) => item.name) };
          edit("Group into a bundle", (model) => addBundle(model, name, members));
          select(`bundle:${name}`);
        },
      },
    },
    {
      label: "A binary serves every bundle",
      done: topology.bundles.length > 0 && unserved === undefined,
      ...(unserved
        ? { action: { label: "Add a binary", perform: () => void addBinaryFor(unserved.name) } }
        : {}),
    },
  ];
}

export function NextSteps() {
  const topology = useDocument((state) => state.topology);
  const steps = stepsOf(topology);
  const next = steps.findIndex((step) => !step.done);
  // The empty canvas has its own first steps.
  if (next < 0 || topology.services.length + topology.flows.length === 0) return null;
  return (
    <TaggedSection title="Next steps">
      <ul className="item-list">
        {steps.map((step, index) => (
          <li key={step.label} className="item">
            {step.done ? (
              <CircleCheck size={14} strokeWidth={1.75} color="var(--ok)" aria-label="Done" />
            ) : (
              <CircleDashed size={14} strokeWidth={1.75} color="var(--text-3)" aria-label="To do" />
            )}
            <span className="grow">{step.label}</span>
            {index === next && step.action ? (
              <Button size="sm" onClick={step.action.perform}>
                {step.action.label}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </TaggedSection>
  );
}
