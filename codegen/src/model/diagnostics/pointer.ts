/** RFC 6901 JSON pointer of a path: `pointerOf("services", 3, "calls")` is `/services/3/calls`. */
export const pointerOf = (...path: readonly (string | number)[]): string =>
  path
    .map(
      (segment) =>
        `/${typeof segment === "number" ? segment : segment.replace(/~/g, "~0").replace(/\//g, "~1")}`,
    )
    .join("");

/** The path of a pointer; list indexes come back as strings, as the pointer cannot tell. */
export const pathOf = (pointer: string): string[] =>
  pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((segment) => segment.replace(/~1/g, "/").replace(/~0/g, "~"));
