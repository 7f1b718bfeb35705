/** Of a node that is only moved React Flow gives other places to its view, which does not show them: it is as it was. */
export const sameNode = (
  before: { id: string; data: unknown },
  now: { id: string; data: unknown },
): boolean => before.id === now.id && before.data === now.data;
