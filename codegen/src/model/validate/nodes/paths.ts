const SEGMENT = /^[A-Za-z0-9._~-]+$/;

/** `.` and `..` never arrive at a server: clients take them out of a path before they ask. */
export function isHttpPath(path: string): boolean {
  if (path === "/") return true;
  const [start, ...segments] = path.split("/");
  return (
    start === "" &&
    segments.length > 0 &&
    segments.every((segment) => SEGMENT.test(segment) && segment !== "." && segment !== "..")
  );
}

/** A file below the folder that the binary is started in, whatever that is: `a.jsonl`, `in/a.jsonl`. */
export const isInside = (path: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  !/[\u0000-\u001f\u007f\\]/.test(path) &&
  path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
