import { Plus, Search } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { useStore } from "zustand";
import { runCommand } from "../../registry/commands.js";
import { useDocument } from "../../kernel/document/index.js";
import { IconButton, Input, Menu } from "../../kernel/ui/index.js";
import "./explorer.css";
import { findStore } from "./search.js";
import { Palette } from "./Palette.js";
import { ProjectTree, type FoundRows } from "./ProjectTree.js";

/** The left panel: find, the project as a tree, and what can be drawn. */
export function LeftPanel() {
  const readOnly = useDocument((state) => state.readOnly);
  const [query, setQuery] = useState("");
  const found = useRef<FoundRows>(null);
  const search = useRef<HTMLDivElement>(null);
  const wanted = useStore(findStore, (state) => state.wanted);
  useEffect(() => {
    if (!wanted) return;
    findStore.setState({ wanted: false });
    const field = search.current?.querySelector("input");
    field?.focus();
    field?.select();
  }, [wanted]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Enter") found.current?.revealNext();
    else if (event.key === "ArrowDown") found.current?.focus();
    else if (event.key === "Escape" && query) setQuery("");
    else if (event.key === "Escape") event.currentTarget.blur();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="left-panel">
      <div className="left-search" ref={search}>
        <Input
          icon={<Search size={14} strokeWidth={1.75} aria-hidden />}
          type="search"
          aria-label="Find in the project"
          placeholder="Find or is:unwritten"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </div>
      <section className="left-section left-project" aria-label="Things of the project">
        <header className="left-head">
          <h2 className="caps">Project</h2>
          <Menu
            align="end"
            trigger={
              <IconButton
                size="sm"
                label="Add to the project"
                disabled={readOnly}
                icon={<Plus size={14} strokeWidth={1.75} />}
              />
            }
            items={[
              { label: "Message", onSelect: () => void runCommand("add.message") },
              { label: "Enum", onSelect: () => void runCommand("add.enum") },
              { label: "Bundle", onSelect: () => void runCommand("add.bundle") },
              { label: "Binary", onSelect: () => void runCommand("add.binary") },
            ]}
          />
        </header>
        <div className="left-scroll">
          <ProjectTree query={query} found={found} />
        </div>
      </section>
      <Palette query={query} />
    </div>
  );
}
