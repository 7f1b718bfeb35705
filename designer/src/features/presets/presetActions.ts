import {
  arrange,
  drawnThreadLayout,
  threadLayoutOf,
  differencesDrawn,
  drawnAs,
  removePreset as presetRemoved,
  savePreset as presetSaved,
  type ThreadLayout,
} from "@penstock/codegen/arrange";
import type { Preset } from "@penstock/codegen/topology";
import { documentStore, edit, withTopology } from "../../kernel/document/index.js";
import { findTrack, staleMs } from "../../kernel/live/liveStore.js";
import { sayFailure } from "../../kernel/run/runActions.js";
import { shownProject } from "../../kernel/run/shownProject.js";
import { toast } from "../../kernel/ui/index.js";

/** What is drawn, among the presets that somebody chooses from: none has this name. */
export const DRAWN = "+drawn";

/** How a binary says that it is set; undefined while it does not run. */
export function running(binary: string): ThreadLayout | undefined {
  const track = findTrack(binary);
  return track?.schema && staleMs(track) === 0 ? threadLayoutOf(track.schema) : undefined;
}

/** How a binary is drawn. */
export function drawn(binary: string): ThreadLayout {
  const { topology } = documentStore.getState();
  const found = topology.binaries.find(({ name }) => name === binary);
  return found ? drawnThreadLayout(topology, found) : { pools: [], joins: [] };
}

/** Keeps how the binary runs (how it is drawn, while it does not) under a name, as one step. */
export function savePreset(binary: string, name: string): void {
  const threadLayout = running(binary) ?? drawn(binary);
  edit(`Save preset ${name}`, (model) =>
    withTopology(model, presetSaved(model.topology, binary, name, threadLayout)),
  );
}

export function removePreset(binary: string, name: string): void {
  edit(`Remove preset ${name}`, (model) => withTopology(model, presetRemoved(model.topology, binary, name)));
}

/** Makes a preset the drawn pools and joins, as one step. */
export function drawPreset(binary: string, preset: Preset): void {
  if (differencesDrawn(documentStore.getState().topology, binary, preset).length === 0) return;
  edit(`Draw preset ${preset.name}`, (model) => withTopology(model, drawnAs(model.topology, binary, preset)));
}

/** Brings a preset into force in what runs and draws it, all of it or (with the reason) nothing. */
export async function applyPreset(binary: string, preset: Preset): Promise<void> {
  const schema = findTrack(binary)?.schema;
  if (!schema) return;
  const project = shownProject();
  try {
    const changed = await arrange(
      ({ method, params }) => project.send(binary, method, params as never),
      schema,
      preset,
    );
    project.draw(() => {
      drawPreset(binary, preset);
      toast(
        changed.length === 0 ? `${binary} runs like ${preset.name} already` : `${preset.name} is in force`,
        { tone: "ok" },
      );
    });
  } catch (error) {
    sayFailure(`${preset.name} was refused: all is as it was`, error, project);
  }
}
