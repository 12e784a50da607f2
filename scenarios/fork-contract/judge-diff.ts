import { member } from '../../src/contract/discovery.ts';
import {
  fail,
  isOutcome,
  notApplicable,
  pass,
  undecided,
  undecidedUntil,
  type Outcome,
} from '../../src/contract/outcome.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { isClientError, isNoRoute, saysNothing } from '../../src/protocol/status.ts';
import { eventsOf, isAboutReplay, named, shown } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { need, runOf, type RecordedRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { partingsOf } from '../shared/partings.ts';
import {
  accepted,
  bodyOf,
  requestsOf,
  shownAnswer,
  statusOf,
  whyUndecided,
  type Requested,
  type RequestedObservation,
} from '../shared/requested.ts';
import { settle } from '../shared/settle.ts';
import { wrong } from './diagnoses.ts';
import { contradictionIn } from './diff-contradiction.ts';
import { ANOTHER, blindToStates, ONE, saysAlike } from './diff-of-states.ts';

const OPS: ReadonlySet<unknown> = new Set(['added', 'removed', 'changed']);

/** Judges the difference of a run from itself, and requests that name no run to compare with. */
export function judgeShape(recorded: Recordings): Outcome {
  const self = selfIn(recorded);
  if (isOutcome(self)) return self;
  const { source, requested } = self;
  const expected = `an empty difference of ${named(source)} from itself`;
  const problem = problemIn(requested, source, source);
  if (problem !== undefined)
    return fail({ diagnosis: wrong('other-diff'), expected, actual: problem }, [requested, source]);
  const difference = notEmpty(requested);
  if (difference !== undefined) {
    return fail({ expected, actual: difference, diagnosis: wrong('diff-of-itself') }, [requested, source]);
  }
  const formless = ofType<RequestedObservation>(recorded, 'asked').find(isFormless);
  if (formless !== undefined) {
    const about = `a difference of two runs as a JSON object for "${formless.name}"`;
    return fail({ diagnosis: wrong('other-diff'), expected: about, actual: shownAnswer(formless) }, [formless, source]);
  }
  const others = requestsOf(recorded, 'no-diff');
  const bad = others.find((each) => whyUndecided(each) === undefined && !isClientError(statusOf(each)));
  if (bad !== undefined) {
    const diagnosis = sharedCause(accepted(bad) ? 'carried-out' : 'server-error');
    return fail({ expected: `a 4xx for ${bad.name}`, actual: shownAnswer(bad), diagnosis }, [bad]);
  }
  const why = others.map(whyUndecided).find((each) => each !== undefined);
  return why === undefined ? pass([requested, ...others, source]) : undecided(why, others);
}

/** Judges what a host says of runs that are alike, and of runs that are not, by the two logs. */
export function judgeFirstDivergence(recorded: Recordings, volatile: readonly string[]): Outcome {
  const self = selfIn(recorded);
  if (isOutcome(self)) return self;
  const isMisshapen = problemIn(self.requested, self.source, self.source) !== undefined;
  const pairs = [
    ['source', 'full replay'],
    ['source', 'run of another workflow'],
    ['clock source', 'clock replay'],
    [ONE, ANOTHER],
    ['branch', 'run of another workflow'],
    ['full replay', 'clock replay'],
  ] as const;
  const judged = pairs.flatMap(([a, b]) => {
    const [one, other] = [runOf(recorded, a), runOf(recorded, b)];
    const requested = requestsOf(recorded, `diff of ${a}`).find(({ name }) => name === b);
    if (one === undefined || other === undefined || requested === undefined) return [];
    const [reversed] = requestsOf(recorded, `diff of ${b}`).filter(({ name }) => name === a);
    const blind = reversed === undefined ? [] : wrongBackwards(reversed, one, other, volatile);
    return [judgePair(requested, one, other, { volatile, isMisshapen }), ...blind];
  });
  return judged.length === 0 ? undecided('no two runs were compared', [self.requested]) : settle(judged);
}

interface Judging {
  readonly volatile: readonly string[];
  /** Whether the difference of a run from itself has no such form, either: the row about the form says it. */
  readonly isMisshapen: boolean;
}

function judgePair(requested: Requested, a: RecordedRun, b: RecordedRun, { volatile, isMisshapen }: Judging): Outcome {
  const evidence = [requested, a, b];
  const why = whyUndecided(requested) ?? a.problem ?? b.problem ?? undefined;
  if (why !== undefined) return undecided(why, evidence);
  const problem = problemIn(requested, a, b);
  if (problem !== undefined) {
    const restsOn = isMisshapen || isFormless(requested) ? 'diff.shape' : undefined;
    return fail(
      {
        diagnosis: wrong('other-diff'),
        expected: `the difference of ${named(b)} from ${named(a)}`,
        actual: problem,
        restsOn,
      },
      evidence,
    );
  }
  const said = member(bodyOf(requested), 'divergedAtSeq') ?? null;
  const plainly = partingsOf(a, b, volatile);
  // A host may list what it adds to the events of each run itself.
  const isListed = typeof plainly !== 'string' && plainly.isSame && said !== null;
  const partings = isListed ? partingsOf(a, b, volatile, 'verbatim') : plainly;
  if (typeof partings === 'string') return undecided(partings, evidence);
  const actual = `divergedAtSeq ${shown(said)}`;
  const coherent = (): Outcome => {
    const contradiction = contradictionIn(bodyOf(requested), a, b);
    if (contradiction !== undefined) {
      return fail({ ...contradiction, diagnosis: wrong('diff-contradicts-itself') }, evidence);
    }
    const blind = blindToStates(bodyOf(requested), a, b);
    return blind === undefined ? pass(evidence) : fail(blind, evidence);
  };
  // What a fork has of its own may count, or not: where two workflows part is left open, not that they do.
  if (a.fork !== null && (said !== null || partings.isSame || a.workflowId === b.workflowId)) return coherent();
  // What is declared volatile it may list, or leave out.
  const listed = volatile.length > 0 ? partingsOf(a, b, [], 'verbatim') : '';
  if (typeof listed !== 'string' && isAt(said, listed.first, a, b)) return coherent();
  if (partings.isSame) {
    if (said === null) return coherent();
    // Events about the replay itself are no part of what is compared here; the endpoint may list them.
    const own = eventsOf(b)
      .filter(isAboutReplay)
      .map(({ sequence }) => sequence);
    if (isAt(said, new Set(own), b)) return coherent();
    const expected = `divergedAtSeq null: ${named(a)} and ${named(b)} have one log, but for ids and clocks`;
    return fail({ expected, actual, diagnosis: wrong('diff-elsewhere') }, evidence);
  }
  const [least] = listedPlaces(bodyOf(requested));
  if (said === null && least !== undefined) {
    const contradicted = coherent();
    if (contradicted.kind === 'fail') return contradicted;
  }
  // Runs of two workflows may be compared by less than all, but not otherwise than the answer's own list.
  const mayBeLater = (at: number): boolean =>
    b.fork === null && a.workflowId !== b.workflowId && at <= typesPart(a, b) && (least === undefined || least >= at);
  const expected = `divergedAtSeq ${[...partings.first].join(' or ')}, where ${named(b)} parts from ${named(a)}`;
  if (isAt(said, partings.first, a, b)) return coherent();
  if (typeof said === 'number' && mayBeLater(said)) {
    const found = coherent();
    return found.kind === 'pass' ? pass(evidence, `${actual} beside ${expected}: by less than all of them`) : found;
  }
  const diagnosis = wrong(said === null ? 'diff-blind' : 'diff-elsewhere');
  return fail({ expected, actual, diagnosis }, evidence);
}

/** The same runs the other way round, of which an answer names others, or says that they do not part where they do; older evidence has none. */
function wrongBackwards(
  reversed: Requested,
  a: RecordedRun,
  b: RecordedRun,
  volatile: readonly string[],
): readonly Outcome[] {
  const body = whyUndecided(reversed) === undefined && statusOf(reversed) === 200 ? bodyOf(reversed) : undefined;
  const otherRuns = isRecord(body) ? otherSides(body, b, a) : undefined;
  if (otherRuns !== undefined) {
    const expected = `the difference of ${named(a)} from ${named(b)}`;
    return [fail({ diagnosis: wrong('other-diff'), expected, actual: otherRuns }, [reversed, a, b])];
  }
  const isBlind = isRecord(body) && (member(body, 'divergedAtSeq') ?? null) === null;
  const partings = isBlind && a.problem === null && b.problem === null ? partingsOf(a, b, volatile) : undefined;
  if (partings === undefined || typeof partings === 'string' || partings.isSame) return [];
  const expected = `divergedAtSeq ${[...partings.first].join(' or ')}, where ${named(a)} parts from ${named(b)}`;
  return [fail({ expected, actual: 'divergedAtSeq null', diagnosis: wrong('diff-blind') }, [reversed, a, b])];
}

/** Whether an answer names one of these events of two logs. */
function isAt(said: unknown, numbers: ReadonlySet<number>, ...runs: readonly RecordedRun[]): boolean {
  return typeof said === 'number' && (numbers.has(said) || indexesOf(numbers, ...runs).includes(said));
}

/** The numbers of the events that an answer lists, the least first. */
function listedPlaces(body: unknown): readonly number[] {
  const diffs = member(body, 'eventDiffs');
  const numbers = Array.isArray(diffs) ? diffs.map((each) => member(each, 'seq')) : [];
  return numbers.filter((each) => typeof each === 'number').toSorted((a, b) => a - b);
}

/** Where events of these numbers stand in the two logs: a host may count them instead (readings, gaps in sequence numbers). */
function indexesOf(numbers: ReadonlySet<number>, ...runs: readonly RecordedRun[]): readonly number[] {
  return runs.flatMap((run) => eventsOf(run).flatMap(({ sequence }, index) => (numbers.has(sequence) ? [index] : [])));
}

/** The sequence number at which two logs show other types at the latest: runs of two workflows may be compared by less than all. */
function typesPart(a: RecordedRun, b: RecordedRun): number {
  const [one, other] = [eventsOf(a), eventsOf(b)];
  const at = one.findIndex((event, index) => event.type !== other[index]?.type);
  const [x, y] = at === -1 ? [one.at(-1), other.at(-1)] : [one[at], other[at]];
  return Math.max(x?.sequence ?? 0, y?.sequence ?? 0);
}

/** The difference of the source from itself, or the outcome that is left where the host has no such endpoint. */
function selfIn(recorded: Recordings): { readonly source: RecordedRun; readonly requested: Requested } | Outcome {
  const runs = need(recorded, 'source');
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const requested = ofType<RequestedObservation>(recorded, 'asked').find(
    ({ row, name }) => row === 'diff of source' && name === 'source',
  );
  if (requested === undefined) return undecided('no run was compared with itself', [source]);
  const status = statusOf(requested);
  if (isNoRoute(status)) return notApplicable(`GET /v1/runs/{runId}:diff is answered with ${status}`, [requested]);
  const why = whyUndecided(requested);
  if (why !== undefined) return undecided(why, [requested]);
  return saysNothing(status, 'action')
    ? undecidedUntil('give a credential that may read runs', `the credential got ${status}`, [requested])
    : { source, requested };
}

/** Whether an answer of 200 to two runs is no object, whatever it would say of them. */
function isFormless(requested: Requested): boolean {
  return requested.row.startsWith('diff of') && statusOf(requested) === 200 && !isRecord(bodyOf(requested));
}

/** What a difference holds (wire-contract, Endpoints). */
const MEMBERS = ['a', 'b', 'divergedAtSeq', 'eventDiffs', 'stateDiff'];

/** What is wrong with an answer as a difference of these runs (wire-contract, Endpoints). */
function problemIn(requested: Requested, a: RecordedRun, b: RecordedRun): string | undefined {
  const body = bodyOf(requested);
  if (statusOf(requested) !== 200 || !isRecord(body)) return shownAnswer(requested);
  const missing = MEMBERS.filter((name) => member(body, name) === undefined);
  if (missing.length === MEMBERS.length) return `${shownAnswer(requested)}, without ${missing.join(', ')}`;
  const others = otherSides(body, a, b);
  if (others !== undefined) return others;
  const at = member(body, 'divergedAtSeq') ?? null;
  if (at !== null && !Number.isInteger(at)) return `divergedAtSeq is ${shown(at)}, no sequence number and not null`;
  const diffs = member(body, 'eventDiffs');
  if (!Array.isArray(diffs)) return `eventDiffs is ${shown(diffs)}, no list`;
  for (const [index, each] of diffs.entries()) {
    const [seq, op] = [member(each, 'seq'), member(each, 'op')];
    if (!Number.isInteger(seq)) return `eventDiffs/${index}/seq is ${shown(seq)}, no sequence number`;
    if (!OPS.has(op)) return `eventDiffs/${index}/op is ${shown(op)}, not ${[...OPS].join(', ')}`;
  }
  return undefined;
}

/** What a difference says of the runs that it is of, where these are not the ones that were asked about. */
function otherSides(body: unknown, a: RecordedRun, b: RecordedRun): string | undefined {
  if (runNamed(body, 'a') !== a.runId) return `a is ${shown(member(body, 'a'))}, not ${String(a.runId)}`;
  if (runNamed(body, 'b') !== b.runId) return `b is ${shown(member(body, 'b'))}, not ${String(b.runId)}`;
  return undefined;
}

/** The run that a side of a difference names, as its id or as an object with it. */
function runNamed(body: unknown, side: 'a' | 'b'): unknown {
  const value = member(body, side);
  return isRecord(value) ? member(value, 'runId') : value;
}

function notEmpty(requested: Requested): string | undefined {
  const body = bodyOf(requested);
  const names = ['divergedAtSeq', 'eventDiffs', 'stateDiff'].filter((name) => {
    const value = member(body, name);
    return name === 'stateDiff' ? !saysAlike(value) : !isEmpty(value);
  });
  return names.length === 0 ? undefined : names.map((name) => `${name} is ${shown(member(body, name))}`).join('; ');
}

/** Whether a value is none, or a list of none. */
function isEmpty(value: unknown): boolean {
  return (value ?? null) === null || (Array.isArray(value) && value.length === 0);
}
