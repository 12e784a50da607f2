import { fail, notApplicable, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { isSuccess, saysNothing } from '../../src/protocol/status.ts';
import type { Judging } from '../../src/runner/define-scenario.ts';
import { comparePrefixes, eventsOf, prefixesOf } from '../shared/compare-runs.ts';
import { compareStates } from '../shared/compare-snapshots.ts';
import { compareForkPoints } from '../shared/compare-states.ts';
import type { Compared } from '../shared/compared.ts';
import { declaring } from '../shared/declared.ts';
import { isFixtureSource } from '../shared/fixture-sources.ts';
import { runsOf, type SeenRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { evidenceOf } from '../shared/settle.ts';
import { withoutVolatile } from '../shared/without-volatile.ts';
import { wrong } from './diagnoses.ts';

/** What the second host says of itself. */
export interface RegionsObservation extends Observation {
  readonly type: 'regions';
  /** Why its discovery document could not be read; null where it could. */
  readonly unread: string | null;
  /** Whether it advertises both capabilities itself. */
  readonly isRegion: boolean;
  readonly because: string;
  /** What the two documents say the implementations are called; null where they do not. */
  readonly names: readonly [string | null, string | null];
}

/** One fork, made by both regions. */
export interface ForkPair {
  readonly source: SeenRun;
  readonly mode: string;
  readonly fromSeq: number;
  readonly first: SeenRun;
  readonly second: SeenRun;
}

const FIRST = / by the first region$/u;

/** The forks that were requested of both regions, or the outcome that is left without them. */
export function seePairs(recorded: Recordings): readonly ForkPair[] | Outcome {
  const [regions] = ofType<RegionsObservation>(recorded, 'regions');
  if (regions === undefined) return undecided('nothing was requested of the second host', []);
  const { unread, isRegion, because } = regions;
  if (unread !== null) return undecided(unread, [regions]);
  if (!isRegion) return notApplicable(`the second host is no region of the first: ${because}`, [regions]);
  const [one, other] = regions.names;
  if (one !== null && other !== null && one !== other) {
    return notApplicable(`the second host is another implementation, ${other}, and no region of ${one}`, [regions]);
  }
  const runs = runsOf(recorded);
  const pairs = runs.flatMap((first): readonly ForkPair[] => {
    const { fork, role } = first;
    if (fork === null || !FIRST.test(role)) return [];
    const source = runs.find((run) => run.fork === null && run.runId !== null && run.runId === fork.sourceRunId);
    const second = runs.find((run) => run.role === role.replace(FIRST, ' by the second region'));
    if (source === undefined || second === undefined) return [];
    return [{ source, first, second, mode: fork.mode, fromSeq: fork.fromSeq ?? 0 }];
  });
  if (pairs.length > 0) return pairs;
  const why = runs.filter(isFixtureSource).map(({ role, problem }) => `${role}: ${problem ?? 'not forked'}`);
  return undecided(`no fixture could be forked: seed conformance-noop; ${why.join('; ')}`, [regions]);
}

/** Judges that the other region forks what the region of the source forks (replay.md, Cross-region replay). */
export function judgeServed(pairs: readonly ForkPair[]): Outcome {
  return allOf(pairs.map(served));
}

function served({ first, second, mode, fromSeq }: ForkPair): Outcome {
  if (first.runId === null) return undecided(`the ${first.role} was not made: ${first.problem ?? ''}`, [first]);
  if (second.runId !== null) return pass([second, first]);
  const { answered, role, problem } = second;
  if (answered === null || saysNothing(answered, 'action') || isSuccess(answered)) {
    return undecided(`the ${role} was not made: ${problem ?? ''}`, [second]);
  }
  const expected = `201 for mode ${mode} from sequence ${fromSeq}, as the region of the source answered`;
  const diagnosis = wrong('region-refuses');
  return fail({ expected, actual: `${answered} by the other region`, diagnosis }, [second, first]);
}

/** Judges the history below fromSeq: the other region's against the source's, which that of the first one is. */
export function judgeLogs(pairs: readonly ForkPair[], { options: { volatile } }: Pick<Judging, 'options'>): Outcome {
  const shown = pairs.filter(({ source, first, fromSeq }) => prefixesOf(source, first, fromSeq).below.length > 0);
  const compare: Compare = (source, fork, { fromSeq }) => comparePrefixes(source, fork, fromSeq, volatile);
  return declaring(allOf(shown.map((pair) => compared(pair, compare))), volatile);
}

/** Judges the state at fromSeq: folded, and as snapshots show it of replays that only write the last event. */
export function judgeStates(pairs: readonly ForkPair[], { options: { volatile } }: Pick<Judging, 'options'>): Outcome {
  const compare: Compare = (a, b, { source, fromSeq, mode }) => {
    const [one, two] = [withoutVolatile(a, volatile), withoutVolatile(b, volatile)];
    const folded = compareForkPoints(one, two, fromSeq);
    const isAtEnd = mode === 'replay' && fromSeq === eventsOf(source).at(-1)?.sequence;
    return folded.kind !== 'same' || !isAtEnd ? folded : compareStates(one, two);
  };
  return declaring(allOf(pairs.map((pair) => compared(pair, compare))), volatile);
}

type Compare = (source: SeenRun, fork: SeenRun, pair: ForkPair) => Compared;

/** Only the other region can be wrong here: whether the region of the source keeps to it, other rows judge. */
function compared(pair: ForkPair, compare: Compare): Outcome {
  const { source, first, second } = pair;
  const unseen = [first, second].find(({ runId, problem }) => runId === null || problem !== null);
  if (unseen !== undefined)
    return undecided(`the ${unseen.role} was not seen: ${unseen.problem ?? 'no run'}`, [unseen]);
  const [ofFirst, ofSecond] = [compare(source, first, pair), compare(source, second, pair)];
  const unreadable = [ofSecond, ofFirst].find((each) => each.kind === 'unreadable');
  if (unreadable !== undefined) return undecided(unreadable.reason, [first, second]);
  if (ofSecond.kind !== 'different') return pass([first, second, source]);
  if (ofFirst.kind === 'same') {
    return fail({ ...ofSecond.mismatch, diagnosis: wrong('second-region-departs') }, [second, first, source]);
  }
  return undecided(`already the ${first.role} is not the source's`, [first, second, source]);
}

/** Every pair has to pass: the first failure, else the first that is open. */
function allOf(outcomes: readonly Outcome[]): Outcome {
  const left = outcomes.find(isFailure) ?? outcomes.find(({ kind }) => kind !== 'pass');
  if (left !== undefined) return left;
  if (outcomes.length === 0) return undecided('no fork was made that shows it', []);
  return pass(outcomes.flatMap(evidenceOf));
}

function isFailure(outcome: Outcome): boolean {
  return outcome.kind === 'fail' || (outcome.kind === 'rests' && outcome.otherwise.kind === 'fail');
}
