import { renameDrawnProject } from "../../../kernel/document/edits/rename.js";
import { useOtherFolder } from "../../../kernel/document/useOtherFolder.js";
import { nameFault } from "../../../kernel/problems/checks.js";
import { edit, patched, setView, useDocument, withTopology } from "../../../kernel/document/index.js";
import { Button, Field, Input, KindIcon, TextArea, toast } from "../../../kernel/ui/index.js";
import { paletteStore } from "../../../kernel/server/paletteStore.js";
import { TaggedSection } from "../../../kernel/fields/TaggedSection.js";
import { Fact } from "../../../kernel/fields/Properties.js";
import { NextSteps } from "../sections/NextSteps.js";

const rename = (name: string) => {
  const fault = nameFault("project", name);
  if (fault) toast(fault.message, { tone: "warn", body: `Try ${fault.suggestion}` });
  else renameDrawnProject(name, paletteStore.getState().palette);
};

/** The project as a whole, shown while nothing is selected. */
export function ProjectInspector() {
  const topology = useDocument((state) => state.topology);
  const folder = useOtherFolder();
  const open = useDocument((state) => state.projectId !== null);
  if (!open) return null;
  return (
    <>
      <header className="inspector-head">
        <div className="inspector-title">
          <KindIcon kind="binary" />
          <strong>{topology.name}</strong>
        </div>
        <TextArea
          className="inspector-doc"
          aria-label="What the project is for"
          placeholder="What it is for"
          rows={1}
          value={topology.doc ?? ""}
          onCommit={(text) =>
            edit("Describe", (model) =>
              withTopology(model, patched(model.topology, { doc: text.trim() || undefined })),
            )
          }
        />
      </header>
      <NextSteps />
      <TaggedSection title="Project" tag="rebuild">
        <Field label="Name">
          <Input mono aria-label="Project name" value={topology.name} onCommit={rename} />
        </Field>
        {folder === undefined ? null : <Fact label="Folder">{folder}</Fact>}
        <Fact label="Services">{topology.services.length}</Fact>
        <Fact label="Flows">{topology.flows.length}</Fact>
        <Fact label="Messages">{topology.messages.length}</Fact>
        {topology.enums.length > 0 ? <Fact label="Enums">{topology.enums.length}</Fact> : null}
        <Fact label="Binaries">{topology.binaries.length}</Fact>
        <Button size="sm" className="section-action" onClick={() => setView("messages")}>
          Edit messages
        </Button>
      </TaggedSection>
    </>
  );
}
