import type { Recorded } from '../../src/runner/scenario.ts';
import { accepted, type RequestedObservation } from '../shared/requested.ts';
import { sequenceOf, type ReadingObservation } from '../shared/reading.ts';
import { LEFT, type CutObservation } from './cut.ts';
import type { Recordings } from './row.ts';

type Requested = Recorded<RequestedObservation>;

/** What the host shows after its seam was asked to let events expire. */
export interface Left {
  /** The sequence numbers in the log; undefined where it could not be read. */
  readonly sequences: ReadonlySet<number> | undefined;
  /** Whether the seam itself said from where on events are kept. */
  readonly isSaid: boolean;
}

/** The log of the source as it was read after the seam. */
export function leftIn(observations: Recordings, isSaid: boolean): Left {
  const reading = observations.find(
    (each): each is Recorded<ReadingObservation> =>
      each.type === 'reading' && (each as Recorded<ReadingObservation>).run === LEFT,
  );
  const numbers = reading?.events.map(sequenceOf).filter((sequence) => sequence !== undefined);
  return { sequences: numbers === undefined ? undefined : new Set(numbers), isSaid };
}

/**
 * Why an accepted fork may be right: replay.md binds a host only where the range has expired, and nothing shows that it
 * has. Undefined where something does: the log without the event at the fork's point, or a refused fork from there or later.
 */
export function unexpired(
  asked: Requested,
  about: { readonly cut: CutObservation; readonly left: Left; readonly refused: readonly Requested[] },
): string | undefined {
  const { cut, left, refused } = about;
  const from = pointOf(asked, cut);
  if (!accepted(asked) || refused.some((each) => pointOf(each, cut) >= from)) return undefined;
  if (left.sequences === undefined) {
    return left.isSaid ? undefined : 'the seam names no boundary, and the log could not be read after it';
  }
  if (!left.sequences.has(from)) return undefined;
  return `the log still shows the event ${from}, so it has not expired: the seam has to remove the events below ${cut.boundary}`;
}

/** Where a fork starts; without fromSeq, at the first event. */
function pointOf({ request }: Requested, { first }: CutObservation): number {
  const asked = /"fromSeq":(\d+)/u.exec(request)?.[1];
  return asked === undefined ? first : Number(asked);
}
