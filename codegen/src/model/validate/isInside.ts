/** A file below the folder that the binary is started in, whatever that is: `a.jsonl`, `in/a.jsonl`. */
export const isInside = (path: string): boolean =>
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  !/[\u0000-\u001f\u007f\\]/.test(path) &&
  path.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..");
