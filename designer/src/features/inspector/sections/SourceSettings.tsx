import { SOURCE_LIMITS, type Source } from "@penstock/codegen/topology";
import { binariesOfFlow } from "../../../kernel/document/flowBinaries.js";
import { useDocument } from "../../../kernel/document/index.js";
import { useProject } from "../../../kernel/server/projectStore.js";
import { Checkbox, Field, NumberField } from "../../../kernel/ui/index.js";
import { Sections } from "../../../registry/Sections.js";
import { ChoiceField, Fact, TextField } from "../../../kernel/fields/Properties.js";

const ANSWERS = [
  { value: "result", label: "The event's result" },
  { value: "accepted", label: "Accepted, at once" },
] as const;

type Http = Extract<Source, { kind: "http" }>;
type File = Extract<Source, { kind: "file" }>;

/** What a source has besides its kind; the rate is set elsewhere, as it can change while it runs. */
export function SourceSettings({
  flow,
  source,
  onChange,
}: {
  flow: string;
  source: Source;
  onChange: (next: Source) => void;
}) {
  if (source.kind === "http")
    return (
      <>
        <HttpSettings source={source} onChange={onChange} />
        <Doors flow={flow} path={source.path} />
      </>
    );
  if (source.kind === "file") return <FileSettings source={source} onChange={onChange} />;
  if (source.kind === "service")
    return <p className="hint">Handlers of the same bundle push events: flows.{flow}.push(event).</p>;
  return <Sections at="source" of={{ flow, fields: source.event }} />;
}

/** What is as the runtime has it anyway is left out of the document. */
function HttpSettings({ source, onChange }: { source: Http; onChange: (next: Source) => void }) {
  const set = (change: Partial<Http>) => onChange(withoutEmpty({ ...source, ...change }));
  return (
    <>
      <TextField label="Path" value={source.path} onCommit={(path) => set({ path })} />
      <ChoiceField
        label="Answer"
        value={source.answer ?? "result"}
        options={ANSWERS}
        onChange={(answer) => set({ answer: answer === "result" ? undefined : answer })}
      />
      <Field label="Answer within">
        <NumberField
          label="Answer within"
          unit="ms"
          min={1}
          max={SOURCE_LIMITS.timeoutMs}
          placeholder="30000"
          value={source.timeoutMs}
          onChange={(timeoutMs) => set({ timeoutMs })}
        />
      </Field>
      <Field label="Longest body">
        <NumberField
          label="Longest body"
          unit="bytes"
          min={1}
          max={SOURCE_LIMITS.maxBytes}
          placeholder="102400"
          value={source.maxBytes}
          onChange={(maxBytes) => set({ maxBytes })}
        />
      </Field>
    </>
  );
}

/** Where events can be posted now: a port that was drawn as 0 is known only while the binary runs. */
function Doors({ flow, path }: { flow: string; path: string }) {
  const topology = useDocument((state) => state.topology);
  const statuses = useProject((state) => state.binaries);
  const serving = new Set(binariesOfFlow(topology, flow).map(({ name }) => name));
  const open = statuses.filter(({ binary, http }) => http !== null && serving.has(binary));
  return open.map(({ binary, http }) => (
    <Fact key={binary} label={open.length > 1 ? `Post to ${binary}` : "Post to"}>
      http://{http}
      {path}
    </Fact>
  ));
}

function FileSettings({ source, onChange }: { source: File; onChange: (next: Source) => void }) {
  const set = (change: Partial<File>) => onChange(withoutEmpty({ ...source, ...change }));
  return (
    <>
      <TextField label="File" value={source.path} onCommit={(path) => set({ path })} />
      <Checkbox
        label="Start again at the end"
        checked={source.loop ?? false}
        onChange={(loop) => set({ loop: loop ? true : undefined })}
      />
    </>
  );
}

const withoutEmpty = (source: Source): Source =>
  Object.fromEntries(Object.entries(source).filter(([, value]) => value !== undefined)) as Source;
