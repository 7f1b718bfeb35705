import { open, stat, type FileHandle } from "node:fs/promises";

/**
 * Reads on in a file that another process appends to and now and then moves away to begin it anew.
 * Each moved file is read to its end first, as long as no more than one was begun between two reads.
 */
export class RotatedFile {
  private file: FileHandle | null = null;

  constructor(private readonly path: string) {}

  /** Gives what was written since the last time. */
  async readOn(take: (chunk: Buffer) => void): Promise<void> {
    for (;;) {
      this.file ??= await open(this.path).catch(() => null);
      if (!this.file) return;
      // Asked before reading: nothing is written to a file once it was moved away.
      const moved = await this.isMoved(this.file);
      for (;;) {
        const { bytesRead, buffer } = await this.file.read();
        if (bytesRead === 0) break;
        take(buffer.subarray(0, bytesRead));
      }
      if (!moved) return;
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.file?.close();
    this.file = null;
  }

  private async isMoved(file: FileHandle): Promise<boolean> {
    const [ours, there] = await Promise.all([file.stat(), stat(this.path).catch(() => null)]);
    return ours.ino !== there?.ino;
  }
}
