import type { SourceFile } from "@penstock/codegen/contract";
import { FileCode, FileCog } from "lucide-react";
import { isDirty, openFile, useFiles } from "../../kernel/files/fileStore.js";

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function Group({ title, files }: { title: string; files: readonly SourceFile[] }) {
  const openId = useFiles((state) => state.openId);
  const buffers = useFiles((state) => state.buffers);
  const folders = new Map<string, SourceFile[]>();
  for (const file of files)
    folders.set(folderOf(file.path), [...(folders.get(folderOf(file.path)) ?? []), file]);
  if (files.length === 0) return null;
  return (
    <div className="file-group">
      <div className="caps">{title}</div>
      {[...folders].map(([folder, inside]) => (
        <div key={folder}>
          {folder ? <div className="mono file-folder">{folder}/</div> : null}
          {inside.map((file) => {
            const buffer = buffers.get(file.id);
            const dirty = buffer ? isDirty(buffer) : false;
            return (
              <button
                type="button"
                key={file.id}
                className="file-row"
                aria-current={file.id === openId}
                title={file.written ? file.path : `${file.path}: not written yet, answers "unimplemented"`}
                onClick={() => void openFile(file.id)}
              >
                {file.owner === "user" ? <FileCode size={14} /> : <FileCog size={14} />}
                <span className="file-name" data-unwritten={!file.written}>
                  {nameOf(file.path)}
                </span>
                {dirty ? <span className="file-dirty" title="Unsaved" aria-label="unsaved" /> : null}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** The project's files: the user's first, then the generated ones to look at. */
export function FileList() {
  const files = useFiles((state) => state.files);
  return (
    <nav className="file-list" aria-label="Files">
      <Group title="Yours" files={files.filter((file) => file.owner === "user")} />
      <Group title="Generated" files={files.filter((file) => file.owner === "generated")} />
    </nav>
  );
}
