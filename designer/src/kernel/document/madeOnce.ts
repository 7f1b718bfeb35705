/** Makes something of a list once, for as long as the list is there: those of a document are never changed in place. */
export function madeOnce<List extends object, Made>(make: (list: List) => Made): (list: List) => Made {
  const known = new WeakMap<List, { made: Made }>();
  return (list) => {
    let found = known.get(list);
    if (!found) known.set(list, (found = { made: make(list) }));
    return found.made;
  };
}
