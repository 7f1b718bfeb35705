const LEGAL = /^[a-z][a-z0-9_]*$/;

/** Why a project cannot be called so; undefined when it can. The server has the last word. */
export function projectNameError(name: string, taken: readonly string[]): string | undefined {
  if (name === "") return "A project needs a name";
  if (!LEGAL.test(name)) return "Lower-case letters, digits and _, beginning with a letter";
  if (name.length > 64) return "At most 64 characters";
  if (taken.some((other) => other.toLowerCase() === name)) return "There is a project of this name";
  return undefined;
}

/** `base`, or `base_2` and so on where it is taken. */
export function freshProjectName(base: string, taken: readonly string[]): string {
  const legal =
    base
      .toLowerCase()
      .replaceAll(/[^a-z0-9_]/g, "_")
      .replace(/^[^a-z]+/, "") || "project";
  if (!taken.includes(legal)) return legal;
  for (let number = 2; ; number++) if (!taken.includes(`${legal}_${number}`)) return `${legal}_${number}`;
}
