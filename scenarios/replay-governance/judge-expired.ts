import { member } from '../../src/contract/discovery.ts';
import {
  fail,
  isOutcome,
  type Mismatch,
  notApplicable,
  type Outcome,
  pass,
  undecided,
  undecidedUntil,
} from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { sequenceOf } from '../../src/host/log/shown.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { isExpired } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, rawOf, shown } from '../shared/compare-runs.ts';
import { compareStates } from '../shared/compare-states.ts';
import { outcomeOf } from '../shared/compared.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { failureOf } from '../shared/settle.ts';
import { ENVELOPE_TEXT, envelopeProblem } from '../shared/envelope.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { need, runOf, type RecordedRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import { snapshotShowsState } from '../shared/shown-state.ts';
import { compareValues, type Watched } from '../shared/shown-values.ts';
import {
  accepted,
  bodyOf,
  namedRun,
  type Requested,
  requestsIn,
  shownAnswer,
  statusOf,
  whyUndecided,
} from '../shared/requested.ts';
import { begunAgain } from './begun-again.ts';
import { wrong } from './diagnoses.ts';
import { neededRun } from './needed.ts';
import { seamOf } from './seam.ts';

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
interface Left {
  /** The sequence numbers in the log; undefined where it could not be read. */
  readonly sequences: ReadonlySet<number> | undefined;
  /** Whether the seam itself said from where on events are kept. */
  readonly isSaid: boolean;
}

/** The log of the source as it was read after the seam. */
function leftIn(recorded: Recordings, isSaid: boolean): Left {
  const reading = ofType<ReadingObservation>(recorded, 'reading').find(({ run, cut }) => run === LEFT && cut !== true);
  const numbers = reading?.events.map(sequenceOf).filter((sequence) => sequence !== undefined);
  return { sequences: numbers === undefined ? undefined : new Set(numbers), isSaid };
}

/**
 * Why an accepted fork may be right: replay.md binds a host only where the range has expired, and nothing shows that it
 * has. Undefined where something does: the log without the event at the fork's point, or a refused fork from there or later.
 */
function unexpired(
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
function fromSeqOf({ request }: Requested): number | undefined {
  const fromSeq = /"fromSeq":(\d+)/u.exec(request)?.[1];
  return fromSeq === undefined ? undefined : Number(fromSeq);
}

/** The row of a fork from the first event that is left: the history before it is gone, and the host may do without it. */
export const BOUNDARY = 'boundary';

/** A workflow whose first events give variables their values: what a fork begins with shows in its end. */
export const WITH_STATE = 'conformance-determinism-variable-write';

const WRITES = 'variable.changed';

/** The names of the forks from there, and the roles of those that were made when the rest had gone. */
export const [REPLAY_THERE, BRANCH_THERE] = ['replay from the boundary', 'branch from the boundary'] as const;
export const [FROM_BOUNDARY, BRANCHED] = [afterwards(REPLAY_THERE), afterwards(BRANCH_THERE)];

export function afterwards<const Name extends string>(name: Name): `${Name}, when the rest has expired` {
  return `${name}, when the rest has expired`;
}

/** A run whose first part is gone, and the forks that need it. */
export interface Expired {
  readonly source: RecordedRun;
  readonly cut: Recorded<CutObservation>;
  readonly forks: readonly Requested[];
  /** Those of all rows that were refused. */
  readonly refused: readonly Requested[];
  readonly left: Left;
  readonly recorded: Recordings;
}

/** What was recorded of an expired range, or the outcome that is left without one. */
export function seeExpired(recorded: Recordings): Expired | Outcome {
  const runs = need(recorded, 'source');
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const [cut] = ofType<CutObservation>(recorded, 'cut');
  if (cut === undefined)
    return undecidedUntil('seed conformance-multi-node', 'its log is too short to have a boundary in it', [source]);
  const seam = seamOf(recorded, EXPIRE);
  if (seam === undefined) return undecided('nothing was made to expire', [source]);
  if (seam.problem !== null) return undecided(`${seam.problem} (answered to {runId, beforeSeq})`, [seam]);
  const boundary = member(seam.answer, 'boundary');
  if (typeof boundary === 'number' && boundary !== cut.boundary) {
    return undecidedUntil(
      'let retention/expire take beforeSeq as it is',
      `the seam expired the events below ${boundary}, not those below ${cut.boundary}`,
      [seam],
    );
  }
  const forks = requestsIn(recorded);
  const left = leftIn(recorded, typeof boundary === 'number');
  return { source, cut, forks, refused: forks.filter(isRefused), left, recorded };
}

/** The forks of a row, or the outcome that is left: each worked before its events expired, or shows nothing. */
function forksOf({ source, forks, recorded }: Expired, row?: string): readonly Requested[] | Outcome {
  const ofRow = forks.filter((each) => (row === undefined ? each.row !== BOUNDARY : each.row === row));
  const uncontrolled = ofRow.filter(({ name }) => (runOf(recorded, name)?.runId ?? null) === null);
  const left = uncontrolled.map(({ name }) => neededRun(recorded, name)).find(isOutcome);
  return left ?? (ofRow.length === 0 ? undecided('no fork was requested', [source]) : ofRow);
}

/** replay.md, Retention: 410 or 422 where the range that fromSeq needs has expired. */
export function judgeExpired(recorded: Expired, row: string): Outcome {
  const forks = forksOf(recorded, row);
  if (isOutcome(forks)) return forks;
  const notRefused = forks
    .filter((each) => whyUndecided(each) === undefined && !isRefused(each))
    .map((fork) => ({ fork, why: unexpired(fork, recorded) }));
  const served = notRefused.find(({ why }) => why === undefined)?.fork;
  if (served !== undefined) {
    const expected = `410 or 422, and no run: the events below ${recorded.cut.boundary} have expired`;
    const actual = `${served.name}: ${shownAnswer(served)}`;
    return fail({ expected, actual, ...diagnosed(served) }, [served]);
  }
  const odd = row === 'below' ? judgeBoundary(recorded) : undefined;
  if (odd !== undefined) return odd;
  const why = notRefused[0]?.why ?? forks.map(whyUndecided).find((each) => each !== undefined);
  return why === undefined ? pass(forks) : undecided(why, forks);
}

/** A fork from the boundary is made, or refused as those from below it; undefined where it is, or shows nothing. */
function judgeBoundary({ forks, cut, recorded }: Expired): Outcome | undefined {
  const fork = forks.find(({ row }) => row === BOUNDARY);
  if (fork === undefined || (runOf(recorded, fork.name)?.runId ?? null) === null) return undefined;
  if (whyUndecided(fork) !== undefined || accepted(fork) || isRefused(fork)) return undefined;
  const expected = `201, or 410 or 422, for a replay from the boundary ${cut.boundary}`;
  return fail({ expected, actual: `${fork.name}: ${shownAnswer(fork)}`, ...diagnosed(fork) }, [fork]);
}

function isRefused(requested: Requested): boolean {
  return isExpired(statusOf(requested)) && namedRun(requested) === undefined;
}

function diagnosed(requested: Requested): { readonly diagnosis: Diagnosis } {
  if (accepted(requested)) return { diagnosis: wrong('expired-served') };
  return { diagnosis: sharedCause(statusOf(requested) >= 500 ? 'server-error' : 'other-refusal') };
}

/**
 * replay.md, Phase 4 §C: a fork begins with the state that the events below its start give, whether they are kept or not, and goes on
 * from there.
 */
export function judgeState(seen: Expired): Outcome {
  const outcome = judgeReplayed(seen);
  return outcome.kind === 'fail' ? outcome : (failureOf([judgeBranched(seen)]) ?? outcome);
}

/** A branch of our own fixture, which writes the same whenever it is branched. */
function judgeBranched({ source, recorded }: Expired): Outcome {
  const runs = need(recorded, BRANCH_THERE, BRANCHED);
  if (isOutcome(runs) || source.workflowId !== WITH_STATE) return undecided('no such branch was made', [source]);
  const { [BRANCH_THERE]: control, [BRANCHED]: run } = runs;
  const outcome = outcomeOf(compareStates(control, run), [run, control]);
  return outcome.kind === 'fail' ? outcome : pass([run, control]);
}

function judgeReplayed({ source, cut, forks, recorded }: Expired): Outcome {
  const fork = forks.find(({ row }) => row === BOUNDARY);
  if (fork === undefined) return undecided('no replay from the boundary was requested', []);
  if (isRefused(fork)) return notApplicable('a replay from the boundary is refused as one from below it', [fork]);
  const control = neededRun(recorded, fork.name);
  if (isOutcome(control)) return control;
  const run = neededRun(recorded, FROM_BOUNDARY);
  if (isOutcome(run)) return run;
  const outcome = outcomeOf(compareStates(control, run), [run, control]);
  if (outcome.kind !== 'pass') return outcome;
  const again = begunAgain(control, run, cut.boundary);
  if (again !== undefined) return fail({ diagnosis: wrong('begun-again'), ...again }, [run, control]);
  const isWritten = eventsOf(source).some(({ type, sequence }) => type === WRITES && sequence < cut.boundary);
  if (!isWritten) return undecidedUntil(`seed ${WITH_STATE}`, `no event that has expired is ${WRITES}`, [source]);
  return snapshotShowsState(control) ? outcome : judgeReadState({ control, run, boundary: cut.boundary });
}

/** What the fixture reads back behind the boundary: the value that an expired event gave. */
const READ: Watched = { variables: ['before'], nodes: ['read'] };

/** Judges by the log, where snapshots show no values, as they may. */
function judgeReadState({ control, run, boundary }: Record<'control' | 'run', RecordedRun> & CutAt): Outcome {
  const evidence = [run, control];
  const compared = compareValues(behind(control, boundary), run, READ);
  if (compared.kind === 'other') return fail(compared.mismatch, evidence);
  if (compared.kind === 'same') return pass(evidence, 'snapshots show no variables, as they may: the log was compared');
  const reason = 'neither the snapshot nor the log behind the boundary shows a value that an expired event gave';
  return undecidedUntil('show variables in the snapshot, or values in variable.changed', reason, evidence);
}

type CutAt = Pick<CutObservation, 'boundary'>;

/** A run with the events from the boundary on: what it did itself. */
function behind(run: RecordedRun, boundary: number): RecordedRun {
  return { ...run, events: rawOf(eventsOf(run).filter(({ sequence }) => sequence >= boundary)) };
}

/** replay.md, Retention: using the canonical error envelope. */
export function judgeExpiredEnvelope(recorded: Expired): Outcome {
  const forks = forksOf(recorded);
  if (isOutcome(forks)) return forks;
  const refusals = forks.filter(isRefused);
  for (const refusal of refusals) {
    const problem = envelopeProblem(refusal);
    if (problem === undefined) continue;
    const actual = `${refusal.name}: ${problem}`;
    return fail(
      { diagnosis: sharedCause('not-in-envelope'), expected: ENVELOPE_TEXT, actual, restsOn: FOUNDATIONS.envelopes },
      [refusal],
    );
  }
  return refusals.length > 0
    ? pass(refusals)
    : undecidedUntil('refuse forks below the boundary with 410 or 422', 'no fork was refused with 410 or 422', forks);
}

/** replay.md, Retention: the details SHOULD include sourceRunId, fromSeq, and the retention boundary when known. */
export function judgeDetails(recorded: Expired): Outcome {
  const forks = forksOf(recorded);
  if (isOutcome(forks)) return forks;
  const refusals = forks.filter((each) => isExpired(statusOf(each)));
  for (const refusal of refusals) {
    const problem = problemIn(refusal, recorded);
    if (problem === undefined) continue;
    const actual = `${problem.actual} (${refusal.name})`;
    const hasEnvelope = envelopeProblem(refusal) === undefined;
    return fail(
      {
        diagnosis: wrong('details-missing'),
        ...problem,
        actual,
        ...(hasEnvelope ? {} : { restsOn: FOUNDATIONS.envelopes }),
      },
      [refusal],
    );
  }
  return refusals.length > 0
    ? pass(refusals)
    : undecidedUntil('refuse forks below the boundary with 410 or 422', 'no fork was refused with 410 or 422', forks);
}

function problemIn(refusal: Requested, { source, cut }: Expired): Mismatch | undefined {
  const details = member(bodyOf(refusal), 'details');
  const fromSeq = fromSeqOf(refusal);
  const wanted: readonly (readonly [name: string, values: readonly unknown[]])[] = [
    ['sourceRunId', [source.runId ?? '']],
    // A fork without fromSeq starts at 0, or at the first event of a log that starts elsewhere; or there is none to name.
    ['fromSeq', fromSeq === undefined ? [0, cut.first, null, undefined] : [fromSeq]],
  ];
  for (const [name, values] of wanted) {
    const value = member(details, name);
    if (!values.includes(value)) return { expected: `details/${name}: ${shown(values[0])}`, actual: shown(value) };
  }
  const others = isRecord(details)
    ? Object.entries(details).filter(([name]) => name !== 'sourceRunId' && name !== 'fromSeq')
    : [];
  if (others.some(([name, value]) => isBoundary(value, cut.boundary) || holdsBoundary([name], value, cut))) {
    return undefined;
  }
  const actual = others.length === 0 ? 'no further member' : shown(Object.fromEntries(others));
  return { expected: `a member of details that is the retention boundary, ${cut.boundary}`, actual };
}

function isBoundary(value: unknown, boundary: number): boolean {
  return value === boundary || value === `${boundary}`;
}

/** Names of the boundary, and of what holds it: other dates and nested numbers say something else. */
const BOUNDARY_NAME = /boundar|ret(?:ain|en)|expir|before|oldest|earliest|first/iu;
/** Names of the last number that has expired, the same boundary from its other side. */
const LAST_NAME = /through|upto|up_to|last(?!retained|_retained|kept|_kept)|newest|latest/iu;
const DATE = /^\d{4}-\d\d-\d\dT/u;
/** How deep the boundary may lie in the details. */
const DEPTH = 3;

/** Whether a member that these names lead to is the boundary or holds it: the first number kept, the last one that is not, or a time. */
function holdsBoundary(
  names: readonly string[],
  value: unknown,
  cut: Pick<CutObservation, 'below' | 'boundary'>,
): boolean {
  if (isRecord(value)) {
    const inner = names.length < DEPTH ? Object.entries(value) : [];
    return inner.some(([name, each]) => holdsBoundary([...names, name], each, cut));
  }
  const isDate = typeof value === 'string' && DATE.test(value);
  if (isBoundary(value, cut.below)) return names.some((name) => LAST_NAME.test(name));
  return (isDate || isBoundary(value, cut.boundary)) && names.some((name) => BOUNDARY_NAME.test(name));
}
