import type { ExampleInfo, ProjectInfo, Status } from "@penstock/codegen/protocol";
import { ArrowRight, FilePlus, FolderOpen, Moon, Plus, Sun } from "lucide-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { api, ApiFailure } from "../server/api.js";
import { Badge, Button, Dialog, IconButton, Input, isDark, setTheme, themeStore } from "../ui/index.js";
import { Banners } from "./Banners.js";
import { Logo } from "./Logo.js";
import { goTo } from "./openProject.js";
import { freshProjectName, projectNameError } from "./projectName.js";
import { sayFailure } from "./runActions.js";

const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function NewProject({
  example,
  taken,
  onClose,
}: {
  example: ExampleInfo | null;
  taken: readonly string[];
  onClose: () => void;
}) {
  const [name, setName] = useState(() =>
    freshProjectName(example?.name.replaceAll("-", "_") ?? "my_project", taken),
  );
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState("");
  const error = projectNameError(name, taken);
  const create = async () => {
    if (error || busy) return;
    setBusy(true);
    try {
      const project = await api.create(example ? { name, example: example.name } : { name });
      goTo(project.id);
    } catch (cause) {
      if (!(cause instanceof ApiFailure)) throw cause;
      setRefused([cause.message, cause.help].filter(Boolean).join(". "));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={example ? `New project from ${example.title || example.name}` : "New empty project"}
      width={440}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={Boolean(error) || busy} onClick={() => void create()}>
            Create
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <label className="start-name">
          Name
          <Input
            autoFocus
            mono
            aria-label="Project name"
            value={name}
            error={error ?? (refused || undefined)}
            onChange={(event) => {
              setName(event.target.value);
              setRefused("");
            }}
          />
        </label>
        <p className="start-hint">
          {example
            ? `The folder's name. The drawing and its C++ namespace stay ${example.name.replaceAll("-", "_")}.`
            : "The folder, the C++ namespace and the project's name."}
        </p>
      </form>
    </Dialog>
  );
}

/** What is in the workspace, and the ways to begin. */
export function StartScreen({ status }: { status: Status }) {
  useStore(themeStore);
  const [projects, setProjects] = useState<ProjectInfo[] | null>(null);
  const [examples, setExamples] = useState<ExampleInfo[]>([]);
  const [creating, setCreating] = useState<{ example: ExampleInfo | null } | null>(null);
  useEffect(() => {
    api
      .projects()
      .then(setProjects, (error: unknown) => sayFailure("The projects could not be listed", error));
    api.examples().then(setExamples, () => undefined);
  }, []);
  const taken = projects?.map((project) => project.name) ?? [];
  const sorted = projects?.toSorted((a, b) => b.modifiedAtMs - a.modifiedAtMs);
  return (
    <div className="start">
      <Banners status={status} />
      <header className="start-head">
        <span className="screen-brand">
          <Logo size={22} /> Penstock
        </span>
        <span className="start-version mono">{status.version}</span>
        <div className="top-gap" />
        <IconButton
          label={isDark() ? "Light theme" : "Dark theme"}
          icon={isDark() ? <Moon size={15} /> : <Sun size={15} />}
          onClick={() => setTheme(isDark() ? "light" : "dark")}
        />
      </header>
      <main className="start-body">
        <section aria-label="Projects">
          <div className="start-title">
            <h1>Projects</h1>
            <span className="mono start-where" title={status.workspace}>
              {status.workspace}
            </span>
            <div className="top-gap" />
            <Button
              variant="primary"
              icon={<Plus size={14} />}
              disabled={!status.writable}
              onClick={() => setCreating({ example: null })}
            >
              New project
            </Button>
          </div>
          <div className="start-list">
            {sorted?.map((project) => (
              <button type="button" key={project.id} className="start-row" onClick={() => goTo(project.id)}>
                <FolderOpen size={15} />
                <span className="start-row-name">{project.name}</span>
                <span className="start-row-doc">{project.doc}</span>
                {project.trusted ? null : <Badge tone="warn">not trusted yet</Badge>}
                <span className="mono">{when.format(project.modifiedAtMs)}</span>
                <ArrowRight size={14} />
              </button>
            ))}
            {sorted?.length === 0 ? (
              <p className="start-none">No project yet. Begin with an example, or with nothing.</p>
            ) : null}
            {sorted === undefined ? <p className="start-none">Looking…</p> : null}
          </div>
        </section>
        <section aria-label="Begin with">
          <h2>Begin with</h2>
          <div className="start-cards">
            {examples.map((example) => (
              <button
                type="button"
                key={example.name}
                className="start-card"
                disabled={!status.writable}
                onClick={() => setCreating({ example })}
              >
                <strong>{example.title || example.name}</strong>
                <span>{example.doc}</span>
              </button>
            ))}
            <button
              type="button"
              className="start-card"
              disabled={!status.writable}
              onClick={() => setCreating({ example: null })}
            >
              <strong>
                <FilePlus size={14} /> Empty
              </strong>
              <span>A blank canvas.</span>
            </button>
          </div>
        </section>
      </main>
      {creating ? (
        <NewProject example={creating.example} taken={taken} onClose={() => setCreating(null)} />
      ) : null}
    </div>
  );
}
