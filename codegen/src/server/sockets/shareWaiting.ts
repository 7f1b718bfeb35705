/**
 * One question about a thing at a time; all who ask meanwhile share the next one, which begins after they asked. However
 * many ask, nobody waits for more than two answers.
 */
export function shareWaiting<T>(ask: (about: string) => Promise<T>): (about: string) => Promise<T> {
  const running = new Map<string, Promise<unknown>>();
  const waiting = new Map<string, Promise<T>>();
  const begin = (about: string): Promise<T> => {
    waiting.delete(about);
    const answer = ask(about);
    const ended: Promise<unknown> = answer
      .catch(() => undefined)
      .then(() => running.get(about) === ended && running.delete(about));
    running.set(about, ended);
    return answer;
  };
  return (about) => {
    const before = running.get(about);
    if (before === undefined) return begin(about);
    const known = waiting.get(about) ?? before.then(() => begin(about));
    waiting.set(about, known);
    return known;
  };
}
