import { type Outcome, pass, rests, undecided } from '../../src/contract/outcome.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { endOf, endsRun } from '../../src/protocol/run-status.ts';
import { comparePrefixes, eventsOf, named, prefixesOf, shown } from '../shared/compare-runs.ts';
import { compareFullStates } from '../shared/compare-states.ts';
import { type Compared, ownedBy } from '../shared/compared.ts';
import { FOUNDATIONS, PROJECTED_STATE } from '../shared/foundations.ts';
import { declaring, withoutVolatile } from '../shared/volatile.ts';
import { childrenNamedIn, codeInEvent, isDivergence, shareIds } from '../shared/read-event.ts';
import { fixtureOf, SOURCE_OF } from '../shared/fixture-sources.ts';
import { failByAll, type Otherwise } from '../shared/told-apart.ts';
import { type Forked, leftWithout, refusedWrongly, runsOf, type RecordedRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { hasExpiry, isAgainstItsLog } from '../shared/snapshot-fault.ts';
import { ROW_OF } from '../shared/swept-fixtures.ts';
import { isOfRows } from '../shared/swept-runs.ts';
import { foundationBrokenBy } from '../shared/unobserved.ts';
import type { SweptObservation } from './sweep-others.ts';
import { leftOfHidden } from '../shared/shown-state.ts';
import { firstOf, listed, noneSwept, shareText, sweptText } from './sweep-text.ts';
import { wrong } from './diagnoses.ts';
import { withoutNames } from './foundations.ts';

/** What of a sweep can be judged, and why the rest cannot. */
interface Swept {
  /** The sources, each with its forks, seen or not. */
  readonly logs: readonly Forked[];
  /** Sources without forks, and replays of workflows of others that were not seen, each with the reason. */
  readonly leftOut: readonly string[];
  /** Workflows that were named to be swept and were not, each with the reason. */
  readonly missing: readonly string[];
  /** How many of the workflows that the host advertises were swept; undefined in evidence that does not say so. */
  readonly share: string | undefined;
  /** That nothing was swept, and what to do about it. */
  readonly none: string;
  /** The check that owns why a source could not be followed, where one does. */
  readonly cause: string | undefined;
}

/** Gathers the sources of a sweep, each with its forks. */
export function gatherSweep(recorded: Recordings): Swept {
  const runs = runsOf(recorded);
  // As it was read last: a log that is not over grows.
  const sources = new Map(runs.filter(({ fork }) => fork === null).map((run) => [run.runId ?? run.role, run]));
  const swept = [...sources.values()].map((source) => ({
    source,
    replays: runs.filter(({ fork }) => fork !== null && fork.sourceRunId === source.runId),
  }));
  const leftOut = swept.filter((log) => !isJudged(log));
  const [shared] = ofType<SweptObservation>(recorded, 'swept');
  const missing = shared?.named?.flatMap((workflowId) => {
    const source = runs.find(({ role }) => role === SOURCE_OF + workflowId);
    return source?.problem === null ? [] : [`${workflowId} (${source?.problem ?? 'the time was over'})`];
  });
  return {
    logs: swept.filter(isJudged),
    leftOut: [...leftOut.map(({ source }) => `${fixtureOf(source)} (${whyNot(source)})`), ...swept.flatMap(unseenOf)],
    missing: missing ?? [],
    share: shared && shareText(shared),
    none: noneSwept(recorded, 'no fixture could be swept'),
    cause: leftOut.map(({ source }) => foundationBrokenBy(source)).find((owner) => owner !== undefined),
  };
}

/** Why a source was not replayed. */
function whyNot(source: RecordedRun): string {
  if (source.problem !== null) return source.problem;
  const end = eventsOf(source).find(endsRun);
  if (end?.type === 'run.cancelled') return 'it was cancelled';
  if (end?.type !== 'run.failed' || isOfRows(source)) return 'no fork was made';
  const code = codeInEvent(end);
  return `it failed${code === undefined ? '' : ` (${code})`}: give it inputs with --workflow`;
}

/** Replays of one workflow of others that tell nothing: it costs itself only. */
function unseenOf({ source, replays }: Forked): readonly string[] {
  if (isOfRows(source)) return [];
  const unseen = replays.filter((replay) => leftWithout([replay]) !== undefined && !isBroken(replay));
  const [first] = unseen;
  return first === undefined
    ? []
    : [`${unseen.length} replays of ${fixtureOf(source)} (${first.problem ?? 'not seen'})`];
}

/** Whether a fork broke: the host has answered that something is wrong with itself, where the mode is advertised. */
function isBroken(fork: RecordedRun): boolean {
  return refusedWrongly(fork) && (fork.answered ?? 0) >= SERVER_ERRORS;
}

const SERVER_ERRORS = 500;

function isJudged({ source, replays }: Forked): boolean {
  return source.problem === null && replays.length > 0;
}

interface Rule {
  readonly volatile: readonly string[];
  readonly compare: (source: RecordedRun, fork: RecordedRun, fromSeq: number) => Compared;
  /** The clause says "for every fromSeq": a fork that was refused beside others breaks it as well (readings, Causes). */
  readonly everyFork?: true;
  /** Whether the rule is about a source at all. */
  readonly binds?: (source: RecordedRun) => boolean;
  /** Whether a fork puts the rule to the test. */
  readonly tests: (source: RecordedRun, fork: RecordedRun, fromSeq: number) => boolean;
  /** What is left where these sources, whose forks are alike, show nothing to compare; undefined where they do. */
  readonly left?: (sources: readonly RecordedRun[]) => Outcome | undefined;
}

/** Judges the fixed history of every fork (0041 §C.1). */
export function judgePrefixes(swept: Swept, volatile: readonly string[]): Outcome {
  const outcome = judgeForks(swept, {
    volatile,
    everyFork: true,
    compare: (source, fork, fromSeq) => {
      const compared = comparePrefixes(source, fork, fromSeq, volatile);
      const isOfNames =
        compared.kind === 'same' ||
        comparePrefixes(byNumbers(source), byNumbers(fork), fromSeq, volatile).kind === 'same';
      return isOfNames ? (oneIdTwice(source, fork) ?? compared) : compared;
    },
    tests: (source, fork, fromSeq) => prefixesOf(source, fork, fromSeq).below.length > 0,
  });
  return declaring(outcome, volatile);
}

/** A run whose events are called by their numbers. */
function byNumbers(run: RecordedRun): RecordedRun {
  return { ...run, events: withoutNames(run) };
}

/**
 * Two events of a fork that have one id, where each of its source's has its own: no renaming one to one makes these of those (readings,
 * Fork and prefix). The row about events says so first.
 */
function oneIdTwice(source: RecordedRun, fork: RecordedRun): Compared | undefined {
  const known = new Map<string, RunEvent>();
  for (const event of eventsOf(fork)) {
    const { eventId, type, sequence } = event;
    const before = known.get(eventId) ?? event;
    known.set(eventId, before);
    if (before.sequence === sequence) continue;
    if (shareIds(eventsOf(source))) return undefined;
    const expected = `an eventId of its own for sequence ${sequence}, ${type}, in ${named(fork)}: no two in ${named(source)} share one`;
    const actual = `${shown(eventId)}, that of sequence ${before.sequence}, ${before.type}`;
    return {
      kind: 'different',
      mismatch: { diagnosis: wrong('shared-event-id'), expected, actual, restsOn: FOUNDATIONS.events },
    };
  }
  return undefined;
}

/** A difference of states as one of the row that says what replays of the workflow show, where no other row has it. */
function ownedByRow(source: RecordedRun, { kind, mismatch }: Extract<Compared, { kind: 'different' }>): Compared {
  const { restsOn, ...own } = mismatch;
  const row = childrenNamedIn(eventsOf(source)).length > 0 ? 'handoff.replays' : ROW_OF.get(fixtureOf(source));
  const isOther = restsOn !== undefined && restsOn !== FOUNDATIONS.sameStates;
  return row === undefined || isOther ? { kind, mismatch } : { kind, mismatch: { ...own, restsOn: row } };
}

/** Judges the states of every fork: at its fork point, on the way and at the end (0041 §C.2). */
export function judgeStates(swept: Swept, volatile: readonly string[]): Outcome {
  const outcome = judgeForks(swept, {
    volatile,
    compare: (source, fork, fromSeq) => {
      const compared = compareFullStates(stateOf(source, volatile), stateOf(fork, volatile), fromSeq);
      const history = compared.kind === 'different' ? comparePrefixes(source, fork, fromSeq, volatile) : undefined;
      if (history?.kind === 'different') return ownedBy(FOUNDATIONS.histories, compared);
      const isOfSnapshot = (): boolean =>
        isAgainstItsLog(fork) &&
        compareFullStates(source, { ...fork, snapshot: source.snapshot }, fromSeq).kind === 'same';
      // A replay that ends because it differs is that row's.
      if (compared.kind === 'different' && endsOtherwise(source, fork) && eventsOf(fork).some(isDivergence))
        return ownedBy('replay.divergence-continues', compared);
      // What their own logs say otherwise, snapshots of forks lose as such.
      if (compared.kind === 'different' && isOfSnapshot()) return ownedBy(PROJECTED_STATE, compared);
      return compared.kind === 'different' ? ownedByRow(source, compared) : compared;
    },
    // That a failing run fails again, and how, is a row of its own (replay.same-failure).
    binds: (source) => endOf(eventsOf(source)) === 'completed',
    tests: () => true,
    left: (sources) => leftOfHidden(sources.map((source) => stateOf(source, volatile))),
  });
  return declaring(outcome, volatile);
}

function endsOtherwise(source: RecordedRun, fork: RecordedRun): boolean {
  return endOf(eventsOf(fork)) !== endOf(eventsOf(source));
}

/** A run without what was declared volatile. What a snapshot still shows of channels whose entries expire depends on when it was read. */
function stateOf(run: RecordedRun, volatile: readonly string[]): RecordedRun {
  const kept = withoutVolatile(run, volatile);
  const { snapshot } = kept;
  if (!hasExpiry(run.workflowId ?? '') || !isRecord(snapshot)) return kept;
  const { channels: _channels, ...rest } = snapshot;
  return { ...kept, snapshot: rest };
}

/**
 * What was seen to differ comes first: it is outranked by nothing that could not be made, and what another row owns by what none
 * does.
 */
function judgeForks(swept: Swept, rule: Rule): Outcome {
  const bound = swept.logs.filter(({ source }) => rule.binds?.(source) !== false);
  const pairs = bound.flatMap(({ source, replays }) => replays.map((fork) => ({ source, fork })));
  let open: Outcome | undefined;
  const found = new Map<RecordedRun, Otherwise>();
  let tested = 0;
  for (const { source, fork } of pairs) {
    const left = leftWithout([fork]);
    if (left !== undefined) {
      if (isOfRows(source)) open ??= left;
      continue;
    }
    // One failure of a workflow says what all of it do.
    const known = found.get(source);
    if (known !== undefined && known.mismatch.restsOn === undefined) continue;
    const fromSeq = fork.fork?.fromSeq ?? 0;
    const compared = rule.compare(source, fork, fromSeq);
    if (compared.kind === 'different') {
      const { mismatch } = compared;
      if (known === undefined || mismatch.restsOn === undefined) found.set(source, { mismatch, source, replay: fork });
    } else if (compared.kind === 'unreadable') {
      if (isOfRows(source)) open ??= undecided(compared.reason, [source, fork]);
    } else if (rule.tests(source, fork, fromSeq)) tested += 1;
  }
  const failure = failByAll([...found.values()], rule.volatile);
  if (failure?.kind === 'fail') return failure;
  const forks = pairs.map(({ fork }) => fork);
  const binding = pairs.filter(({ source, fork }) => isOfRows(source) || (rule.everyFork === true && isBroken(fork)));
  const refused = leftWithout(binding.map(({ fork }) => fork).filter(refusedWrongly));
  if (refused !== undefined) {
    if (refused.kind !== 'rests') return refused;
    // The row about histories says so beside the one about replays from every event (readings).
    if (rule.everyFork !== true) return rests(FOUNDATIONS.histories, refused.otherwise);
    return forks.some(({ runId }) => runId !== null) ? refused.otherwise : refused;
  }
  if (failure !== undefined) return failure;
  if (open !== undefined) return open;
  if (tested === 0) {
    const why = [...firstOf(swept.leftOut), ...(swept.share === undefined ? [] : [swept.share])];
    const none = undecided([swept.none, ...why].join('; '), []);
    return swept.cause === undefined ? none : rests(swept.cause, none);
  }
  const observed = pairs.filter(({ fork }) => leftWithout([fork]) === undefined);
  const left = rule.left?.([...new Set(observed.map(({ source }) => source))]);
  if (left !== undefined) return left;
  if (swept.missing.length > 0) {
    return undecided(`not swept, though named with --workflow: ${listed(swept.missing)}`, forks);
  }
  return pass(
    observed.flatMap(({ source, fork }) => [fork, source]),
    reasonOf(swept, tested),
  );
}

function reasonOf(swept: Swept, tested: number): string {
  const forked = swept.logs.map(({ source, replays }) => `${fixtureOf(source)} (${replays.length})`);
  return sweptText(swept, `${tested} forks of ${listed(forked)}`);
}
