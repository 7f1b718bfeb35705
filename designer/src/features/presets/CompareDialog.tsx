import { differences, differenceWords, findPreset, type ThreadLayout } from "@penstock/codegen/arrange";
import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { useDocument } from "../../kernel/document/index.js";
import { Button, Dialog, Select, type SelectOption } from "../../kernel/ui/index.js";
import { DRAWN, drawn, running } from "./presetActions.js";

const RUNS = "+runs";

/** What one layout of threads has differently from another: presets, what runs, what is drawn. */
export function CompareDialog({
  binary,
  name,
  onClose,
}: {
  binary: string;
  name: string;
  onClose: () => void;
}) {
  const topology = useDocument((state) => state.topology);
  const [from, setFrom] = useState(running(binary) ? RUNS : DRAWN);
  const [to, setTo] = useState(name);
  const presets = topology.binaries.find((one) => one.name === binary)?.presets ?? [];
  const options: SelectOption[] = [
    ...(running(binary) ? [{ value: RUNS, label: "What runs" }] : []),
    { value: DRAWN, label: "What is drawn" },
    ...presets.map((preset) => ({ value: preset.name, label: preset.name })),
  ];
  const of = (choice: string): ThreadLayout => {
    if (choice === DRAWN) return drawn(binary);
    const found = choice === RUNS ? running(binary) : findPreset(topology, binary, choice);
    return found ?? { pools: [], joins: [] };
  };
  const changes = differences(of(from), of(to)).map(differenceWords);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Compare presets of ${binary}`}
      width={520}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className="compare">
        <div className="compare-sides">
          <Select label="From" value={from} options={options} onChange={setFrom} />
          <ArrowRight size={14} aria-label="to" />
          <Select label="To" value={to} options={options} onChange={setTo} />
        </div>
        {changes.length === 0 ? (
          <p className="hint">They lay the threads out alike.</p>
        ) : (
          <ul className="compare-list mono" aria-label="Differences">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}
