import { fail, isOutcome, type Outcome, pass, rests } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { runOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { isObserved, startFork } from '../shared/run-observation.ts';
import { annotate, holds, listAnnotations, listedAt, shownAnnotation } from './annotating.ts';
import { wrong } from './diagnoses.ts';

/** The run that nobody has forked when it is annotated, and its fork. */
export const KEPT = { run: 'run to be forked', fork: 'first fork' } as const;

/** When its annotations are listed: after that. */
export const BESIDE_FORK = { before: 'it was annotated, unforked', after: 'it was forked' } as const;

/** Annotates a run that was never forked, forks it, and lists its annotations before and after that. */
export async function driveKept(probe: Probe): Promise<readonly Observation[]> {
  const run = await startPublic(probe, KEPT.run);
  const annotated = await annotate(probe, run, BESIDE_FORK.before);
  if (annotated.problem !== null) return [run, annotated];
  const before = await listAnnotations(probe, run, BESIDE_FORK.before);
  const fork = await startFork(probe, run, { mode: 'replay' }, { role: KEPT.fork });
  return [run, annotated, before, fork, await listAnnotations(probe, run, BESIDE_FORK.after)];
}

/**
 * Judges that a run keeps its annotations when it is forked (replay.md, Two modes: the original run is unmodified). Undefined
 * where that was not seen: the other rows about annotations say what is lacking.
 */
export function judgeKept(recorded: Recordings): Outcome | undefined {
  const [run, fork] = [runOf(recorded, KEPT.run), runOf(recorded, KEPT.fork)];
  if (run === undefined || fork === undefined || !isObserved(fork)) return undefined;
  const control = shownAnnotation(recorded, { of: KEPT.run, when: BESIDE_FORK.before });
  const after = listedAt(recorded, KEPT.run, BESIDE_FORK.after);
  if (isOutcome(control) || isOutcome(after)) return undefined;
  const { made, listed: before } = control;
  const evidence = [after, before, made, fork];
  const isHeldIn = (list: readonly unknown[]): boolean => list.some((each) => holds(each, made));
  const isLost = after.list.length < before.list.length || (isHeldIn(before.list) && !isHeldIn(after.list));
  if (!isLost) return pass(evidence);
  const expected = `the annotations of ${named(run)}, as before it was forked: ${shown(before.list)}`;
  const actual = `${shown(after.list)} once ${named(fork)} was made`;
  return fail({ expected, actual, diagnosis: wrong('annotations-lost') }, evidence);
}

/** A judge of annotations whose controls were not seen, on a host that is seen to lose them. */
export function unlessLost(judge: (recorded: Recordings) => Outcome): (recorded: Recordings) => Outcome {
  return (recorded) => {
    const outcome = judge(recorded);
    const isDueToLoss = outcome.kind === 'undecided' && judgeKept(recorded)?.kind === 'fail';
    return isDueToLoss ? rests('annotation.not-inherited.separate', outcome) : outcome;
  };
}
