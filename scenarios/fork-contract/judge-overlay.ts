import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { foldEvents } from '../../src/event-log/index.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { MARKS } from './branch-drive.ts';
import { sweepIn } from './judge-branch.ts';
import { isUnknown } from './source.ts';

type Recordings = readonly Recorded<Observation>[];
type SeenRun = Recorded<RunObservation>;

/** The identity fixture's nodes: each writes what it reads into the variable of its own name. */
const CONFIGURED = 'configured';

/** replay.md, Two modes: the caller supplies new RunOptions to overlay. */
export function judgeOverlay(check: string, observations: Recordings): Judgement {
  const sweep = sweepIn(check, observations);
  if ('missing' in sweep) return sweep.missing;
  const { source, branches } = sweep;
  const span = spanOf(source, CONFIGURED);
  if (span === undefined) return judgeTags(check, branches);
  if (valueIn(source, CONFIGURED) !== MARKS.source) {
    const reason = `${named(source)} does not show its configurable as the variable ${CONFIGURED}`;
    return { check, verdict: 'inconclusive', reason, evidence: [source.id] };
  }
  let downstream = 0;
  for (const branch of branches) {
    const fromSeq = branch.fork?.fromSeq ?? 0;
    if (fromSeq > span.first && fromSeq <= span.last) continue;
    const ahead = fromSeq <= span.first;
    const expected = ahead ? MARKS.overlay : MARKS.source;
    const value = valueIn(branch, CONFIGURED);
    if (value === expected) downstream += Number(ahead);
    else return wrongValue(check, branch, { expected, value, why: ahead ? IGNORED : REACHED_BACK });
  }
  const evidence = branches.map(({ id }) => id);
  const reason = `no branch starts before the node ${CONFIGURED}`;
  return downstream > 0 ? { check, verdict: 'pass', evidence } : { check, verdict: 'inconclusive', reason, evidence };
}

const IGNORED = { code: 'overlay-ignored', message: 'the branch runs with the run options of its source' };
const REACHED_BACK = {
  code: 'overlay-reached-back',
  message: 'the overlay changed what had happened before the fork point',
};
const NOT_PROJECTED = {
  code: 'state-not-projected',
  message: "the branch does not start from the source's state at its fork point",
};

interface WrongValue {
  readonly expected: unknown;
  readonly value: unknown;
  readonly why: typeof IGNORED;
  readonly variable?: string;
}

function wrongValue(check: string, branch: SeenRun, { expected, value, why, variable }: WrongValue): Judgement {
  const place = `variable ${variable ?? CONFIGURED} at the end of ${named(branch)}, from ${branch.fork?.fromSeq ?? 0}`;
  const evidence = [branch.id];
  if (value === undefined) {
    return { check, verdict: 'inconclusive', reason: `${place}: neither its snapshot nor its log shows it`, evidence };
  }
  return {
    check,
    verdict: 'fail',
    expected: `${place}: ${shown(expected)}`,
    actual: shown(value),
    diagnosis: why,
    evidence,
  };
}

/** Without the identity fixture the overlay shows in the snapshot's tags only, where a host shows any. */
function judgeTags(check: string, branches: readonly SeenRun[]): Judgement {
  const evidence = branches.map(({ id }) => id);
  for (const branch of branches) {
    const tags = member(branch.snapshot, 'tags');
    if (!Array.isArray(tags)) {
      const reason = 'snapshots show no tags: seed conformance-determinism-identity';
      return { check, verdict: 'inconclusive', reason, evidence: [branch.id] };
    }
    if (tags.includes(MARKS.tag)) continue;
    return {
      check,
      verdict: 'fail',
      expected: `the tag ${MARKS.tag} of the overlay in the snapshot of ${named(branch)}`,
      actual: shown(tags),
      diagnosis: IGNORED,
      evidence: [branch.id],
    };
  }
  const reason = 'shown by tags only: seed conformance-determinism-identity';
  return { check, verdict: 'pass', reason, evidence };
}

/** replay.md, Two modes: the projected state at fromSeq becomes the initial state of the branch. */
export function judgeProjection(check: string, observations: Recordings): Judgement {
  const [source, branch] = [runOf(observations, 'random source'), runOf(observations, 'random branch')];
  if (source !== undefined && isUnknown(source)) return judgeInherited(check, observations);
  const missing = unseen(check, [source, branch]);
  if (missing !== undefined || source === undefined || branch === undefined) {
    return missing ?? { check, verdict: 'inconclusive', reason: 'there is no branch', evidence: [] };
  }
  const span = spanOf(source, 'random');
  const expected = valueIn(source, 'random');
  if (span === undefined || expected === undefined || span.last >= (branch.fork?.fromSeq ?? 0)) {
    const reason = `${named(source)} does not show where its node random wrote the variable random`;
    return { check, verdict: 'inconclusive', reason, evidence: [source.id] };
  }
  const value = valueIn(branch, 'random');
  if (shown(value) === shown(expected)) return { check, verdict: 'pass', evidence: [branch.id, source.id] };
  return wrongValue(check, branch, { expected, value, why: NOT_PROJECTED, variable: 'random' });
}

/** Without random numbers: what the identity fixture's first node read stays, wherever a branch starts. */
function judgeInherited(check: string, observations: Recordings): Judgement {
  const sweep = sweepIn(check, observations);
  if ('missing' in sweep) return sweep.missing;
  const { source, branches } = sweep;
  const span = spanOf(source, CONFIGURED);
  const late = branches.filter((branch) => (branch.fork?.fromSeq ?? 0) > (span?.last ?? Infinity));
  const evidence = late.map(({ id }) => id);
  for (const branch of late) {
    const value = valueIn(branch, CONFIGURED);
    if (value === MARKS.source) continue;
    return wrongValue(check, branch, { expected: MARKS.source, value, why: NOT_PROJECTED });
  }
  if (late.length > 0) return { check, verdict: 'pass', evidence };
  const reason = 'no fixture shows a state to start from: seed conformance-determinism-random';
  return { check, verdict: 'inconclusive', reason, evidence };
}

/** The sequence numbers of a node's first and last event, or undefined where the log shows no such node. */
function spanOf(run: RunObservation, nodeId: string): { readonly first: number; readonly last: number } | undefined {
  const own = eventsOf(run).filter((event) => event.nodeId === nodeId);
  const [first, last] = [own.at(0), own.at(-1)];
  return first === undefined || last === undefined ? undefined : { first: first.sequence, last: last.sequence };
}

/** A variable at a run's end: from the snapshot, else from the log, else what the node of that name gave. */
function valueIn(run: RunObservation, name: string): unknown {
  const inSnapshot = member(member(run.snapshot, 'variables'), name);
  if (inSnapshot !== undefined) return inSnapshot;
  const folded = foldEvents(run.events);
  if (folded.ok && folded.state.variables.has(name)) return folded.state.variables.get(name);
  const completed = eventsOf(run).findLast(({ type, nodeId }) => type === 'node.completed' && nodeId === name);
  return member(completed?.payload, 'output');
}
