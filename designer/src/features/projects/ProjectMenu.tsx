import type { ListedProject } from "@penstock/codegen/contract";
import { Copy, EllipsisVertical, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { ask } from "../../kernel/server/api.js";
import { Button, Dialog, IconButton, Menu, toast } from "../../kernel/ui/index.js";
import { NameDialog } from "./NameDialog.js";
import { freshProjectName } from "./projectName.js";
import { sayFailure } from "../../kernel/run/runActions.js";

const ICON = { size: 14, strokeWidth: 1.75 };

/** What can be done with a project of the list: rename, duplicate, delete. `changed` reads the list anew. */
export function ProjectMenu({
  project,
  taken,
  changed,
}: {
  project: ListedProject;
  taken: readonly string[];
  changed: () => Promise<void>;
}) {
  const [asked, setAsked] = useState<"rename" | "duplicate" | "delete" | null>(null);
  const { id, name, running } = project;
  const close = () => setAsked(null);
  const runs = running.length > 0;
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton label={`More for ${name}`} size="sm" icon={<EllipsisVertical {...ICON} />} />}
        items={[
          ...(runs ? [{ heading: "Stop it to rename or delete it" }] : []),
          {
            label: "Rename…",
            icon: <Pencil {...ICON} />,
            disabled: runs,
            onSelect: () => setAsked("rename"),
          },
          { label: "Duplicate…", icon: <Copy {...ICON} />, onSelect: () => setAsked("duplicate") },
          "separator",
          {
            label: "Delete…",
            icon: <Trash2 {...ICON} />,
            danger: true,
            disabled: runs,
            onSelect: () => setAsked("delete"),
          },
        ]}
      />
      {asked === "rename" || asked === "duplicate" ? (
        <NameDialog
          title={asked === "rename" ? `Rename ${name}` : `Duplicate ${name}`}
          action={asked === "rename" ? "Rename" : "Duplicate"}
          hint="The folder's name. The drawing and its C++ namespace stay as they are."
          initial={asked === "rename" ? name : freshProjectName(name, taken)}
          taken={asked === "rename" ? taken.filter((other) => other !== name) : taken}
          perform={async (chosen) => {
            if (asked === "duplicate")
              await ask("duplicateProject", { project: id }, { body: { name: chosen } });
            else if (chosen !== name) await ask("renameProject", { project: id }, { body: { name: chosen } });
            close();
            await changed();
          }}
          onClose={close}
        />
      ) : null}
      {asked === "delete" ? (
        <Dialog
          open
          onOpenChange={(open) => open || close()}
          title={`Delete ${name}?`}
          width={440}
          footer={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button
                variant="danger"
                onClick={() => {
                  close();
                  void remove(id, name).then(changed);
                }}
              >
                Delete
              </Button>
            </>
          }
        >
          <p>
            Its folder moves to <code>.penstock/deleted</code> in the workspace, with its revisions. Moved
            back, it is here again.
          </p>
        </Dialog>
      ) : null}
    </>
  );
}

async function remove(id: string, name: string): Promise<void> {
  try {
    const { kept } = await ask("deleteProject", { project: id });
    toast(`Deleted ${name}`, { body: `Kept as ${kept}` });
  } catch (error) {
    sayFailure(`${name} is not deleted`, error);
  }
}
