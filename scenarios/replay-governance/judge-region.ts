import type { Diagnosis, Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { isSuccess, saysNothing } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { comparePrefixes, eventsOf, prefixesOf } from '../shared/compare-runs.ts';
import { compareStates } from '../shared/compare-snapshots.ts';
import { compareForkPoints } from '../shared/compare-states.ts';
import type { Compared } from '../shared/compared.ts';
import { declared } from '../shared/declared.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import { withoutVolatile } from '../shared/without-volatile.ts';
import { pairsIn, type ForkPair } from './region-forks.ts';

type Recordings = readonly Recorded<Observation>[];

const REFUSED = {
  code: 'region-refuses',
  message: 'the other region refuses a fork that the region of the source serves',
};

/** Judges that the other region forks what the region of the source forks (replay.md, Cross-region replay). */
export function judgeServed(observations: Recordings, check: string): Judgement {
  const pairs = pairsIn(check, observations);
  if ('verdict' in pairs) return pairs;
  const open: Judgement[] = [];
  const evidence: { readonly id: string }[] = [];
  for (const { first, second, mode, fromSeq } of pairs) {
    if (first.runId === null) {
      open.push(undecided(check, `the ${first.role} was not made: ${first.problem ?? ''}`, [first]));
      continue;
    }
    const { answered } = second;
    if (second.runId !== null) evidence.push(second, first);
    else if (answered === null || saysNothing(answered, 'action') || isSuccess(answered)) {
      open.push(undecided(check, `the ${second.role} was not made: ${second.problem ?? ''}`, [second]));
    } else {
      const expected = `201 for mode ${mode} from sequence ${fromSeq}, as the region of the source answered`;
      return failing(check, { expected, actual: `${answered} by the other region`, diagnosis: REFUSED }, [
        second,
        first,
      ]);
    }
  }
  return open[0] ?? passing(check, evidence);
}

/** How a property is compared; `applies` says which pairs show it. */
interface Rule {
  readonly check: string;
  readonly compare: (a: ForkPair['source'], b: ForkPair['source'], pair: ForkPair) => Compared;
  readonly applies: (pair: ForkPair) => boolean;
}

/** Judges the history below fromSeq: the other region's against the source's, which that of the first one is. */
export function judgeLogs(observations: Recordings, check: string, volatile: readonly string[]): Judgement {
  const judgement = judgePairs(observations, {
    check,
    compare: (a, b, { fromSeq }) => comparePrefixes(a, b, fromSeq, volatile),
    applies: ({ source, first, fromSeq }) => prefixesOf(source, first, fromSeq).below.length > 0,
  });
  return declared(judgement, volatile);
}

/** Judges the state at fromSeq: folded, and as snapshots show it of replays that only write the last event. */
export function judgeStates(observations: Recordings, check: string, volatile: readonly string[]): Judgement {
  const judgement = judgePairs(observations, {
    check,
    compare: (a, b, { source, fromSeq, mode }) => {
      const [one, two] = [withoutVolatile(a, volatile), withoutVolatile(b, volatile)];
      const folded = compareForkPoints(one, two, fromSeq);
      const isAtEnd = mode === 'replay' && fromSeq === eventsOf(source).at(-1)?.sequence;
      return folded.kind !== 'same' || !isAtEnd ? folded : compareStates(one, two);
    },
    applies: () => true,
  });
  return declared(judgement, volatile);
}

function judgePairs(observations: Recordings, { check, compare, applies }: Rule): Judgement {
  const pairs = pairsIn(check, observations);
  if ('verdict' in pairs) return pairs;
  const open: Judgement[] = [];
  const evidence: { readonly id: string }[] = [];
  for (const pair of pairs.filter(applies)) {
    const { source, first, second } = pair;
    const unseen = [first, second].find(({ runId, problem }) => runId === null || problem !== null);
    if (unseen !== undefined) {
      open.push(undecided(check, `the ${unseen.role} was not seen: ${unseen.problem ?? 'no run'}`, [unseen]));
      continue;
    }
    const [ofFirst, between] = [compare(source, first, pair), compare(source, second, pair)];
    const unreadable = [between, ofFirst].find(({ kind }) => kind === 'unreadable');
    if (unreadable?.kind === 'unreadable') open.push(undecided(check, unreadable.reason, [first, second]));
    else if (between.kind === 'different') {
      if (ofFirst.kind === 'same') {
        return failing(check, { ...between.mismatch, diagnosis: DEPARTS }, [second, first, source]);
      }
      open.push(undecided(check, `already the ${first.role} is not the source's`, [first, second, source]));
    }
    evidence.push(first, second, source);
  }
  if (open[0] !== undefined) return open[0];
  return evidence.length === 0 ? undecided(check, 'no fork was made that shows it', []) : passing(check, evidence);
}

/** Only the other region can be wrong here: whether the region of the source keeps to it, other rows judge. */
const DEPARTS: Diagnosis = {
  code: 'second-region-departs',
  message: "the fork by the other region is not the source's, that by the region of the source is",
};
