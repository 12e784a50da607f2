import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { comparePrefixes, eventsOf, named, shown } from '../shared/compare-runs.ts';
import { declared } from '../shared/declared.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { FIRST_BRANCH } from './branch-drive.ts';
import { logChange, unread } from './judge-untouched.ts';

type Recordings = readonly Recorded<Observation>[];
type SeenRun = Recorded<RunObservation>;

/** The branches of a sweep, in the order in which they were made; none of those that were read again. */
function branchesIn(observations: Recordings): readonly SeenRun[] {
  return observations.filter(
    (each): each is SeenRun => isRun(each) && each.fork !== null && /^branch(?: from \d+)?$/u.test(each.role),
  );
}

function isRun(observation: Recorded<Observation>): observation is SeenRun {
  return observation.type === 'run';
}

/** What all branch rows need: a source and its branches, each seen to its end. */
export function sweepIn(
  check: string,
  observations: Recordings,
): { readonly source: SeenRun; readonly branches: readonly SeenRun[] } | { readonly missing: Judgement } {
  const source = runOf(observations, 'source');
  const branches = branchesIn(observations);
  const missing = unseen(check, [source, ...(branches.length === 0 ? [undefined] : branches)]);
  if (missing !== undefined || source === undefined) {
    return { missing: missing ?? { check, verdict: 'inconclusive', reason: 'there is no source', evidence: [] } };
  }
  return { source, branches };
}

/** replay.md, Endpoint: events below fromSeq are fixed history. */
export function judgePrefixes(check: string, observations: Recordings, volatile: readonly string[]): Judgement {
  const sweep = sweepIn(check, observations);
  if ('missing' in sweep) return sweep.missing;
  const random = [runOf(observations, 'random source'), runOf(observations, 'random branch')] as const;
  const pairs = sweep.branches.map((branch): readonly [SeenRun, SeenRun] => [sweep.source, branch]);
  if (random[0]?.problem === null && random[1]?.problem === null) pairs.push([random[0], random[1]]);
  const evidence = pairs.map(([, branch]) => branch.id);
  let compared = 0;
  for (const [source, branch] of pairs) {
    const fromSeq = branch.fork?.fromSeq ?? 0;
    if (eventsOf(source).some(({ sequence }) => sequence < fromSeq)) compared += 1;
    const result = comparePrefixes(source, branch, fromSeq, volatile);
    if (result.kind === 'same') continue;
    if (result.kind === 'unreadable') return { check, verdict: 'inconclusive', reason: result.reason, evidence };
    return { check, verdict: 'fail', ...result.mismatch, evidence: [branch.id, source.id] };
  }
  const reason = 'no branch has events below its fork point';
  if (compared === 0) return { check, verdict: 'inconclusive', reason, evidence };
  return declared({ check, verdict: 'pass', evidence }, volatile);
}

/** replay.md, Two modes: new runId, new event subcollection, a fully independent run. */
export function judgeIndependence(check: string, observations: Recordings): Judgement {
  const sweep = sweepIn(check, observations);
  if ('missing' in sweep) return sweep.missing;
  const { source, branches } = sweep;
  const evidence = [source.id, ...branches.map(({ id }) => id)];
  for (const branch of branches) {
    const foreign = foreignEvent(branch);
    if (foreign !== undefined) return { check, verdict: 'fail', ...foreign, evidence: [branch.id] };
  }
  const pairs = [
    [runOf(observations, FIRST_BRANCH), runOf(observations, 'branch again')],
    [source, runOf(observations, 'source again')],
  ] as const;
  for (const [before, after] of pairs) {
    const missing = unseen(check, [before, after]);
    if (missing !== undefined || before === undefined || after === undefined) {
      return missing ?? { check, verdict: 'inconclusive', reason: 'a run was not read again', evidence };
    }
    const change = logChange(before, after) ?? stateChange(before, after);
    if (change !== undefined) return { check, verdict: 'fail', ...change, evidence: [after.id, before.id] };
  }
  if (branches.length > 1) return { check, verdict: 'pass', evidence };
  return { check, verdict: 'inconclusive', reason: 'there is only one branch', evidence };
}

/** An event that the branch wrote itself belongs to it; what a host writes into copied history is left open. */
function foreignEvent(branch: RunObservation): { readonly expected: string; readonly actual: string } | undefined {
  const fromSeq = branch.fork?.fromSeq ?? 0;
  const own = eventsOf(branch).filter(({ sequence }) => sequence >= fromSeq);
  const event = own.find(({ raw }) => member(raw, 'runId') !== branch.runId);
  if (event === undefined) return undefined;
  const place = `sequence ${event.sequence} (${event.type}) in ${named(branch)}`;
  return { expected: `${place} /runId: its own`, actual: shown(member(event.raw, 'runId')) };
}

/** The log says it first; the status is what else a caller relies on, once it has caught up with the log. */
function stateChange(
  before: RunObservation,
  after: RunObservation,
): { readonly expected: string; readonly actual: string } | undefined {
  const [was, is] = [member(before.snapshot, 'status'), member(after.snapshot, 'status')];
  if (was === is || unread(before) !== undefined || after.snapshot === null) return undefined;
  return {
    expected: `status ${shown(was)} as in ${named(before)}`,
    actual: `${shown(is)} in ${named(after)}`,
  };
}
