import type { Observation } from '../../src/evidence/types.ts';
import { sequenceOf } from '../../src/host/log/shown.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import { accepted, type Requested } from '../shared/requested.ts';

/** The seam that makes the first part of a run's log expire. */
export const EXPIRE = 'retention/expire';

/** The source, when its log is read once more after that. */
export const LEFT = 'what is left of the source';

/** Where a log is cut, in sequence numbers: what stands below `boundary` goes, `below` is the last of it. */
export interface CutObservation extends Observation {
  readonly type: 'cut';
  readonly first: number;
  readonly below: number;
  readonly boundary: number;
}

/** What the host shows after its seam was requested to let events expire. */
export interface Left {
  /** The sequence numbers in the log; undefined where it could not be read. */
  readonly sequences: ReadonlySet<number> | undefined;
  /** Whether the seam itself said from where on events are kept. */
  readonly isSaid: boolean;
}

/** The log of the source as it was read after the seam. */
export function leftIn(recorded: Recordings, isSaid: boolean): Left {
  const reading = ofType<ReadingObservation>(recorded, 'reading').find(({ run, cut }) => run === LEFT && cut !== true);
  const numbers = reading?.events.map(sequenceOf).filter((sequence) => sequence !== undefined);
  return { sequences: numbers === undefined ? undefined : new Set(numbers), isSaid };
}

/**
 * Why an accepted fork may be right: replay.md binds a host only where the range has expired, and nothing shows that it
 * has. Undefined where something does: the log without the event at the fork's point, or a refused fork from there or later.
 */
export function unexpired(
  requested: Requested,
  about: { readonly cut: CutObservation; readonly left: Left; readonly refused: readonly Requested[] },
): string | undefined {
  const { cut, left, refused } = about;
  const from = fromSeqOf(requested) ?? cut.first;
  if (!accepted(requested) || refused.some((each) => (fromSeqOf(each) ?? cut.first) >= from)) return undefined;
  if (left.sequences === undefined) {
    return left.isSaid ? undefined : 'the seam names no boundary, and the log could not be read after it';
  }
  if (!left.sequences.has(from)) return undefined;
  return `the log still shows the event ${from}, so it has not expired: the seam has to remove the events below ${cut.boundary}`;
}

/** The fromSeq that a fork was requested with; undefined where it starts at the first event. */
export function fromSeqOf({ request }: Requested): number | undefined {
  const fromSeq = /"fromSeq":(\d+)/u.exec(request)?.[1];
  return fromSeq === undefined ? undefined : Number(fromSeq);
}
