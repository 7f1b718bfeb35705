/** Makes something of a part of the document once, for as long as that is there: none is ever changed in place. */
export function madeOnce<Part extends object, Made>(make: (part: Part) => Made): (part: Part) => Made {
  const known = new WeakMap<Part, { made: Made }>();
  return (part) => {
    let found = known.get(part);
    if (!found) known.set(part, (found = { made: make(part) }));
    return found.made;
  };
}
