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
