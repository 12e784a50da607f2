import { alignViews, type Alignment, isMoved, isPlainChange, type Likeness } from './align.ts';
import { type LookAhead, WINDOW } from './look-ahead.ts';

/** The two logs, each with its next entries in view. */
export interface Views {
  readonly source: LookAhead;
  readonly replay: LookAhead;
}

/** How the next entries belong together. */
export interface Choice {
  readonly alignment: Alignment;
  /** Whether a pair is equal in type, node and payload. */
  readonly areEqual: boolean;
  /** Whether the entry without a counterpart has one elsewhere in view. */
  readonly moved: boolean;
}

/**
 * Makes the function that chooses the next place of the alignment. Equal heads need no search; after a search its path is
 * followed through half a window, or until the logs agree again.
 */
export function createChooser({ source, replay }: Views, likeness: Likeness): () => Choice {
  let planned: readonly Alignment[] = [];
  return () => {
    const [a, b] = [source.peek(0), replay.peek(0)];
    if (a === undefined || b === undefined) {
      return { alignment: a === undefined ? 'extra' : 'missing', areEqual: false, moved: false };
    }
    const [step] = planned;
    if (step === 'missing' || step === 'extra') {
      planned = planned.slice(1);
      return { alignment: step, areEqual: false, moved: false };
    }
    const areEqual = likeness.equal(a, b);
    if (areEqual || step === 'pair') {
      planned = areEqual ? [] : planned.slice(1);
      return { alignment: 'pair', areEqual, moved: false };
    }
    if (isPlainChange(source, replay, likeness)) return { alignment: 'pair', areEqual: false, moved: false };
    const path = alignViews(source, replay, likeness);
    planned = path.slice(1, WINDOW / 2);
    const alignment = path[0] ?? 'pair';
    const moved = alignment !== 'pair' && isMoved(path, [source, replay], likeness);
    return { alignment, areEqual: false, moved };
  };
}
