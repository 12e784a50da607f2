import { fail, type Outcome, pass, rests, undecided } from '../../src/contract/outcome.ts';
import { noneRan } from '../../src/contract/remedy.ts';
import { apartFrom } from '../shared/apart-from.ts';
import { allOtherwise, compareLogs, compareVerbatim, eventsOf, named } from '../shared/compare-runs.ts';
import { outcomeOf } from '../shared/compared.ts';
import { FOUNDATIONS, OF_A_REPLAY } from '../shared/foundations.ts';
import { compareHappened } from '../shared/happened.ts';
import { SOURCE_OF } from '../shared/fixture-sources.ts';
import { leftWithout, type RecordedRun, runsOf } from '../shared/need.ts';
import { asOfFirst } from '../shared/of-first.ts';
import type { Recordings } from '../shared/of-type.ts';
import { PUBLIC } from '../shared/public-workflows.ts';
import { failByAll, type Otherwise } from '../shared/told-apart.ts';
import { endedByItself, isOfRows } from '../shared/swept-runs.ts';
import { declaring } from '../shared/volatile.ts';
import { AGAIN } from './fork-everywhere.ts';
import { lostAgain } from './lost-again.ts';
import { noneSwept } from './sweep-text.ts';
import { sharedCause } from '../shared/diagnoses.ts';

/** A replay of a replay, that one, and the run in which both began. */
interface Generations {
  readonly source: RecordedRun;
  readonly first: RecordedRun;
  readonly second: RecordedRun;
}

/** 0041 §C: judges replays of replays of each fixture: what a replay shows as its source did, one of it shows, too. */
export function judgeEveryGeneration(recorded: Recordings, volatile: readonly string[]): Outcome {
  const all = generationsIn(recorded);
  let open: Outcome | undefined;
  const same: Generations[] = [];
  const otherwise: RecordedRun[] = [];
  for (const generations of all) {
    const { source, first, second } = generations;
    const left = leftWithout([source, first, second]);
    // A workflow of somebody else that tells nothing costs itself only.
    if (left !== undefined && !isOfRows(source)) continue;
    // Where the first one differs already, other rows say so.
    const compare = reportIn(second) === undefined ? compareHappened : compareVerbatim;
    const compared = left === undefined ? compare(source, first, volatile) : undefined;
    if (compared?.kind === 'different') {
      if (isKnown(source) && compare === compareHappened) otherwise.push(first);
      continue;
    }
    const outcome = left ?? judgeSecond(generations, volatile);
    if (outcome.kind === 'fail') return { ...outcome, ...apartFrom(source, asOfFirst(generations), volatile) };
    if (outcome.kind === 'pass') same.push(generations);
    else if (isOfRows(source)) open ??= outcome;
  }
  if (open !== undefined) return open;
  const [changed] = otherwise;
  if (same.length === 0 && changed !== undefined) {
    const reason = `already ${named(changed)} shows something else than its source, and nothing was compared with its replay`;
    return rests(FOUNDATIONS.sameAgain, undecided(reason, otherwise));
  }
  if (same.length === 0) return undecided(noneSwept(recorded, 'no replay of a fixture was replayed'), []);
  const evidence = same.flatMap(({ second, source }) => [second, source]);
  const others = allOtherwise(
    same.map((each) => ({ source: each.source, replay: asOfFirst(each) })),
    volatile,
  );
  if (others !== undefined) {
    // Where a replay of a replay is compared to the letter, that row says so, or the one that it rests on.
    const reason = `no replay of a replay shows what its source shows, though the same happened in ${same.length}: ${others}`;
    return rests(OF_A_REPLAY, undecided(reason, evidence));
  }
  return declaring(pass(evidence, `replays of replays of ${same.length} fixtures`), volatile);
}

function judgeSecond(generations: Generations, volatile: readonly string[]): Outcome {
  const { source, first, second } = generations;
  const outcome = outcomeOf(compareHappened(source, asOfFirst(generations), volatile), [second, source]);
  const report = reportIn(second);
  if (outcome.kind !== 'pass') return outcome;
  if (report === undefined) {
    const lost = lostAgain(generations, volatile);
    return lost === undefined ? outcome : fail(lost, [second, first, source]);
  }
  const compared = compareVerbatim(first, second);
  if (compared.kind === 'different') return outcomeOf(compared, [second, first]);
  const expected = `no ${DIVERGED} in ${named(second)}, which shows what ${named(source)} shows`;
  const actual = `${DIVERGED} at sequence ${report.sequence}`;
  return fail({ diagnosis: sharedCause('false-alarm'), expected, actual, restsOn: 'replay.no-false-divergence' }, [
    second,
    source,
  ]);
}

function generationsIn(recorded: Recordings): readonly Generations[] {
  const runs = runsOf(recorded);
  const sourceOf = ({ fork }: RecordedRun): RecordedRun | undefined =>
    runs.find(({ runId }) => runId !== null && runId === fork?.sourceRunId);
  return runs.flatMap((second) => {
    const first = second.role.startsWith(AGAIN) ? sourceOf(second) : undefined;
    const source = first && sourceOf(first);
    return first === undefined || source === undefined ? [] : [{ source, first, second }];
  });
}

const OF_PUBLIC: ReadonlySet<string> = new Set(PUBLIC.map(({ workflowId }) => SOURCE_OF + workflowId));

/** Whether a source is of a workflow whose code is known: it is the host's to replay it alike. */
function isKnown(source: RecordedRun): boolean {
  return isOfRows(source) || OF_PUBLIC.has(source.role);
}

/** A replay with its source. */
interface Pair {
  readonly source: RecordedRun;
  readonly replay: RecordedRun;
}

const DIVERGED = 'replay.diverged';

function reportIn(run: RecordedRun) {
  return eventsOf(run).find(({ type }) => type === DIVERGED);
}

/** replay.md, Determinism; 0041 §C: judges that no replay of a fixture differs while its code is unchanged, and says so itself. */
export function judgeUnreported(recorded: Recordings, volatile: readonly string[]): Outcome {
  const runs = runsOf(recorded);
  const pairs = runs.flatMap((replay): readonly Pair[] => {
    const from = replay.fork?.sourceRunId ?? undefined;
    const source = from === undefined ? undefined : runs.find(({ fork, runId }) => fork === null && runId === from);
    return source !== undefined && endedByItself(source) ? [{ source, replay }] : [];
  });
  const known = pairs.filter(({ source }) => isKnown(source));
  let open: Outcome | undefined;
  const quiet: RecordedRun[] = [];
  const found = new Map<RecordedRun, Otherwise>();
  for (const { source, replay } of known) {
    const left = leftWithout([source, replay]);
    if (left !== undefined && isOfRows(source)) open ??= left;
    if (left !== undefined) continue;
    if (reportIn(replay) === undefined) quiet.push(replay);
    else if (!found.has(source)) {
      const compared = compareLogs(source, replay, volatile);
      if (compared.kind === 'different') found.set(source, { mismatch: compared.mismatch, source, replay });
    }
  }
  const otherwise = failByAll([...found.values()], volatile);
  if (otherwise !== undefined) return otherwise;
  if (quiet.length > 0) return pass(quiet, `${quiet.length} replays report no difference`);
  return open ?? judgeOthers(recorded, pairs);
}

/** Whether a replay of somebody else's workflow may differ, nobody knows: none that reports it is wrong. */
function judgeOthers(recorded: Recordings, pairs: readonly Pair[]): Outcome {
  const seen = pairs.filter(({ source, replay }) => !isKnown(source) && leftWithout([source, replay]) === undefined);
  if (seen.length === 0) return undecided(noneSwept(recorded, 'no fixture could be replayed'), []);
  const evidence = seen.map(({ replay }) => replay);
  const reporting = seen.find(({ replay }) => reportIn(replay) !== undefined);
  return reporting === undefined
    ? pass(evidence, `${seen.length} replays of workflows of others report no difference`)
    : undecided(noneRan(`${named(reporting.replay)} reports a difference, which its workflow may make`), evidence);
}
