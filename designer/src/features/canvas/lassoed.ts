/**
 * What a lasso has selected. It picks every box that it touches: a bundle counts when it has all that is in it, else
 * somebody who deletes some services of a bundle deletes the bundle, and leaves the others in none.
 *
 * @param selection what is selected with the lasso's picks
 * @param picked what the lasso has picked just now
 * @param members what is in each bundle
 */
export function lassoed(
  selection: ReadonlySet<string>,
  picked: ReadonlySet<string>,
  members: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
): Set<string> {
  const result = new Set(selection);
  for (const [bundle, inside] of members) {
    if ([...inside.keys()].every((id) => selection.has(id))) result.add(bundle);
    else if (picked.has(bundle)) result.delete(bundle);
  }
  return result;
}
