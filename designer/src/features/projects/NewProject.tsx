import type { ExampleInfo } from "@penstock/codegen/contract";
import { ask } from "../../kernel/server/api.js";
import { NameDialog } from "./NameDialog.js";
import { goTo } from "./openProject.js";
import { freshProjectName } from "./projectName.js";

/** What a new project begins with; null: nothing. */
export type Beginning = { example: ExampleInfo } | { drawing: { text: string; name: string } } | null;

const titleOf = (from: Beginning): string => {
  if (from === null) return "New empty project";
  return "example" in from
    ? `New project from ${from.example.title || from.example.name}`
    : "Import a drawing";
};

/** Asks for the name of a new project, makes it and opens it. */
export function NewProject({
  from,
  taken,
  onClose,
}: {
  from: Beginning;
  taken: readonly string[];
  onClose: () => void;
}) {
  const name = from === null ? "my_project" : "example" in from ? from.example.name : from.drawing.name;
  const own = name.replaceAll("-", "_");
  return (
    <NameDialog
      title={titleOf(from)}
      action={from !== null && "drawing" in from ? "Import" : "Create"}
      initial={freshProjectName(own, taken)}
      taken={taken}
      hint={
        from === null
          ? "The folder, the C++ namespace and the project's name."
          : `The folder's name. The drawing and its C++ namespace stay ${own}.`
      }
      perform={async (chosen) => {
        const begun =
          from === null
            ? {}
            : "example" in from
              ? { example: from.example.name }
              : { topology: from.drawing.text };
        goTo((await ask("createProject", {}, { body: { name: chosen, ...begun } })).id);
      }}
      onClose={onClose}
    />
  );
}
