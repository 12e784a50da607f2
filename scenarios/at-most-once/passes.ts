/** What a host tells of the failpoints that its process passed: the names in their order, the last of `total`. */
export interface Passes {
  readonly names: readonly string[];
  /** How many names there were altogether; those that are not in `names` are older. */
  readonly total: number;
}

/** Reads an answer of the seam; without a `total` of its own the list is all there is. */
export function passesIn(passed: readonly unknown[], total: unknown): Passes {
  const names = passed.filter((name) => typeof name === 'string');
  return { names, total: typeof total === 'number' && total > names.length ? total : names.length };
}

/**
 * The names that were passed since; null where the list does not hold all of them: some were dropped, or it no longer begins
 * as it did, as one of bounded length without a total.
 */
export function passedSince(before: Passes, now: Passes): readonly string[] | null {
  const count = now.total - before.total;
  if (count < 0 || count > now.names.length) return null;
  const since = now.names.length - count;
  const kept = now.names.slice(0, since);
  const known = before.names.slice(before.names.length - kept.length);
  const goesOn = kept.length <= before.names.length && kept.every((name, index) => name === known[index]);
  return goesOn ? now.names.slice(since) : null;
}

/** The passes during a run whose tool was called `calls` times: a list with none of them has stopped before. */
export function passedInRun(before: Passes, now: Passes, calls: number): readonly string[] | null {
  const passed = passedSince(before, now);
  return passed?.length === 0 && calls > 0 ? null : passed;
}
