/**
 * A shortest circle of a directed graph, and how many points stand in circles at all; undefined when it has none.
 * Each point is searched from breadth first: rooms are few.
 * @param {readonly (readonly [string, string])[]} arrows
 */
export function circleIn(arrows) {
  const next = new Map();
  for (const [from, to] of arrows) next.set(from, (next.get(from) ?? new Set()).add(to));
  const circles = [...next.keys()].flatMap((start) => shortestBack(next, start) ?? []);
  if (circles.length === 0) return undefined;
  return { path: circles.toSorted((a, b) => a.path.length - b.path.length)[0].path, count: circles.length };
}

function shortestBack(next, start) {
  const before = new Map();
  const queue = [start];
  for (const at of queue)
    for (const to of next.get(at) ?? []) {
      if (to === start) {
        const path = [start];
        for (let one = at; one !== start; one = before.get(one)) path.unshift(one);
        return { path: [start, ...path] };
      }
      if (before.has(to)) continue;
      before.set(to, at);
      queue.push(to);
    }
  return undefined;
}
