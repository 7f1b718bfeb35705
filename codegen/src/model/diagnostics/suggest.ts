const LONGEST = 64;

/** What comparing may cost over many suggestions, in pairs of characters; spent by `suggest`. */
export interface SuggestionBudget {
  pairs: number;
}

/** For one check of a document, which may be wrong everywhere: some hundredths of a second. */
export const suggestionBudget = (): SuggestionBudget => ({ pairs: 2_000_000 });

/**
 * The candidate that somebody who typed `wrong` most likely meant, or undefined when none is near (or the budget is
 * spent). Compared without case first, then by edit distance (at most two fifths of the length). O(candidates
 * * length^2); names beyond 64 characters are never compared.
 */
export function suggest(
  wrong: string,
  candidates: Iterable<string>,
  budget: SuggestionBudget = suggestionBudget(),
): string | undefined {
  if (wrong.length === 0 || wrong.length > LONGEST || budget.pairs <= 0) return undefined;
  const lower = wrong.toLowerCase();
  const limit = Math.max(1, Math.round(wrong.length * 0.4));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    // Also for the look at it: a list may be long and none of its names near.
    budget.pairs -= 1;
    if (budget.pairs <= 0) break;
    if (Math.abs(candidate.length - wrong.length) >= bestDistance || candidate.length > LONGEST) continue;
    budget.pairs -= wrong.length * candidate.length;
    const distance = editDistance(lower, candidate.toLowerCase(), bestDistance - 1);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
      if (distance === 0) break;
    }
  }
  return best;
}

/** Optimal string alignment distance (insert, delete, replace, swap), or `limit + 1` when it is larger. */
function editDistance(a: string, b: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let value = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + cost);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1])
        value = Math.min(value, at(beforeLast, column - 2) + 1);
      current.push(value);
      least = Math.min(least, value);
    }
    if (least > limit) return limit + 1;
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.MAX_SAFE_INTEGER;
