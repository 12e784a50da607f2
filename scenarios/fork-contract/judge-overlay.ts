import { member } from '../../src/contract/discovery.ts';
import { fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { named, shown } from '../shared/compare-runs.ts';
import type { SeenRun } from '../shared/need.ts';
import { MARKS } from './branch-drive.ts';
import { wrong } from './diagnoses.ts';
import type { Swept } from './judge-branch.ts';
import { CONFIGURED, spanOf, valueIn, wrongValue } from './shown-values.ts';

/** replay.md, Two modes: the caller supplies new RunOptions to overlay. */
export function judgeOverlay({ source, branches }: Swept): Outcome {
  const span = spanOf(source, CONFIGURED);
  if (span === undefined) return judgeTags(branches);
  if (valueIn(source, CONFIGURED) !== MARKS.source) {
    return undecided(`${named(source)} does not show its configurable as the variable ${CONFIGURED}`, [source]);
  }
  let downstream = 0;
  for (const branch of branches) {
    const fromSeq = branch.fork?.fromSeq ?? 0;
    if (fromSeq > span.first && fromSeq <= span.last) continue;
    const isAhead = fromSeq <= span.first;
    const expected = isAhead ? MARKS.overlay : MARKS.source;
    const value = valueIn(branch, CONFIGURED);
    if (value !== expected) {
      const diagnosis = wrong(isAhead ? 'overlay-ignored' : 'overlay-reached-back');
      return wrongValue(branch, { variable: CONFIGURED, expected, value, diagnosis });
    }
    if (isAhead) downstream += 1;
  }
  return downstream > 0 ? pass(branches) : undecided(`no branch starts before the node ${CONFIGURED}`, branches);
}

/** Without the identity fixture the overlay shows in the snapshot's tags only, where a host shows any. */
function judgeTags(branches: readonly SeenRun[]): Outcome {
  for (const branch of branches) {
    const tags = member(branch.snapshot, 'tags');
    if (!Array.isArray(tags)) {
      return undecided('snapshots show no tags: seed conformance-determinism-identity', [branch]);
    }
    if (tags.includes(MARKS.tag)) continue;
    const expected = `the tag ${MARKS.tag} of the overlay in the snapshot of ${named(branch)}`;
    return fail({ expected, actual: shown(tags), diagnosis: wrong('overlay-ignored') }, [branch]);
  }
  return pass(branches, 'shown by tags only: seed conformance-determinism-identity');
}
