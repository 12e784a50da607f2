import type { Judgement } from '../../src/contract/verdict.ts';
import { compareLogs, comparePrefixes } from '../shared/compare-runs.ts';
import { compareStates } from '../shared/compare-snapshots.ts';
import type { Compared } from '../shared/compared.ts';
import { declared } from '../shared/declared.ts';
import { unseen } from '../shared/judge-run.ts';
import { withoutVolatile } from '../shared/without-volatile.ts';
import type { SeenRun } from './swept-log.ts';

interface Pair {
  readonly source: SeenRun;
  readonly replay: SeenRun;
}

type Volatile = readonly string[];

/** Judges that a replay's replay is the source again, and the replay that it was made of. */
export function judgeReplayOfReplay(runs: readonly SeenRun[], volatile: Volatile): Judgement {
  const check = 'sequence.replay-of-replay';
  const [source, ...others] = runs;
  const second = others.filter(({ role }) => role.startsWith('replay of a replay'));
  const parents = second.map((run) => others.find(({ runId }) => runId !== null && runId === run.fork?.sourceRunId));
  const missing = unseen(check, [source, ...(second.length === 0 ? [undefined] : [...parents, ...second])]);
  if (missing !== undefined) return missing;
  const pairs = second.flatMap((replay, index) => {
    const origins = [source, parents[index]].filter((each) => each !== undefined);
    return origins.map((origin): Pair => ({ source: origin, replay }));
  });
  return judgePairs(pairs, { check, volatile, title: `replays of replays of ${fixtureIn(runs)}` });
}

/** Judges forks that were made at once, and their source, which was read again after them. */
export function judgeConcurrentForks(runs: readonly SeenRun[], volatile: Volatile): Judgement {
  const check = 'sequence.state-equal.concurrent';
  const [source, ...others] = runs;
  const forks = others.filter(({ role }) => role.startsWith('concurrent'));
  const after = others.find(({ role }) => role === 'source afterwards');
  const missing = unseen(check, [source, ...(forks.length === 0 ? [undefined] : forks), after]);
  if (missing !== undefined) return missing;
  const compared = [...forks, after].flatMap((replay): readonly Pair[] =>
    source === undefined || replay === undefined ? [] : [{ source, replay }],
  );
  return judgePairs(compared, { check, volatile, title: `${forks.length} forks of ${fixtureIn(runs)} at once` });
}

interface About {
  readonly check: string;
  readonly volatile: Volatile;
  readonly title: string;
}

function judgePairs(pairs: readonly Pair[], { check, volatile, title }: About): Judgement {
  for (const pair of pairs) {
    const evidence = [pair.replay.id, pair.source.id];
    const compared = comparePair(pair, volatile);
    if (compared.kind === 'different') return { check, verdict: 'fail', ...compared.mismatch, evidence };
    if (compared.kind === 'unreadable') return { check, verdict: 'inconclusive', reason: compared.reason, evidence };
  }
  const evidence = [...new Set(pairs.flatMap(({ source, replay }) => [replay.id, source.id]))];
  return declared({ check, verdict: 'pass', reason: title, evidence }, volatile);
}

function comparePair({ source, replay }: Pair, volatile: Volatile): Compared {
  const log = compareLogs(source, replay, volatile);
  if (log.kind !== 'same') return log;
  const prefix = comparePrefixes(source, replay, replay.fork?.fromSeq ?? 0, volatile);
  if (prefix.kind !== 'same') return prefix;
  return compareStates(withoutVolatile(source, volatile), withoutVolatile(replay, volatile));
}

function fixtureIn([source]: readonly SeenRun[]): string {
  return source?.role.replace('source of ', '') ?? 'nothing';
}
