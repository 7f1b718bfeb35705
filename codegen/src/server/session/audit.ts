import { closeSync, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "../http/limits.js";

export interface AuditEntry {
  what: string;
  result: string;
  project?: string;
  binary?: string;
}

/**
 * One JSON line for each command, start and refusal: when, what, result; never a payload or a
 * token. Rotated at 5 MB (one old file is kept), refusals limited, so that a hostile page cannot
 * fill the disk. A log that cannot be written never stops the server.
 */
export class AuditLog {
  private file: number | null = null;
  private size = 0;
  private windowStart = 0;
  private inWindow = 0;
  private suppressed = 0;
  readonly path: string;

  constructor(folder: string) {
    this.path = join(folder, "audit.jsonl");
    this.open();
  }

  record(entry: AuditEntry): void {
    this.write({ at: new Date().toISOString(), ...entry });
  }

  /** A refused request; beyond the limit a minute only their number is written. */
  refusal(method: string, target: string, status: number, reason: string): void {
    const now = performance.now();
    if (now - this.windowStart > 60_000) {
      this.flushSuppressed();
      this.windowStart = now;
      this.inWindow = 0;
    }
    if (++this.inWindow > LIMITS.auditRefusalsPerMinute) {
      this.suppressed++;
      return;
    }
    // The query may hold anything, a mistyped secret too.
    const path = (target.split("?")[0] ?? "").slice(0, 200);
    this.record({ what: `${method.slice(0, 20)} ${path}`, result: `refused ${status} ${reason}` });
  }

  close(): void {
    this.flushSuppressed();
    if (this.file !== null) closeSync(this.file);
    this.file = null;
  }

  private flushSuppressed(): void {
    if (this.suppressed > 0)
      this.record({ what: "refusals", result: `${this.suppressed} more in the last minute` });
    this.suppressed = 0;
  }

  private open(): void {
    try {
      this.file = openSync(this.path, "a", 0o600);
      this.size = fstatSync(this.file).size;
    } catch {
      this.file = null;
    }
  }

  private write(line: Record<string, unknown>): void {
    if (this.file === null) return;
    try {
      const text = `${JSON.stringify(line)}\n`;
      if (this.size + text.length > LIMITS.auditBytes) {
        const full = this.file;
        this.file = null;
        closeSync(full);
        try {
          renameSync(this.path, `${this.path}.1`);
        } finally {
          this.open();
        }
      }
      if (this.file !== null) this.size += writeSync(this.file, text);
    } catch {
      // Disk full or gone: the audit log is not worth a user's work.
    }
  }
}
