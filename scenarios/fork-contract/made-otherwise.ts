import { member } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { readJsonText } from '../../src/host/json.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { isRun } from '../shared/every-run.ts';
import { isOfOtherMode, MADE_OTHERWISE } from '../shared/other-mode.ts';
import { accepted, bodyOf, type Requested } from '../shared/requested.ts';
import type { ForkFacts, RunObservation } from '../shared/run-observation.ts';

/** What is left of a fork of which the answer itself says that it is another one than was requested; undefined for all others. */
export function madeOtherwise(
  isMeant: (fork: ForkFacts, answer: Json) => boolean,
): (observation: Recorded<Observation>) => Partial<RunObservation> | undefined {
  return (observation) => {
    if (!isRun(observation) || observation.fork === null) return undefined;
    if (!isMeant(observation.fork, observation.answer)) return undefined;
    return { runId: null, problem: MADE_OTHERWISE, events: [], snapshot: null };
  };
}

/** Whether an answer names another start than was requested. */
export function isFromElsewhere({ fromSeq }: Pick<ForkFacts, 'fromSeq'>, answer: unknown): boolean {
  const named = member(answer, 'fromSeq');
  return fromSeq !== null && typeof named === 'number' && named !== fromSeq;
}

/** Whether a request for a fork was carried out, by its answer, in the other mode. */
export function carriedOutOtherwise(requested: Requested): boolean {
  const mode = requestedMember(requested, 'mode');
  return (mode === 'replay' || mode === 'branch') && accepted(requested) && isOfOtherMode({ mode }, bodyOf(requested));
}

/** Whether a request for a fork was carried out, by its answer, from somewhere else. */
export function carriedOutElsewhere(requested: Requested): boolean {
  const wanted = requestedMember(requested, 'fromSeq');
  const named = member(bodyOf(requested), 'fromSeq');
  return wanted !== undefined && accepted(requested) && typeof named === 'number' && named !== wanted;
}

/** A member of the body of a request; undefined where it has none, or is no JSON. */
export function requestedMember({ request }: Requested, name: string): unknown {
  const read = readJsonText(request);
  return read.ok ? member(read.value, name) : undefined;
}
