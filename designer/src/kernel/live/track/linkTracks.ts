import { liveRows, type LiveSample, type LiveSchema } from "@penstock/codegen/contract";
import type { LinkFigures } from "../figures/figures.js";
import { Rate } from "./rate.js";

interface LinkTrack {
  figures: LinkFigures;
  sent: Rate;
  received: Rate;
}

/** What is known of the links of one running binary, by the binaries that they lead to. */
export class LinkTracks {
  private readonly of = new Map<string, LinkTrack>();
  private byId = new Map<number, LinkTrack>();

  /** The links to a binary; undefined where none are known. Changed in place. */
  to(binary: string): LinkFigures | undefined {
    return this.of.get(binary)?.figures;
  }

  /** To all binaries. */
  get all(): LinkFigures[] {
    return [...this.of.values()].map(({ figures }) => figures);
  }

  takeSchema(links: NonNullable<LiveSchema["links"]>): void {
    this.byId = new Map();
    for (const { id, binary, transport, down } of links) {
      const known: LinkTrack = this.of.get(binary) ?? {
        figures: {
          binary,
          transport,
          open: 0,
          waiting: 0,
          sent: Number.NaN,
          received: Number.NaN,
          broken: 0,
          roundTripUs: null,
          roundTripP50Us: null,
          roundTripP99Us: null,
          resentPercent: null,
          down: undefined,
        },
        sent: new Rate(),
        received: new Rate(),
      };
      Object.assign(known.figures, { transport, down });
      this.of.set(binary, known);
      this.byId.set(id, known);
    }
    for (const binary of this.of.keys())
      if (!links.some((link) => link.binary === binary)) this.of.delete(binary);
  }

  takeSample(sample: LiveSample): void {
    for (const row of liveRows(sample, "links")) {
      const known = this.byId.get(row.id);
      if (!known) continue;
      const { open, waiting, broken, roundTripUs, resentPercent = null } = row;
      const { roundTripP50Us = null, roundTripP99Us = null } = row;
      const told = { open, waiting, broken, roundTripUs, roundTripP50Us, roundTripP99Us, resentPercent };
      Object.assign(known.figures, told);
      known.figures.sent = known.sent.push(sample.t, row.sentBytes);
      known.figures.received = known.received.push(sample.t, row.receivedBytes);
    }
  }

  clear(): void {
    this.of.clear();
    this.byId.clear();
  }
}
