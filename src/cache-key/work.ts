/** Characters that the search for one key may write and hash: a few seconds' work, and all rules for an ordinary request. */
export const SEARCH_OF_ONE = 200_000_000;
/** The same for the search that explains a host's answers. */
export const SEARCH_OF_MANY = 1_000_000_000;

/** What looking at a node or a member costs, in characters that could be written meanwhile. */
export const NODE = 30;

/** What reading a node costs, which is kept for as long as the search goes on. */
export const NODE_READ = 8 * NODE;

/** How many times its length a text counts that is kept until the end of the search, for its memory. */
export const KEPT = 4;

/** What a search may still do, in characters written and hashed; not counted outside a search. */
let left = Number.POSITIVE_INFINITY;

/** Unwinds a search that has done all it may; never leaves `bounded`. */
class BeyondBound extends Error {}

/** Counts work, in characters; a search that has done all it may ends here. */
export function spend(characters: number): void {
  left -= characters;
  if (left < 0) throw new BeyondBound();
}

/** What a search finds within its bound in characters, or undefined where it did not end within that. Nothing is counted twice. */
export function bounded<T>(characters: number, search: () => T): T | undefined {
  const outer = left;
  left = Math.min(characters, outer);
  const allowed = left;
  try {
    return search();
  } catch (error) {
    if (error instanceof BeyondBound) return undefined;
    throw error;
  } finally {
    left = outer - (allowed - Math.max(left, 0));
  }
}
