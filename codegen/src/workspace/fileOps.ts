import { open, rename, unlink, type FileHandle } from "node:fs/promises";

/**
 * The system calls a save is made of, one by one, so that a test can fail or kill the process
 * at each of them.
 */
export interface FileOps {
  open(path: string, flags: string | number, mode?: number): Promise<FileHandle>;
  write(file: FileHandle, data: string | Uint8Array): Promise<void>;
  sync(file: FileHandle): Promise<void>;
  close(file: FileHandle): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
}

export const realFileOps: FileOps = {
  open,
  write: (file, data) => file.writeFile(data),
  sync: (file) => file.sync(),
  close: (file) => file.close(),
  rename,
  unlink,
};
