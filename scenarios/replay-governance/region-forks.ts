import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { isFixtureSource } from '../shared/fixture-sources.ts';
import { runsOf, type SeenRun, undecided } from '../shared/judging.ts';

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

type Recordings = readonly Recorded<Observation>[];

const FIRST = / by the first region$/u;

/** The forks that both regions were asked for, or the judgement that is left. */
export function pairsIn(check: string, observations: Recordings): readonly ForkPair[] | Judgement {
  const regions = observations.find((each): each is Recorded<RegionsObservation> => each.type === 'regions');
  if (regions === undefined) return undecided(check, 'the second host was not asked', []);
  if (regions.unread !== null) return undecided(check, regions.unread, [regions]);
  if (!regions.isRegion) return apart(check, `the second host is no region of the first: ${regions.because}`, regions);
  const [one, other] = regions.names;
  if (one !== null && other !== null && one !== other) {
    const reason = `the second host is another implementation, ${other}, and no region of ${one}`;
    return apart(check, reason, regions);
  }
  const runs = runsOf(observations);
  const pairs = runs.flatMap((first): readonly ForkPair[] => {
    if (first.fork === null || !FIRST.test(first.role)) return [];
    const role = first.role.replace(FIRST, ' by the second region');
    const [source, second] = [
      runs.find(({ runId, fork }) => fork === null && runId !== null && runId === first.fork?.sourceRunId),
      runs.find((each) => each.role === role),
    ];
    if (source === undefined || second === undefined) return [];
    return [{ source, first, second, mode: first.fork.mode, fromSeq: first.fork.fromSeq ?? 0 }];
  });
  if (pairs.length > 0) return pairs;
  const why = runs.filter(isFixtureSource).map(({ role, problem }) => `${role}: ${problem ?? 'not forked'}`);
  return undecided(check, `no fixture could be forked: seed conformance-noop; ${why.join('; ')}`, [regions]);
}

function apart(check: string, reason: string, { id }: { readonly id: string }): Judgement {
  return { check, verdict: 'not-applicable', reason, evidence: [id] };
}
