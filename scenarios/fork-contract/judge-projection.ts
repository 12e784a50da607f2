import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { shown } from '../shared/compare-runs.ts';
import { isUnknown } from '../shared/first-run.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { MARKS } from './branch-drive.ts';
import { wrong } from './diagnoses.ts';
import { lostFromSnapshot } from './held-state.ts';
import { sweepIn } from './judge-branch.ts';
import { CONFIGURED, COPIED, INPUT, settledAt, spanOf, valueIn, wrongValue } from './shown-values.ts';

type Recordings = readonly Recorded<Observation>[];
type SeenRun = Recorded<RunObservation>;

const NOT_PROJECTED = wrong('state-not-projected');

/**
 * replay.md, Two modes: the projected state at fromSeq becomes the initial state of the branch. What was written before
 * stays, what a node reads from it downstream is the same, and the snapshot holds it where it shows variables.
 */
export function judgeProjection(check: string, observations: Recordings): Judgement {
  const judged = [judgeRandom(check, observations), judgeHandedOn(check, observations)];
  const seen = judged.filter((each) => each !== undefined);
  const order = ['fail', 'pass', 'inconclusive'] as const;
  const [first] = order.flatMap((verdict) => seen.filter((each) => each.verdict === verdict));
  if (first === undefined) return { check, verdict: 'inconclusive', reason: SEED, evidence: [] };
  if (first.verdict !== 'pass') return first;
  const passed = seen.filter(({ verdict }) => verdict === 'pass');
  const open = seen.flatMap(({ verdict, reason }) => (verdict === 'inconclusive' ? (reason ?? []) : []));
  const reason = open.length === 0 ? {} : { reason: `not shown everywhere: ${open.join('; ')}` };
  return { check, verdict: 'pass', ...reason, evidence: passed.flatMap(({ evidence }) => evidence) };
}

const SEED =
  'no fixture shows a state to start from: seed conformance-determinism-random or conformance-determinism-identity';

/** A value that every execution makes anew; undefined where the host does not know the fixture. */
function judgeRandom(check: string, observations: Recordings): Judgement | undefined {
  const [source, branch] = [runOf(observations, 'random source'), runOf(observations, 'random branch')];
  if (source === undefined || isUnknown(source)) return undefined;
  const missing = unseen(check, [source, branch]);
  if (missing !== undefined || branch === undefined) return missing;
  const settled = settledAt(source, 'random');
  const expected = valueIn(source, 'random');
  if (settled === undefined || expected === undefined || settled >= (branch.fork?.fromSeq ?? 0)) {
    const reason = `the ${source.role} does not show where its node random wrote the variable random`;
    return { check, verdict: 'inconclusive', reason, evidence: [source.id] };
  }
  const value = valueIn(branch, 'random');
  if (shown(value) !== shown(expected)) {
    return wrongValue(check, branch, { expected, value, why: NOT_PROJECTED, variable: 'random' });
  }
  const lost = lostFromSnapshot(source, branch);
  if (lost !== undefined) return failed(check, [branch, source], lost);
  return { check, verdict: 'pass', evidence: [branch.id, source.id] };
}

/** What each variable of the identity fixture is in a branch from behind the node that it comes from. */
const HANDED_ON = [
  { variable: INPUT, from: INPUT, mark: MARKS.input },
  { variable: CONFIGURED, from: CONFIGURED, mark: MARKS.source },
  { variable: COPIED, from: INPUT, mark: MARKS.input },
] as const;

/** Wherever a branch starts, behind its input is a node that reads a variable from before it. */
function judgeHandedOn(check: string, observations: Recordings): Judgement {
  const sweep = sweepIn(check, observations);
  if ('missing' in sweep) return sweep.missing;
  const { source, branches } = sweep;
  const told = new Set<string>();
  for (const branch of branches) {
    const lost = lostFromSnapshot(source, branch);
    if (lost !== undefined) return failed(check, [branch, source], lost);
    for (const { variable, from, mark } of HANDED_ON) {
      if (!isBehind(source, branch, { variable, from }) || valueIn(source, variable) !== mark) continue;
      const value = valueIn(branch, variable);
      if (value !== mark) return wrongValue(check, branch, { expected: mark, value, why: NOT_PROJECTED, variable });
      told.add(branch.id);
    }
  }
  if (told.size > 0) return { check, verdict: 'pass', evidence: [...told, source.id] };
  return { check, verdict: 'inconclusive', reason: SEED, evidence: [source.id] };
}

/** Whether a branch starts after a node has written its variable, and not in the middle of the node that hands it on. */
function isBehind(
  source: SeenRun,
  branch: SeenRun,
  { variable, from }: { readonly variable: string; readonly from: string },
): boolean {
  const fromSeq = branch.fork?.fromSeq ?? 0;
  const [wrote, span] = [settledAt(source, from), spanOf(source, variable)];
  const ended = settledAt(source, variable);
  if (wrote === undefined || span === undefined || ended === undefined || fromSeq <= wrote) return false;
  return fromSeq <= span.first || fromSeq > ended;
}

function failed(
  check: string,
  [branch, source]: readonly [SeenRun, SeenRun],
  sides: { readonly expected: string; readonly actual: string },
): Judgement {
  return { check, verdict: 'fail', ...sides, diagnosis: NOT_PROJECTED, evidence: [branch.id, source.id] };
}
