import { rightKeyOf } from '../../src/cache-key/index.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';
import type { Generated } from './generate.ts';
import type { Library } from '../shared/generate-text.ts';
import { reductions } from './reductions.ts';
import { type Line, sendOne } from './send.ts';
import { isUnobserved, type KeyAnswered, type KeyObservation } from './observation.ts';

/** Requests that one shrinking may cost. */
const BUDGET = 300;

/** Whether an answer to a valid request is wrong; an answer that says nothing about the request is not. */
export function isMismatch(request: string, answer: KeyAnswered, recipe: RecipeName): boolean {
  if (isUnobserved(answer)) return false;
  return answer.kind !== 'key' || rightKeyOf(request, recipe) !== answer.key;
}

/** What is made smaller, and within which time. */
interface Shrinking {
  readonly generated: Generated;
  readonly recipe: RecipeName;
  readonly withinMs: number;
}

/**
 * Makes a generated request that the host answers wrongly as small as it can while the host goes on answering wrongly, and
 * returns the smallest one sent. Stops at its budget, when the signal aborts and at a deadline in milliseconds.
 */
export async function shrink(
  fc: Library,
  line: Line,
  { generated, recipe, withinMs }: Shrinking,
): Promise<KeyObservation | undefined> {
  let smallest: KeyObservation | undefined;
  let sent = 0;
  const deadline = performance.now() + withinMs;
  const holds = async (request: string): Promise<boolean> => {
    if (sent >= BUDGET || line.signal.aborted || performance.now() > deadline) return true;
    sent += 1;
    const observation = await sendOne(line, { name: 'smallest wrong request', part: 'shrunk', request });
    if (!isMismatch(request, observation.answer, recipe)) return true;
    if (smallest === undefined || request.length < smallest.request.length) smallest = observation;
    return false;
  };
  await fc.check(fc.asyncProperty(generated.hazard.requests, holds), {
    seed: generated.seed,
    numRuns: 1,
    interruptAfterTimeLimit: withinMs,
  });
  for (let again = smallest; again !== undefined;) again = await smallerStill(again.request, holds, () => smallest);
  return smallest;
}

/** Tries every request one step smaller; the first that is answered wrongly too is where to go on from. */
async function smallerStill(
  request: string,
  holds: (request: string) => Promise<boolean>,
  found: () => KeyObservation | undefined,
): Promise<KeyObservation | undefined> {
  for (const candidate of reductions(request)) if (!(await holds(candidate))) return found();
  return undefined;
}
