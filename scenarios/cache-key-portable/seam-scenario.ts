import type { Probe } from '../../src/host/probe.ts';
import type { Recorded, RecipeName, ScenarioOptions } from '../../src/runner/scenario.ts';
import { answersIn } from './answers.ts';
import type { CacheKeyObservation } from './observation.ts';
import type { KeyRequest } from './requests.ts';
import { lineTo, seamNeed, send, withRepeats } from './send.ts';

/** What the scenarios have in common that send requests to the seam and judge what all of them were answered. */
export const SEAM_SCENARIO = {
  suite: 'cache-key-portable',
  needs: [seamNeed],
  see: (recorded: readonly Recorded<CacheKeyObservation>[]) => answersIn(recorded),
};

/** The drive that sends the requests of a row, each once; those that got a wrong key once more. */
export function sending(requestsFor: (recipe: RecipeName) => readonly KeyRequest[]) {
  return async (probe: Probe, { recipe }: ScenarioOptions): Promise<readonly CacheKeyObservation[]> =>
    withRepeats(lineTo(probe), await send(lineTo(probe), requestsFor(recipe)), recipe);
}
