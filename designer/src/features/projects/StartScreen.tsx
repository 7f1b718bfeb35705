import type { ExampleInfo, ListedProject, Status } from "@penstock/codegen/contract";
import { ArrowRight, FilePlus, FolderOpen, Import, Moon, Plus, Sun } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { useStore } from "zustand";
import { ask } from "../../kernel/server/api.js";
import { Badge, Button, IconButton, isDark, setTheme, themeStore } from "../../kernel/ui/index.js";
import { Banners } from "./Banners.js";
import { ExamplePicture } from "./ExamplePicture.js";
import { dropOfDrawing, pickDrawing, usePastedDrawing, type Drawing } from "./importDrawing.js";
import { Logo } from "../../kernel/ui/icons/Logo.js";
import { NewProject, type Beginning } from "./NewProject.js";
import { goTo } from "./openProject.js";
import { ProjectMenu } from "./ProjectMenu.js";
import { sayFailure } from "../../kernel/run/runActions.js";

const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** What is in the workspace, and the ways to begin. */
export function StartScreen({ status }: { status: Status }) {
  useStore(themeStore);
  const [projects, setProjects] = useState<ListedProject[] | null>(null);
  const [examples, setExamples] = useState<ExampleInfo[]>([]);
  const [creating, setCreating] = useState<{ from: Beginning } | null>(null);
  const list = useCallback(
    () =>
      ask("projects", {}).then(setProjects, (error: unknown) =>
        sayFailure("The projects could not be listed", error),
      ),
    [],
  );
  const bring = useCallback((drawing: Drawing) => setCreating({ from: { drawing } }), []);
  usePastedDrawing(bring);
  useEffect(() => {
    void list();
    ask("examples", {}).then(setExamples, () => undefined);
  }, [list]);
  const taken = projects?.map((project) => project.name) ?? [];
  const sorted = projects?.toSorted((a, b) => b.modifiedAtMs - a.modifiedAtMs);
  return (
    <div className="start" data-takes-files {...(status.writable ? dropOfDrawing(bring) : {})}>
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
        <p className="start-what">
          Draw services and flows, get a C++ backend that builds with CMake, watch it run and change its
          threads under load.
        </p>
        <section aria-label="Projects">
          <div className="start-title">
            <h1>Projects</h1>
            <span className="mono start-where" title={status.workspace}>
              {status.workspace}
            </span>
            <div className="top-gap" />
            <Button
              icon={<Import size={14} />}
              disabled={!status.writable}
              title="A topology.json: choose it, drop it here, or paste its text"
              onClick={() => pickDrawing(bring)}
            >
              Import…
            </Button>
            <Button
              variant="primary"
              icon={<Plus size={14} />}
              disabled={!status.writable}
              onClick={() => setCreating({ from: null })}
            >
              New project
            </Button>
          </div>
          <div className="start-list">
            {sorted?.map((project) => (
              <div key={project.id} className="start-item">
                <button type="button" className="start-row" onClick={() => goTo(project.id)}>
                  <FolderOpen size={15} />
                  <span className="start-row-name">{project.name}</span>
                  <span className="start-row-doc">{project.doc}</span>
                  {project.running.length > 0 ? <Badge tone="ok">running</Badge> : null}
                  {project.trusted ? null : <Badge tone="warn">not trusted yet</Badge>}
                  <span className="mono">{when.format(project.modifiedAtMs)}</span>
                  <ArrowRight size={14} />
                </button>
                {status.writable ? <ProjectMenu project={project} taken={taken} changed={list} /> : null}
              </div>
            ))}
            {sorted?.length === 0 ? (
              <p className="start-none">
                No projects yet. Begin with an example below, or with an empty drawing.
              </p>
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
                onClick={() => setCreating({ from: { example } })}
              >
                <ExamplePicture example={example} />
                <strong>{example.title || example.name}</strong>
                <span>{example.doc}</span>
              </button>
            ))}
            <button
              type="button"
              className="start-card"
              disabled={!status.writable}
              onClick={() => setCreating({ from: null })}
            >
              <span className="start-blank">
                <FilePlus size={20} />
              </span>
              <strong>Empty</strong>
              <span>Nothing drawn yet: the first service is a key away</span>
            </button>
          </div>
        </section>
      </main>
      {creating ? <NewProject from={creating.from} taken={taken} onClose={() => setCreating(null)} /> : null}
    </div>
  );
}
