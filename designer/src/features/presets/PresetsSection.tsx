import { joinWords, type ThreadLayout } from "@penstock/codegen/arrange";
import { sizedPool, type Preset } from "@penstock/codegen/topology";
import { nameFault } from "../../kernel/problems/checks.js";
import { GitCompareArrows, PencilRuler, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { useDocument } from "../../kernel/document/index.js";
import { TaggedSection } from "../../kernel/fields/TaggedSection.js";
import { useProcessFigures, useUnheard } from "../../kernel/live/hooks.js";
import { Button, Field, IconButton, Input, Select } from "../../kernel/ui/index.js";
import { CompareDialog } from "./CompareDialog.js";
import { RulesList } from "./RulesList.js";
import { applyPreset, DRAWN, drawPreset, removePreset, savePreset } from "./presetActions.js";
import "./presets.css";
import { startPresetStore, startWith } from "../../kernel/run/startPreset.js";

const ICON = { size: 14, strokeWidth: 1.75 };

/** `front ×1 · models ×40`, and the joins with threads of their own. */
function summary({ pools, joins }: ThreadLayout): string {
  const sizes = pools.map(({ name, threads }) => sizedPool(name, threads));
  const own = joins.flatMap(({ stage, join }) =>
    join && !("pool" in join) ? [`${stage}: ${joinWords(join).replace(" of its own", "")}`] : [],
  );
  return [...sizes, ...own].join(" · ") || "nothing";
}

/** Pools and joins of a binary under names: saved, compared, applied to what runs, drawn, started with. */
export function PresetsSection({ binary }: { binary: string }) {
  const presets = useDocument(
    (state) => state.topology.binaries.find(({ name }) => name === binary)?.presets,
  );
  const live = useProcessFigures(binary) !== null;
  const unheard = useUnheard(binary);
  const [compared, setCompared] = useState<string>();
  return (
    <TaggedSection title="Presets" tag="live">
      {presets && presets.length > 0 ? (
        <ul className="item-list preset-list">
          {presets.map((preset) => (
            <Row
              key={preset.name}
              binary={binary}
              preset={preset}
              live={live}
              unheard={unheard}
              onCompare={() => setCompared(preset.name)}
            />
          ))}
        </ul>
      ) : (
        <p className="hint">
          {live
            ? "Keep how the threads are laid out now under a name, and come back to it later."
            : "Pools and joins under a name, to start with or to switch to while it runs."}
        </p>
      )}
      {unheard !== undefined && presets && presets.length > 0 ? <p className="hint">{unheard}</p> : null}
      <SaveForm binary={binary} live={live} taken={presets?.map(({ name }) => name) ?? []} />
      <RulesList binary={binary} />
      <StartWith />
      {compared === undefined ? null : (
        <CompareDialog binary={binary} name={compared} onClose={() => setCompared(undefined)} />
      )}
    </TaggedSection>
  );
}

function Row({
  binary,
  preset,
  live,
  unheard,
  onCompare,
}: {
  binary: string;
  preset: Preset;
  live: boolean;
  unheard: string | undefined;
  onCompare: () => void;
}) {
  const [busy, setBusy] = useState(false);
  const { name } = preset;
  const apply = async () => {
    setBusy(true);
    await applyPreset(binary, preset);
    setBusy(false);
  };
  return (
    <li className="item preset" aria-label={`Preset ${name}`}>
      <span className="preset-name">
        {name}
        <small className="mono" title={summary(preset)}>
          {summary(preset)}
        </small>
      </span>
      {live ? (
        <IconButton
          size="sm"
          label={`Apply ${name} live`}
          icon={<Play {...ICON} />}
          disabled={busy || unheard !== undefined}
          title={unheard}
          onClick={() => void apply()}
        />
      ) : null}
      <IconButton
        size="sm"
        label={`Compare ${name}`}
        icon={<GitCompareArrows {...ICON} />}
        onClick={onCompare}
      />
      <IconButton
        size="sm"
        label={`Draw ${name}`}
        icon={<PencilRuler {...ICON} />}
        onClick={() => drawPreset(binary, preset)}
      />
      <IconButton
        size="sm"
        label={`Remove ${name}`}
        icon={<Trash2 {...ICON} />}
        onClick={() => removePreset(binary, name)}
      />
    </li>
  );
}

function SaveForm({ binary, live, taken }: { binary: string; live: boolean; taken: readonly string[] }) {
  const [name, setName] = useState("");
  const fault = name === "" ? undefined : nameFault("preset", name)?.message;
  return (
    <form
      className="apply-row preset-save"
      onSubmit={(event) => {
        event.preventDefault();
        if (name === "" || fault !== undefined) return;
        savePreset(binary, name);
        setName("");
      }}
    >
      <Input
        aria-label="Name of the preset"
        placeholder={live ? "Save what runs as…" : "Save what is drawn as…"}
        value={name}
        error={fault}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" disabled={name === "" || fault !== undefined}>
        {taken.includes(name) ? "Save over" : "Save"}
      </Button>
    </form>
  );
}

/** What Run starts with; of all binaries, as Run starts all of them. */
function StartWith() {
  const project = useDocument((state) => state.projectId) ?? "";
  const binaries = useDocument((state) => state.topology.binaries);
  const chosen = useStore(startPresetStore, (state) => state.byProject[project] ?? "");
  const names = [...new Set(binaries.flatMap(({ presets = [] }) => presets.map(({ name }) => name)))];
  if (names.length === 0) return null;
  return (
    <Field label="Run starts">
      <Select
        label="Run starts with"
        value={names.includes(chosen) ? chosen : DRAWN}
        options={[
          { value: DRAWN, label: "as drawn" },
          ...names.map((name) => ({ value: name, label: `with ${name}` })),
        ]}
        onChange={(name) => startWith(project, name === DRAWN ? "" : name)}
      />
    </Field>
  );
}
