/** Asked of ninja so that each step is one line we can read: done of total. */
export const NINJA_STATUS = "[%f/%t] ";

export interface NinjaStep {
  done: number;
  total: number;
  /** What ninja says it did, e.g. `Building CXX object .../get_ad.cpp.o`. */
  what: string;
}

/** Before it knows its steps ninja has CMake look whether the build files still hold; these it counts by themselves. */
const LOOKS_AGAIN = /^Re-(?:running CMake|checking globbed)/;

/** A progress line of ninja, or null for everything else. */
export function readNinjaStep(line: string): NinjaStep | null {
  const match = /^\[(\d+)\/(\d+)\] (.*)$/.exec(line);
  if (LOOKS_AGAIN.test(match?.[3] ?? "")) return null;
  return match ? { done: Number(match[1]), total: Number(match[2]), what: match[3] ?? "" } : null;
}

/** For people: the file a step is about, relative to the project where it can be told. */
export function stepSubject(what: string): string {
  const object = /Building CXX object (?:.*\.dir\/)?(.+)\.o$/.exec(what)?.[1];
  if (object !== undefined) return object.replace(/^(?:__\/)+/, "");
  return /Linking CXX .* (\S+)$/.exec(what)?.[1] ?? what;
}
