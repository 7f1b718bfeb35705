import { FileCode, PanelLeft, Save, Target } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { reveal, useDocument } from "../../kernel/document/index.js";
import { useProblems } from "../../kernel/problems/problemStore.js";
import { Badge, Button, EmptyState, IconButton, KindIcon } from "../../kernel/ui/index.js";
import { generate } from "../../kernel/run/runActions.js";
import { FileList } from "./FileList.js";
import { decide, isDirty, saveFile, useFiles, type FileBuffer } from "../../kernel/files/fileStore.js";
import { followNode } from "./followNode.js";
import { makeAsked } from "./makeAsked.js";

const Editor = lazy(() => import("./Editor.js").then((all) => ({ default: all.Editor })));

function Conflict({ buffer }: { buffer: FileBuffer }) {
  return (
    <div className="code-notice" role="alert">
      <span>Somebody else has changed this file since it was opened here.</span>
      <Button size="sm" onClick={() => void decide(buffer.id, "theirs")}>
        Show theirs, drop mine
      </Button>
      <Button size="sm" onClick={() => void decide(buffer.id, "mine")}>
        Keep mine
      </Button>
    </div>
  );
}

/** Nothing is open: why, and what shows something. */
function NoCode({ showFiles }: { showFiles: () => void }) {
  const none = useFiles((state) => state.files.length === 0);
  const awaited = useFiles((state) => state.awaited);
  const error = useFiles((state) => state.error);
  const making = useFiles((state) => state.making);
  const name = awaited?.node.slice(awaited.node.indexOf(":") + 1);
  const makes = none || name !== undefined;
  if (making)
    return (
      <EmptyState icon={<FileCode size={18} />} title={`Making the handler${name ? ` of ${name}` : ""}…`}>
        A handler is a C++ file that is yours.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<FileCode size={18} />}
      title={name !== undefined ? `${name} has no code yet` : none ? "No code yet" : "Select a service"}
      actions={
        makes ? (
          <Button onClick={() => void generate()}>Generate</Button>
        ) : (
          <Button onClick={showFiles}>Show the files</Button>
        )
      }
    >
      {error || (makes ? "Generate makes a handler for every service." : "Its handler opens here.")}
    </EmptyState>
  );
}

export function CodePane() {
  const some = useFiles((state) => state.files.length > 0);
  useEffect(() => (some ? followNode() : undefined), [some]);
  useEffect(() => makeAsked(), []);
  const buffer = useFiles((state) => (state.openId ? state.buffers.get(state.openId) : undefined));
  const files = useFiles((state) => state.files);
  const goal = useFiles((state) => state.goal);
  const problems = useProblems();
  const services = useDocument((state) => state.topology.services);
  const [list, setList] = useState(() => innerWidth >= 1500);
  const file = files.find((one) => one.id === buffer?.id);
  const kind = services.find((one) => `service:${one.name}` === file?.node)?.kind;
  const dirty = buffer ? isDirty(buffer) : false;

  return (
    <section className="code-pane" aria-label="Code">
      <div className="code-head">
        <IconButton
          label="Files"
          size="sm"
          pressed={list}
          icon={<PanelLeft size={14} />}
          onClick={() => setList(!list)}
        />
        {kind ? <KindIcon kind={kind} /> : <FileCode size={14} color="var(--text-2)" />}
        <span className="code-name" title={buffer?.path}>
          {buffer ? buffer.path.slice(buffer.path.lastIndexOf("/") + 1) : "Code"}
        </span>
        {dirty ? (
          <span className="file-dirty" role="status" aria-label="unsaved changes" title="Unsaved" />
        ) : null}
        {buffer ? <Badge>{buffer.readOnly ? "generated, read-only" : "yours"}</Badge> : null}
        {file && !file.written && file.owner === "user" ? <Badge tone="warn">not written yet</Badge> : null}
        <div className="top-gap" />
        {buffer?.error && !buffer.theirs ? <span className="code-error">{buffer.error}</span> : null}
        {file?.node ? (
          <IconButton
            label="Show on the canvas"
            size="sm"
            icon={<Target size={14} />}
            onClick={() => reveal(file.node)}
          />
        ) : null}
        {buffer && !buffer.readOnly ? (
          <Button
            size="sm"
            icon={<Save size={13} />}
            disabled={!dirty || buffer.saving}
            onClick={() => void saveFile(buffer.id)}
          >
            {buffer.saving ? "Saving" : "Save"}
          </Button>
        ) : null}
      </div>
      {buffer?.theirs ? <Conflict buffer={buffer} /> : null}
      <div className="code-body">
        {list ? <FileList /> : null}
        <div className="code-editor">
          {buffer ? (
            <Suspense fallback={null}>
              <Editor
                key={`${buffer.id} ${buffer.epoch}`}
                buffer={buffer}
                problems={problems}
                goal={goal?.id === buffer.id ? goal : null}
              />
            </Suspense>
          ) : (
            <NoCode showFiles={() => setList(true)} />
          )}
        </div>
      </div>
    </section>
  );
}
