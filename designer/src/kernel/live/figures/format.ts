/** A figure split where its look changes: digits bright, unit dim. */
export interface Figure {
  digits: string;
  unit: string;
}

export const NO_FIGURE: Figure = { digits: "–", unit: "" };

/** At most three digits that mean something and four characters: "0", "9.4", "98.7", "421", "1.23" k. */
function threeDigits(value: number): string {
  if (value === 0) return "0";
  if (value < 0.095) return "<0.1";
  if (value < 9.95) return value.toFixed(1);
  if (value < 999.5) return String(Math.round(value));
  return "999";
}
function scaled(value: number): string {
  if (value < 9.995) return value.toFixed(2);
  if (value < 99.95) return value.toFixed(1);
  return String(Math.round(value));
}

/** Events a second. Whole numbers from 10 on; k, M, G above 999. */
export function formatRate(perSecond: number | null | undefined): Figure {
  if (perSecond === null || perSecond === undefined || Number.isNaN(perSecond))
    return { digits: "–", unit: "/s" };
  if (perSecond < 999.5) return { digits: threeDigits(perSecond), unit: "/s" };
  if (perSecond < 999_500) return { digits: scaled(perSecond / 1e3), unit: "k/s" };
  if (perSecond < 999_500_000) return { digits: scaled(perSecond / 1e6), unit: "M/s" };
  return { digits: scaled(perSecond / 1e9), unit: "G/s" };
}

/** A time given in microseconds, as people read it: 41 µs, 3.1 ms, 148 ms, 1.2 s. */
export function formatMicros(micros: number | null | undefined): Figure {
  if (micros === null || micros === undefined || Number.isNaN(micros)) return NO_FIGURE;
  if (micros < 0.9995) return { digits: String(Math.round(micros * 1000)), unit: "ns" };
  if (micros < 9.95) return { digits: micros.toFixed(1), unit: "µs" };
  if (micros < 999.5) return { digits: String(Math.round(micros)), unit: "µs" };
  const ms = micros / 1000;
  if (ms < 9.95) return { digits: ms.toFixed(1), unit: "ms" };
  if (ms < 999.5) return { digits: String(Math.round(ms)), unit: "ms" };
  const seconds = ms / 1000;
  return { digits: seconds < 9.95 ? seconds.toFixed(1) : String(Math.round(seconds)), unit: "s" };
}

export function formatBytes(bytes: number | null | undefined): Figure {
  if (bytes === null || bytes === undefined || Number.isNaN(bytes)) return NO_FIGURE;
  if (bytes < 999.5) return { digits: String(Math.round(bytes)), unit: "B" };
  if (bytes < 1e6) return { digits: String(Math.round(bytes / 1e3)), unit: "kB" };
  if (bytes < 1e9)
    return { digits: bytes < 1e7 ? (bytes / 1e6).toFixed(1) : String(Math.round(bytes / 1e6)), unit: "MB" };
  return { digits: (bytes / 1e9).toFixed(1), unit: "GB" };
}

/** A share of 0..1 in whole percent. */
export const formatShare = (share: number | null | undefined): Figure =>
  share === null || share === undefined || Number.isNaN(share)
    ? NO_FIGURE
    : { digits: String(Math.round(share * 100)), unit: "%" };

export const words = (figure: Figure): string =>
  figure.unit === ""
    ? figure.digits
    : figure.unit.includes("/")
      ? figure.digits + figure.unit
      : `${figure.digits} ${figure.unit}`;

/** How long something has lasted, in the two largest units: 41 s, 2 m 14 s, 3 h 5 m. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} m`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** The time of day of a moment (ms since 1970), here: 21:31:30 in every tongue, so that it has its width. */
export const formatClock = (ms: number): string => clock.format(ms);
