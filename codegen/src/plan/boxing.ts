import type { Message } from "../model/topology/index.js";

/** Whether an optional of `type` would close a circle in `holder`, so that C++ has a `Boxed` there. */
export function boxing(messages: readonly Message[]): (holder: string, type: string) => boolean {
  const byName = new Map(messages.map((message) => [message.name, message]));
  const component = strongComponents(messages, byName);
  return (holder, type) => byName.has(type) && component.get(holder) === component.get(type);
}

/** Tarjan's algorithm over "holds a complete one" edges, without recursion on the user's depth. */
function strongComponents(messages: readonly Message[], byName: Map<string, Message>): Map<string, number> {
  const component = new Map<string, number>();
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const heldBy = (name: string): string[] =>
    (byName.get(name)?.fields ?? []).filter((f) => !f.repeated && byName.has(f.type)).map((f) => f.type);

  for (const root of messages) {
    if (order.has(root.name)) continue;
    const work: { name: string; held: string[]; next: number }[] = [];
    const enter = (name: string): void => {
      order.set(name, order.size);
      low.set(name, order.get(name)!);
      stack.push(name);
      work.push({ name, held: heldBy(name), next: 0 });
    };
    enter(root.name);
    while (work.length > 0) {
      const top = work[work.length - 1]!;
      const used = top.held[top.next++];
      if (used !== undefined) {
        if (!order.has(used)) enter(used);
        else if (!component.has(used)) low.set(top.name, Math.min(low.get(top.name)!, order.get(used)!));
        continue;
      }
      work.pop();
      const holder = work[work.length - 1];
      if (holder) low.set(holder.name, Math.min(low.get(holder.name)!, low.get(top.name)!));
      if (low.get(top.name) !== order.get(top.name)) continue;
      const id = component.size;
      for (let name = ""; name !== top.name;) component.set((name = stack.pop()!), id);
    }
  }
  return component;
}
