import { parseNodeRef } from "@penstock/codegen/topology";
import { FileCode, PanelLeft, Save, Target } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { documentStore, reveal, useDocument, workbenchStore } from "../document/index.js";
import { useProblems } from "../problems/problemStore.js";
import { Badge, Button, EmptyState, IconButton, KindIcon } from "../ui/index.js";
import { generate } from "../shell/runActions.js";
import { FileList } from "./FileList.js";
import {
  decide,
  fileOfNode,
  fileStore,
  isDirty,
  openFile,
  saveFile,
  useFiles,
  type FileBuffer,
} from "./fileStore.js";

const Editor = lazy(() => import("./Editor.js").then((all) => ({ default: all.Editor })));

/** Services and flows have files; a stage shows its service's. */
function fileNode(ref: string | undefined): string | undefined {
  const parsed = ref ? parseNodeRef(ref) : undefined;
  if (parsed?.kind === "service" || parsed?.kind === "flow") return ref;
  if (parsed?.kind !== "stage") return undefined;
  const [flow, id] = parsed.path;
  const stage = documentStore
    .getState()
    .topology.flows.find((one) => one.name === flow)
    ?.stages.find((one) => one.id === id);
  return stage ? `service:${stage.service}` : undefined;
}

/** Shows the handler of what was asked for, then of what is selected: whichever changed last. */
function useFollowedNode(): void {
  const some = useFiles((state) => state.files.length > 0);
  useEffect(() => {
    if (!some) return;
    const show = (ref: string | null | undefined, implementation: string | null = null) => {
      const node = fileNode(ref ?? undefined);
      const file = node ? fileOfNode(fileStore.getState().files, node, implementation) : undefined;
      if (file && file.id !== fileStore.getState().openId) void openFile(file.id);
      return file !== undefined;
    };
    const chosen = () => documentStore.getState().selection[0];
    const asked = workbenchStore.getState();
    if (fileStore.getState().openId === null || asked.codeNode) {
      const first = documentStore.getState().topology.services[0]?.name;
      if (!show(asked.codeNode, asked.codeImplementation) && !show(chosen())) show(`service:${first}`);
    }
    const stops = [
      workbenchStore.subscribe((state, before) => {
        if (state.codeNode !== before.codeNode || state.codeImplementation !== before.codeImplementation)
          show(state.codeNode, state.codeImplementation);
      }),
      documentStore.subscribe((state, before) => {
        if (state.selection !== before.selection) show(chosen());
      }),
      // A generation has moved the file that was shown, as its service was renamed.
      fileStore.subscribe((state, before) => {
        if (state.openId === null && before.openId !== null) show(chosen());
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [some]);
}

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

export function CodePane() {
  useFollowedNode();
  const buffer = useFiles((state) => (state.openId ? state.buffers.get(state.openId) : undefined));
  const files = useFiles((state) => state.files);
  const goal = useFiles((state) => state.goal);
  const error = useFiles((state) => state.error);
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
            <EmptyState
              icon={<FileCode size={18} />}
              title={files.length === 0 ? "No code yet" : "Select a service"}
              actions={
                files.length === 0 ? (
                  <Button onClick={() => void generate()}>Generate</Button>
                ) : (
                  <Button onClick={() => setList(true)}>Show the files</Button>
                )
              }
            >
              {error ||
                (files.length === 0
                  ? "Generate makes a handler for every service."
                  : "Its handler opens here.")}
            </EmptyState>
          )}
        </div>
      </div>
    </section>
  );
}
