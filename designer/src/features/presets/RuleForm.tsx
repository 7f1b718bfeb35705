import type { PresetRuling } from "@penstock/codegen/contract";
import {
  FASTEST_RATE,
  LONGEST_HOLD_S,
  type Binary,
  type PresetRule,
  type Topology,
} from "@penstock/codegen/topology";
import { Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { Fact } from "../../kernel/fields/Properties.js";
import { sliced, useSlice } from "../../kernel/live/hooks.js";
import { findTrack } from "../../kernel/live/liveStore.js";
import { applyLive } from "../../kernel/run/applyCommand.js";
import { Button, Field, IconButton, NumberField, Select } from "../../kernel/ui/index.js";
import { changeRule, removeRule, unwatched } from "./ruleActions.js";

/** A rule as it is drawn, and what it does while its binary runs. */
export function RuleForm({
  binary,
  at,
  rule,
  topology,
}: {
  binary: Binary;
  at: number;
  rule: PresetRule;
  topology: Topology;
}) {
  const { of, below, above, forSeconds } = rule;
  const ruling = useRuling(binary.name, of);
  const change = (to: Partial<PresetRule>) => changeRule(binary.name, at, { ...rule, ...to });
  const named = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));
  const presets = named([
    ...new Set([...(binary.presets ?? []).map(({ name }) => name), below.preset, above.preset]),
  ]);
  const side = (key: "below" | "above", label: string) => (
    <Field label={label}>
      <span className="rule-side">
        <NumberField
          label={`${label} so many a second, rule of ${of}`}
          value={rule[key].perSecond}
          min={0}
          max={FASTEST_RATE}
          fractions
          unit="/s"
          onChange={(perSecond) => perSecond !== undefined && change({ [key]: { ...rule[key], perSecond } })}
        />
        <Select
          label={`Preset ${label.toLowerCase()} that, rule of ${of}`}
          value={rule[key].preset}
          options={presets}
          onChange={(preset) => change({ [key]: { ...rule[key], preset } })}
        />
      </span>
    </Field>
  );
  return (
    <div className="rule" role="group" aria-label={`Rule of ${of}`}>
      <Field label="Rate of">
        <span className="rule-side rule-of">
          <Select
            label={`What the rule of ${of} watches`}
            value={of}
            options={named([of, ...unwatched(topology, binary)])}
            onChange={(name) => change({ of: name })}
          />
          <IconButton
            size="sm"
            label={`Remove the rule of ${of}`}
            icon={<Trash2 size={14} strokeWidth={1.75} />}
            onClick={() => removeRule(binary.name, at)}
          />
        </span>
      </Field>
      {side("below", "Below")}
      {side("above", "Above")}
      <Field label="For">
        <NumberField
          label={`Seconds that a rate has to hold, rule of ${of}`}
          value={forSeconds}
          min={1}
          max={LONGEST_HOLD_S}
          unit="s"
          onChange={(seconds) => seconds !== undefined && change({ forSeconds: seconds })}
        />
      </Field>
      {ruling ? <RulingNow binary={binary.name} ruling={ruling} /> : null}
    </div>
  );
}

function useRuling(binary: string, of: string): PresetRuling | null {
  return useSlice(
    useMemo(
      () => sliced(() => findTrack(binary)?.schema?.rules?.find((rule) => rule.of === of) ?? null),
      [binary, of],
    ),
  );
}

const BY = { drawing: "as drawn", person: "by hand", rule: "by the rule" } as const;

/** What a rule brought into force; where it rests, why, and how to wake it. */
function RulingNow({ binary, ruling }: { binary: string; ruling: PresetRuling }) {
  const [busy, setBusy] = useState(false);
  const { of, on, by, preset, switches, refused } = ruling;
  const resume = async () => {
    setBusy(true);
    await applyLive(binary, "rule.set", { rule: of, on: true });
    setBusy(false);
  };
  return (
    <>
      <Fact label="Now">{preset ?? "no preset yet"}</Fact>
      <Fact label="Changed">
        {BY[by]}
        {switches > 0 ? ` · ${switches} ${switches === 1 ? "time" : "times"}` : ""}
      </Fact>
      {on ? null : (
        <>
          <p className="hint">
            {refused === undefined
              ? "At rest: what its presets are about stays as it was set by hand."
              : `At rest: the binary refused it, ${refused}.`}
          </p>
          <Button size="sm" disabled={busy} onClick={() => void resume()}>
            Let it change presets again
          </Button>
        </>
      )}
    </>
  );
}
