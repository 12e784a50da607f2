import { type Entry, type LookAhead, WINDOW } from './look-ahead.ts';

/** How the next entries belong together: two stand for each other, or one has no counterpart. */
type Alignment = 'pair' | 'missing' | 'extra';

/** What an alignment asks about two events. */
interface Likeness {
  /** Equal in type, node and payload. */
  readonly equal: (source: Entry, replay: Entry) => boolean;
}

const EQUAL = 8;
const OF_ONE_KIND = 2;
const SOME_PAIR = 1;

/** Whether two entries have the same type and node, whatever they say. */
function ofOneKind(source: Entry, replay: Entry): boolean {
  return source.event.type === replay.event.type && source.event.nodeId === replay.event.nodeId;
}

/**
 * Whether two unequal heads are one event with another value, to be seen without a search: they are of one kind, what
 * follows them is equal, and neither turns up one place later on the other side.
 */
function isPlainChange(source: LookAhead, replay: LookAhead, { equal }: Likeness): boolean {
  const [a, b, nextA, nextB] = [source.peek(0), replay.peek(0), source.peek(1), replay.peek(1)];
  if (a === undefined || b === undefined || !ofOneKind(a, b)) return false;
  if (nextA === undefined || nextB === undefined) return nextA === nextB;
  return equal(nextA, nextB) && !equal(a, nextB) && !equal(nextA, b);
}

/**
 * The best common reading of what is in view on both sides: as many equal pairs as possible, then pairs of one kind, then
 * any pairs, the earliest of equally good ones.
 */
function alignViews(source: LookAhead, replay: LookAhead, likeness: Likeness): readonly Alignment[] {
  const rows = source.inView();
  const columns = replay.inView();
  const width = columns + 1;
  const weight = new Uint8Array(rows * width);
  const best = new Uint16Array((rows + 1) * width);
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      weight[at] = pairWeight(source.peek(row), replay.peek(column), likeness);
      best[at] = Math.max((weight[at] ?? 0) + (best[at + width + 1] ?? 0), best[at + width] ?? 0, best[at + 1] ?? 0);
    }
  }
  const path: Alignment[] = [];
  for (let row = 0, column = 0; row < rows || column < columns;) {
    const at = row * width + column;
    if (row === rows) path.push('extra');
    else if (column === columns) path.push('missing');
    else if (best[at] === (weight[at] ?? 0) + (best[at + width + 1] ?? 0)) path.push('pair');
    else path.push(best[at] === best[at + width] ? 'missing' : 'extra');
    const step = path.at(-1);
    if (step !== 'extra') row += 1;
    if (step !== 'missing') column += 1;
  }
  return path;
}

function pairWeight(source: Entry | undefined, replay: Entry | undefined, { equal }: Likeness): number {
  if (source === undefined || replay === undefined || !ofOneKind(source, replay)) return SOME_PAIR;
  return equal(source, replay) ? EQUAL : OF_ONE_KIND;
}

/**
 * Whether an entry without a counterpart has one elsewhere in view: `path` leaves an equal entry of the other side
 * unpaired too. The first entry of the path is the one that is asked for.
 */
function isMoved(path: readonly Alignment[], views: readonly [LookAhead, LookAhead], { equal }: Likeness): boolean {
  const [source, replay] = views;
  const [asked] = path;
  let row = 0;
  let column = 0;
  for (const step of path) {
    const a = asked === 'missing' ? source.peek(0) : source.peek(row);
    const b = asked === 'missing' ? replay.peek(column) : replay.peek(0);
    if (step !== asked && step !== 'pair' && a !== undefined && b !== undefined && equal(a, b)) return true;
    if (step !== 'extra') row += 1;
    if (step !== 'missing') column += 1;
  }
  return false;
}

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
