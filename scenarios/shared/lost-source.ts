import { listed } from '../../src/contract/listed.ts';
import type { Evidence } from '../../src/contract/outcome.ts';
import { isTerminal, typeOf } from '../../src/host/log/shown.ts';
import { isServerError } from '../../src/protocol/status.ts';
import { named } from './compare-runs.ts';
import type { Difference } from './compared.ts';
import { FOUNDATIONS } from './foundations.ts';
import { runOf, type RecordedRun } from './need.ts';
import type { Recordings } from './of-type.ts';
import {
  addedPastEnd,
  isEndLost,
  isReadAgain,
  lateUnforked,
  readingBefore,
  readTwice,
  type ReadTwice,
  type Twice,
  UNFORKED_ROW,
} from './past-the-end.ts';
import { accepted, type Requested, requestsOf, shownAnswer, statusOf } from './requested.ts';
import { sharedCause } from './diagnoses.ts';

/** What a source lost or got by its forks. */
export interface Change {
  readonly mismatch: Difference;
  readonly evidence: Evidence;
}

/** What is answered for a run that was read before and is not there any more. */
const GONE: ReadonlySet<number> = new Set([404, 410]);

/** Whether a run's reading is not there any more, or fails again and again while that of a run that is not forked does not. */
function isGone(recorded: Recordings, answer: Requested): boolean {
  const status = statusOf(answer);
  const controls = requestsOf(recorded, UNFORKED_ROW).filter(({ name }) => name === answer.name);
  return GONE.has(status) || (isServerError(status) && controls.some(accepted));
}

/** What of a source that was seen to its end is not there any more after its forks: its log, its snapshot, or the end of its log. */
export function lostSource(recorded: Recordings, twice: Twice): Change | undefined {
  const [before, after] = [runOf(recorded, twice.source), runOf(recorded, twice.again)];
  if (before?.problem !== null || after === undefined) return undefined;
  const isObserved = after.problem === null && isReadAgain(recorded, twice.source);
  const log = isObserved ? undefined : readingBefore(recorded, twice.source);
  const snapshot = after.snapshot === null && before.snapshot !== null ? 'snapshot' : undefined;
  const unobserved = new Set<string | undefined>([log?.transport, snapshot]);
  const gone = requestsOf(recorded, twice.row).filter((each) => unobserved.has(each.name) && isGone(recorded, each));
  if (gone.length > 0) {
    const expected = `200, as before its forks, for the ${gone.map(({ name }) => name).join(' and the ')} of ${named(before)}`;
    return {
      mismatch: { diagnosis: sharedCause('source-changed'), expected, actual: gone.map(shownAnswer).join('; ') },
      evidence: [...gone, ...requestsOf(recorded, UNFORKED_ROW), before],
    };
  }
  // A stream may keep the end that lists have lost.
  const read = readTwice(recorded, twice.source);
  return read !== undefined && isEndLost(recorded, twice.source) ? endless(read, after) : undefined;
}

/** A log of which a list does not show the end any more that was there before. */
function endless({ before, after }: ReadTwice, unobserved: RecordedRun): Change {
  const [was, is] = [before.events.find(isTerminal), after.events.at(-1)];
  const expected = `${was === undefined ? 'an end' : typeOf(was)} in the ${before.transport} reading of the source ${before.runId}, as before its forks`;
  const actual = `${after.events.length} events after them, the last of them ${is === undefined ? 'none' : typeOf(is)}`;
  return {
    mismatch: { diagnosis: sharedCause('source-changed'), expected, actual },
    evidence: [after, before, unobserved],
  };
}

/** What stands behind the end of a source after its forks, and did not before. What comes without forks as well is no doing of theirs. */
export function addedToSource(recorded: Recordings, { source }: Twice): Change | undefined {
  const added = addedPastEnd(recorded, source);
  if (added === undefined) return undefined;
  const { before, after, events } = added;
  const mismatch = {
    diagnosis: sharedCause('source-changed'),
    expected: `${before.events.length} events in the ${before.transport} reading of the source ${before.runId}, as before its forks`,
    actual: `${after.events.length} events after them, the last ${events.length} behind its end: ${listed(
      events.map((event) => typeOf(event) ?? ''),
      4,
    )}`,
  };
  const [unforked] = lateUnforked(recorded);
  if (unforked === undefined) return { mismatch, evidence: [after, before] };
  const actual = `${mismatch.actual}; a run that is not forked has something behind its end as well`;
  return { mismatch: { ...mismatch, actual, restsOn: FOUNDATIONS.ends }, evidence: [after, before, unforked] };
}
