const SHOWN = 3;

/**
 * The known names that a misspelt one may stand for, nearest first, at most three: those a few edits away, those that it
 * is a part of, and those that it begins with.
 */
export function nearestNames(name: string, known: readonly string[]): readonly string[] {
  const most = Math.min(name.length - 2, Math.max(1, Math.floor(name.length / 4)));
  const word = name.toLowerCase();
  return [...new Set(known)]
    .map((each) => ({ each, edits: editsBetween(word, each.toLowerCase(), most + 1) }))
    .filter(({ each, edits }) => edits <= most || isPart(word, each.toLowerCase()))
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, SHOWN)
    .map(({ each }) => each);
}

/** What to say of a name that nothing has: `no suite is called "discovry"; did you mean discovery?` */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const near = nearestNames(name, known);
  const hint = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
  return `no ${kind} is called ${JSON.stringify(name)}${hint}`;
}

function isPart(word: string, known: string): boolean {
  return word.length > 2 && (known.includes(word) || (word.startsWith(`${known}.`) && known.length > 2));
}

/** Letters to insert, delete, replace or swap with their neighbour; `bound` where it is that many or more. */
function editsBetween(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound || a.length > 200) return bound;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i] === b[j - 1];
      const swapped = i > 0 && a[i] === b[j - 2] && a[i - 1] === b[j - 1];
      const edits = [at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (same ? 0 : 1)];
      next.push(Math.min(...edits, ...(swapped ? [at(before, j - 2) + 1] : [])));
    }
    [before, row] = [row, next];
  }
  return Math.min(bound, at(row, b.length));
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
