import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named, shown } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { MARKS } from './branch-drive.ts';
import { sweepIn } from './judge-branch.ts';
import { CONFIGURED, spanOf, valueIn, wrongValue } from './shown-values.ts';
import { wrong } from './diagnoses.ts';

type Recordings = readonly Recorded<Observation>[];
type SeenRun = Recorded<RunObservation>;

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
    else
      return wrongValue(check, branch, {
        expected,
        value,
        why: wrong(ahead ? 'overlay-ignored' : 'overlay-reached-back'),
      });
  }
  const evidence = branches.map(({ id }) => id);
  const reason = `no branch starts before the node ${CONFIGURED}`;
  return downstream > 0 ? { check, verdict: 'pass', evidence } : { check, verdict: 'inconclusive', reason, evidence };
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
      diagnosis: wrong('overlay-ignored'),
      evidence: [branch.id],
    };
  }
  const reason = 'shown by tags only: seed conformance-determinism-identity';
  return { check, verdict: 'pass', reason, evidence };
}
