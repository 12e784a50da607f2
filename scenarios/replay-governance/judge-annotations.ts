import { fail, isOutcome, notApplicable, pass, type Outcome } from '../../src/contract/outcome.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { runOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { holds, listedAt, shownAnnotation } from './annotating.ts';
import { wrong } from './diagnoses.ts';
import { needed, neededRun } from './needed.ts';

/** The runs of the scenario. */
export const ROLES = {
  source: 'source',
  early: 'replay made before',
  replay: 'replay',
  part: 'replay from the middle',
  branch: 'branch',
} as const;

/** When annotations are made, and lists read: after that. */
export const MOMENTS = {
  source: 'the source was annotated',
  fork: 'the replay was annotated',
  again: 'the source was annotated again',
} as const;

/** Judges that forks of an annotated run have no annotations (replay.md, Annotations and fork). */
export function judgeInherited(recorded: Recordings, roles: readonly string[]): Outcome {
  const source = needed(recorded, ROLES.source);
  if (isOutcome(source)) return source;
  const control = shownAnnotation(recorded, { of: ROLES.source, when: MOMENTS.source });
  if (isOutcome(control)) return control;
  const evidence: { readonly id: string }[] = [];
  const open: Outcome[] = [];
  for (const role of roles) {
    if (role === ROLES.branch && runOf(recorded, role) === undefined) {
      return notApplicable('the host does not offer the mode branch', []);
    }
    const [fork, listed] = [neededRun(recorded, role), listedAt(recorded, role, MOMENTS.source)];
    if (isOutcome(fork) || isOutcome(listed)) {
      open.push(...[fork, listed].filter(isOutcome).slice(0, 1));
      continue;
    }
    if (listed.list.length > 0) {
      const expected = `no annotations of ${named(fork)}`;
      const actual = `${listed.list.length}: ${shown(listed.list)}`;
      const diagnosis = wrong('annotations-inherited');
      return fail({ expected, actual, diagnosis }, [listed, fork, control.made]);
    }
    evidence.push(listed, fork);
  }
  return open[0] ?? pass([...evidence, control.made, control.listed]);
}

/** Judges that what is annotated later stays with its own run. */
export function judgeSeparate(recorded: Recordings): Outcome {
  const runs = needed(recorded, ROLES.source, ROLES.early, ROLES.replay);
  if (isOutcome(runs)) return runs;
  const turns = [
    { of: ROLES.replay, when: MOMENTS.fork, others: [ROLES.source, ROLES.early] },
    { of: ROLES.source, when: MOMENTS.again, others: [ROLES.replay, ROLES.early] },
  ];
  const evidence: { readonly id: string }[] = [];
  let open: Outcome | undefined;
  for (const { of, when, others } of turns) {
    const control = shownAnnotation(recorded, { of, when });
    if (isOutcome(control)) {
      open ??= control;
      continue;
    }
    evidence.push(control.made, control.listed);
    for (const role of others) {
      const listed = listedAt(recorded, role, when);
      if (isOutcome(listed)) {
        open ??= listed;
        continue;
      }
      evidence.push(listed);
      const found = listed.list.find((each) => holds(each, control.made));
      if (found === undefined) continue;
      const expected = `what was annotated at the ${of} does not show at the ${role}`;
      return fail({ expected, actual: shown(found), diagnosis: wrong('annotations-mixed') }, [listed, control.made]);
    }
  }
  return open ?? pass(evidence);
}
