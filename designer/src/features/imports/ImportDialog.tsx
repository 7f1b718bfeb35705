import type { ImportPlan } from "@penstock/codegen/contract";
import { addsNothing } from "@penstock/codegen/imports";
import { FilePlus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { Button, Dialog } from "../../kernel/ui/index.js";
import { pickFiles } from "./broughtFiles.js";
import {
  applyImport,
  bringDropped,
  bringFiles,
  closeImport,
  importStore,
  type Shown,
} from "./importStore.js";
import { PlanShown } from "./PlanShown.js";
import { Refused } from "./Refused.js";
import "./imports.css";

/** What an import would add, before anything is changed. */
export function ImportDialog() {
  const shown = useStore(importStore, (state) => state.shown);
  return shown === null ? null : <Import shown={shown} />;
}

function titleOf({ files }: Shown): string {
  return files.length === 1 ? `Import ${files[0]?.path}` : `Import ${files.length} files`;
}

function Import({ shown }: { shown: Shown }) {
  // A tick is for what was seen: another plan may leave out more.
  const [ticked, setTicked] = useState<ImportPlan>();
  const { state, files, aside } = shown;
  const plan = state.kind === "planned" ? state.plan : undefined;
  const without = plan !== undefined && ticked === plan;
  const applying = state.kind === "planned" && state.applying === true;
  const nothing = plan !== undefined && addsNothing(plan.report);
  const may =
    plan !== undefined &&
    !nothing &&
    !applying &&
    plan.problems.length === 0 &&
    (without || plan.report.leftOut.length === 0);
  const foot = useRef<HTMLDivElement>(null);
  // What can be done next: to leave out what has to be, to take it, else to go.
  useEffect(() => {
    if (state.kind === "asking") return;
    const dialog = foot.current?.closest("dialog");
    const buttons = [...(foot.current?.querySelectorAll<HTMLButtonElement>("button:not(:disabled)") ?? [])];
    (dialog?.querySelector<HTMLButtonElement>(".import-left .checkbox") ?? buttons.at(-1))?.focus();
  }, [state.kind]);
  return (
    // Around all of it: its head, its foot and what is beside it take files, too.
    <div
      className="import-drop"
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
      }}
      onDrop={(event) => {
        event.preventDefault();
        void bringDropped(event.dataTransfer);
      }}
    >
      <Dialog
        open
        onOpenChange={(open) => open || closeImport()}
        title={titleOf(shown)}
        width={760}
        footer={
          <div className="import-foot" ref={foot}>
            <Button
              variant="ghost"
              icon={<FilePlus size={14} strokeWidth={1.75} />}
              onClick={() => pickFiles((brought) => void bringFiles(brought))}
            >
              Add files…
            </Button>
            <span className="top-gap" />
            <Button onClick={closeImport}>{nothing ? "Close" : "Cancel"}</Button>
            {nothing ? null : (
              <Button variant="primary" disabled={!may} onClick={() => void applyImport()}>
                {applying ? "Adding…" : "Add to the drawing"}
              </Button>
            )}
          </div>
        }
      >
        <div className="import">
          {state.kind === "asking" ? (
            <p className="import-says" role="status">
              Reading {files.length === 1 ? "the file" : `${files.length} files`}…
            </p>
          ) : null}
          {state.kind === "refused" ? <Refused {...state} /> : null}
          {plan ? (
            <PlanShown plan={plan} without={without} onWithout={(yes) => setTicked(yes ? plan : undefined)} />
          ) : null}
          {aside.length > 0 ? <p className="import-says">Not read: {aside.join(", ")}.</p> : null}
        </div>
      </Dialog>
    </div>
  );
}
