import { fail, isOutcome, type Outcome, pass, rests } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { type RecordedRun, runOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { isObserved, startFork } from '../shared/run-observation.ts';
import { annotate, annotatedAt, holds, listAnnotations, listedAt, listWith, shownAnnotation } from './annotating.ts';
import { wrong } from './diagnoses.ts';

/** The run that nobody has forked when it is annotated, and its fork. */
export const KEPT = { run: 'run to be forked', fork: 'first fork' } as const;

/** When it is annotated, twice at once, and when its annotations are listed: after that. */
export const BESIDE_FORK = {
  before: 'it was annotated, unforked',
  atOnce: 'it was annotated at the same time',
  after: 'it was forked',
} as const;

/** Annotates a run that was never forked, twice at once, forks it, and lists its annotations before and after that. */
export async function driveKept(probe: Probe): Promise<readonly Observation[]> {
  const run = await startPublic(probe, KEPT.run);
  const [annotated, other] = await Promise.all([
    annotate(probe, run, BESIDE_FORK.before),
    annotate(probe, run, BESIDE_FORK.atOnce),
  ]);
  if (annotated.problem !== null) return [run, annotated, other];
  const before = await listWith(probe, run, BESIDE_FORK.before, [annotated, other]);
  const fork = await startFork(probe, run, { mode: 'replay' }, { role: KEPT.fork });
  return [run, annotated, other, before, fork, await listAnnotations(probe, run, BESIDE_FORK.after)];
}

/**
 * Judges that a run keeps its annotations when it is forked (replay.md, Two modes: the original run is unmodified). Undefined
 * where that was not seen: the other rows about annotations say what is lacking.
 */
export function judgeKept(recorded: Recordings): Outcome | undefined {
  const [run, fork] = [runOf(recorded, KEPT.run), runOf(recorded, KEPT.fork)];
  const lost = run === undefined ? undefined : lostAtOnce(recorded, run);
  if (lost !== undefined) return lost;
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

/** The failure of a list that lacks one of two annotations that POST took at once; older evidence has one. */
function lostAtOnce(recorded: Recordings, run: RecordedRun): Outcome | undefined {
  const listed = listedAt(recorded, KEPT.run, BESIDE_FORK.before);
  const made = [BESIDE_FORK.before, BESIDE_FORK.atOnce].flatMap((when) => annotatedAt(recorded, when) ?? []);
  if (isOutcome(listed) || made.length < 2 || made.some(({ problem }) => problem !== null)) return undefined;
  const { list } = listed;
  const held = made.filter((each) => list.some((entry) => holds(entry, each)));
  // A list that shows nothing of any annotation says nothing of the second.
  if (list.length === 0 || (list.length >= made.length && held.length !== 1)) return undefined;
  const expected = `both annotations of ${named(run)} that POST took`;
  return fail({ expected, actual: shown(list), diagnosis: wrong('annotations-lost') }, [listed, ...made, run]);
}

/** A judge of annotations whose controls were not seen, on a host that is seen to lose them. */
export function unlessLost(judge: (recorded: Recordings) => Outcome): (recorded: Recordings) => Outcome {
  return (recorded) => {
    const outcome = judge(recorded);
    const isDueToLoss = outcome.kind === 'undecided' && judgeKept(recorded)?.kind === 'fail';
    return isDueToLoss ? rests('annotation.not-inherited.separate', outcome) : outcome;
  };
}
