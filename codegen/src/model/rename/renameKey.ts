/** The map with one key renamed in its place; an entry that already has the new key gives way. */
export function renameKey<T>(map: Readonly<Record<string, T>>, from: string, to: string): Record<string, T> {
  if (from === to || !Object.hasOwn(map, from)) return map;
  return Object.fromEntries(
    Object.entries(map)
      .filter(([key]) => key !== to)
      .map(([key, value]) => [key === from ? to : key, value]),
  );
}

/** The map without one key. */
export function withoutKey<T>(map: Readonly<Record<string, T>>, key: string): Record<string, T> {
  if (!Object.hasOwn(map, key)) return map;
  return Object.fromEntries(Object.entries(map).filter(([other]) => other !== key));
}
