import { copyPacked } from '../../src/evidence/pack.ts';
import { readRunEvent } from '../../src/host/run-event.ts';
import { lacksWhatItTakes } from '../../src/protocol/node-kinds.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import type { Candidate } from '../../src/runner/scenario.ts';
import { eventsOf } from './compare-runs.ts';
import { codeInEvent } from './read-event.ts';
import { isUnknown } from './first-run.ts';
import { isObserved, type RunObservation } from './run-observation.ts';

/** A run with the candidate that it is of. */
export interface Tried<C extends Candidate> {
  readonly candidate: C;
  readonly run: RunObservation;
}

/** Candidates in their order, the public ones first. */
export type Candidates<C extends Candidate = Candidate> = readonly [C, ...C[]];

/**
 * Whether a run shows that its workflow was executed: it was made, seen as far as it was waited for, and did not fail for want
 * of something that the host lacks (readings, what ran at all). One that failed for another reason was executed.
 */
export function isExecuted(run: RunObservation): boolean {
  if (!isObserved(run)) return false;
  const last = readRunEvent(run.events.at(-1));
  const code = last?.type === 'run.failed' ? codeInEvent(last) : undefined;
  return code === undefined || !lacksWhatItTakes(code);
}

/**
 * Starts candidates in their order until one was executed: an unknown workflow, an unknown kind of node, a hang cost that
 * candidate alone. One that completed without the evidence that the row asks for is passed over as well, before anything
 * is judged. Where none serves, the last that was executed stands, as it is ours, or the one that came furthest.
 */
export async function firstExecuted<C extends Candidate>(
  candidates: Candidates<C>,
  start: (candidate: C) => Promise<RunObservation>,
  holds: (run: RunObservation) => boolean = () => true,
): Promise<Tried<C>> {
  const [first, ...others] = candidates;
  let last = { candidate: first, run: await start(first) };
  const tried = [last];
  for (const candidate of others) {
    if (serves(last.run, holds)) return last;
    last = { candidate, run: await start(candidate) };
    tried.push(last);
  }
  return serves(last.run, holds) ? last : furthest(tried, last);
}

/** Whether a candidate's run is the one to judge. */
function serves(run: RunObservation, holds: (run: RunObservation) => boolean): boolean {
  return isExecuted(run) && (endOf(eventsOf(run)) !== 'completed' || holds(run));
}

/** The run that came furthest, whose problem tells of the others as well. */
function furthest<C extends Candidate>(tried: readonly Tried<C>[], last: Tried<C>): Tried<C> {
  const found =
    tried.findLast(({ run }) => isExecuted(run)) ??
    tried.find(({ run }) => run.runId !== null) ??
    tried.find(({ run }) => !isUnknown(run)) ??
    last;
  const { candidate, run } = found;
  if (run.problem === null) return found;
  const others = tried.flatMap((each) =>
    each === found ? [] : [`; nor ${each.candidate.workflowId}: ${each.run.problem ?? 'the host lacks something'}`],
  );
  return { candidate, run: copyPacked(run, { problem: run.problem + others.join('') }) };
}
