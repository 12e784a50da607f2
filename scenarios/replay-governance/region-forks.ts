import { notApplicable, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { isFixtureSource } from '../shared/fixture-sources.ts';
import { runsOf, type SeenRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';

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

/** The forks that both regions were asked for, or the outcome that is left without them. */
export function seePairs(recorded: Recordings): readonly ForkPair[] | Outcome {
  const [regions] = ofType<RegionsObservation>(recorded, 'regions');
  if (regions === undefined) return undecided('the second host was not asked', []);
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
