import type { RunEvent } from '../../src/host/run-event.ts';
import { type Fail, fail, isOutcome, pass, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { addedInAll, namedKind } from '../shared/added-in-replays.ts';
import { apartFrom } from '../shared/apart-from.ts';
import { allOtherwise, comparePrefixes, eventsOf, named } from '../shared/compare-runs.ts';
import { isFixtureSource } from '../shared/fixture-sources.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { compareFacts, FACTS, withFacts } from '../shared/happened.ts';
import { type Lost, lostInAll, type Replayed } from '../shared/lost-in-replays.ts';
import { leftWithout, type RecordedRun, leftUndriven } from '../shared/need.ts';
import { withoutMakingIn } from '../shared/telemetry.ts';
import { wrong } from './diagnoses.ts';
import type { Measure } from './judge-quiet.ts';
import { isDivergence } from '../shared/read-event.ts';

/**
 * replay.md, Failure surfaces: a replay that produces a different event says so, whatever the workflow does. Only what
 * happened counts: nodes, their outputs, variables, channels, pinned versions, questions, answers, decisions, inputs. Other rows
 * say what of it must be the same; this one is for what none of them sees.
 */
export function judgeSilent(runs: readonly RecordedRun[], { control, volatile, swept }: Measure): Outcome {
  // Replays of fixtures are not read in the stream mode debug.
  const isElsewhere = !isOutcome(control) && control.reports.length > 0 && !eventsOf(control.replay).some(isDivergence);
  const same: Replayed<RecordedRun>[] = [];
  const open: Outcome[] = [];
  // Of histories another row tells: what replays do themselves comes first.
  let inHistory: Outcome | undefined;
  const unchanged = runs.flatMap((replay) => {
    if (replay.fork === null) return [];
    const source = runs.find(({ fork, runId }) => fork === null && runId === (replay.fork?.sourceRunId ?? null));
    const isOfFixture = source !== undefined && isFixtureSource(source);
    return isOfFixture || replay.role.startsWith('unchanged replay') ? [{ source, replay }] : [];
  });
  const changed = inAll(unchanged);
  for (const { source, replay } of unchanged) {
    const compared = judgeFacts(source, replay, volatile);
    if (compared === 'same') same.push(...(source === undefined ? [] : [{ source, replay }]));
    else if (compared.kind === 'fail' && isElsewhere) open.push(undecided(IN_DEBUG_ONLY, [replay]));
    else if (compared.kind !== 'fail') open.push(compared);
    else if (changed !== undefined) return changed;
    else if (!isInHistory({ source, replay }, volatile)) return apart(compared, { source, replay }, volatile);
    else inHistory ??= apart(compared, { source, replay }, volatile);
  }
  for (const { source, replays } of swept.filter(({ source: each }) => isSteady(each))) {
    const before = withoutTelemetry(source);
    for (const replay of replays) {
      const compared = judgeFacts(before, withoutTelemetry(replay), volatile);
      if (compared === 'same') same.push({ source, replay });
      else if (compared.kind !== 'fail' || isElsewhere) continue;
      else if (!isInHistory({ source, replay }, volatile)) return apart(compared, { source, replay }, volatile);
      else inHistory ??= apart(compared, { source, replay }, volatile);
    }
  }
  if (changed !== undefined && !isElsewhere) return changed;
  if (inHistory !== undefined) return inHistory;
  if (same.length > 0) return judgeAlike(same, volatile, hasReported(control));
  return open[0] ?? undecided('no replay of unchanged code was driven', []);
}

/**
 * Replays in which the same happened. What they note beside that may differ, but where none is like its source and their histories are
 * not either, the row about histories says so.
 */
function judgeAlike(
  same: readonly Replayed<RecordedRun>[],
  volatile: readonly string[],
  isReporting: boolean,
): Outcome {
  const replays = same.map(({ replay }) => replay);
  if (!same.some(({ source }) => eventsOf(source).some(saysSomething))) {
    return undecided(`no payload of ${same.length} sources says anything that could differ`, replays);
  }
  const isKnown = isReporting || replays.some(saysItDiffers);
  const how = isKnown ? 'the same, or is said to differ,' : 'the same';
  const note = isKnown ? '' : `; ${NEVER_REPORTED}`;
  const alike = pass(replays, `what happened is ${how} in ${same.length} replays${note}`);
  const others = replays.some(saysItDiffers) ? undefined : allOtherwise(same, volatile);
  if (others === undefined || !same.some((each) => isInHistory(each, volatile))) return alike;
  const reason = `none of ${same.length} replays shows what its source shows, and none says so: ${others}`;
  return rests(FOUNDATIONS.histories, undecided(reason, replays));
}

/** Whether a payload holds anything. */
function saysSomething({ payload }: RunEvent): boolean {
  return Object.keys(Object(payload)).length > 0;
}

/** A replay, and its source where that was recorded. */
interface Unchanged {
  readonly source: RecordedRun | undefined;
  readonly replay: RecordedRun;
}

function isInHistory({ source, replay }: Unchanged, volatile: readonly string[]): boolean {
  const fromSeq = replay.fork?.fromSeq ?? 0;
  return source !== undefined && comparePrefixes(source, replay, fromSeq, volatile).kind === 'different';
}

/** That none is silent is seen; that one which differs would not be is for the rows where one has to. */
const NEVER_REPORTED = 'no replay that differs was seen, so nothing is known of what this host would say of one';

function hasReported(control: Measure['control']): boolean {
  return !isOutcome(control) && control.reports.length > 0;
}

function saysItDiffers(replay: RecordedRun): boolean {
  return eventsOf(replay).some(isDivergence);
}

function apart(failure: Fail, { source, replay }: Unchanged, volatile: readonly string[]): Outcome {
  return source === undefined ? failure : { ...failure, ...apartFrom(source, replay, volatile) };
}

/** What replays show nowhere, or beside what their sources show, in words of its own: it is no matter of one workflow. */
function inAll(unchanged: readonly Unchanged[]): Outcome | undefined {
  const pairs = unchanged.flatMap(({ source, replay }) =>
    source?.problem === null && replay.problem === null && !eventsOf(replay).some(isDivergence)
      ? [{ source, replay }]
      : [],
  );
  // What those from the start do alone is no matter of one workflow either.
  const whole = pairs.filter(({ replay }) => (replay.fork?.fromSeq ?? 0) === 0);
  return changedInAll(pairs, '') ?? (whole.length < pairs.length ? changedInAll(whole, ' from the start') : undefined);
}

function changedInAll(pairs: readonly Replayed<RecordedRun>[], which: string): Outcome | undefined {
  const lost = lostInAll(pairs, FACTS);
  const [added] = lost === undefined ? addedInAll(pairs) : [];
  if (lost === undefined && added === undefined) return undefined;
  const what = added === undefined ? nameOf(lost) : namedKind(added);
  const how = added === undefined ? 'nowhere in' : 'beside what their sources show, in';
  const replays = pairs.map(({ replay }) => replay);
  return fail(
    {
      expected: `${what} in replays${which} as in their sources; or replay.diverged in them`,
      actual: `${how} ${replays.length} replays${which}, such as ${replays.slice(0, 1).map(named).join('')}`,
      diagnosis: wrong('silent-divergence'),
    },
    [...new Set([...replays, ...pairs.map(({ source }) => source)])],
  );
}

function nameOf(lost: Lost | undefined): string {
  return lost?.member === undefined ? (lost?.type ?? '') : `/payload/${lost.member} of ${lost.type}`;
}

/** A run that failed in part, or tried again: what a replay makes of it other rows say (replay.same-failure). */
function isSteady(source: RecordedRun): boolean {
  return !eventsOf(source).some(({ type }) => UNSTEADY.has(type));
}

const UNSTEADY: ReadonlySet<string> = new Set(['node.failed', 'node.retried', 'run.failed']);

/** A run of a workflow that is not ours, without what its outputs tell of their making. */
export function withoutTelemetry(run: RecordedRun): RecordedRun {
  return withoutMakingIn(run, IN_PAYLOAD);
}

/** An event, and the members of its payload. */
const IN_PAYLOAD = 2;

const IN_DEBUG_ONLY =
  'this host reports divergence in the debug stream only, which was not read of a replay that differs';

function judgeFacts(
  source: RecordedRun | undefined,
  replay: RecordedRun,
  volatile: readonly string[],
): 'same' | Outcome {
  if (source === undefined) return leftUndriven(`source of the ${replay.role}`, [replay]);
  const left = leftWithout([source, replay]);
  if (left !== undefined) return left;
  if (withFacts(source).events.length === 0)
    return undecided(`${named(source)} shows nothing that could differ`, [source]);
  const compared = compareFacts(source, replay, volatile);
  if (compared.kind === 'unreadable') return undecided(compared.reason, [replay, source]);
  if (compared.kind === 'same' || saysItDiffers(replay)) return 'same';
  const { expected, actual } = compared.mismatch;
  return fail(
    { expected: `${expected}; or replay.diverged in ${named(replay)}`, actual, diagnosis: wrong('silent-divergence') },
    [replay, source],
  );
}
