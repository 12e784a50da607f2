import { rightKeyOf } from '../../src/cache-key/index.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';
import { type Ask, askKeys, type Line } from './ask.ts';
import type { CacheKeyObservation } from './observation.ts';

/** Requests that are sent once more for one scenario: a host that is wrong everywhere shows it by a few. */
const most = 4;

/**
 * Sends requests that got a wrong key once more, as they were sent: a key that changes by itself is no rule about what the
 * request holds (0041 §E). Says nothing where all keys were right.
 */
export async function askAgain(
  line: Line,
  observations: readonly CacheKeyObservation[],
  recipe: RecipeName,
): Promise<readonly CacheKeyObservation[]> {
  const wrong = observations.flatMap((each) =>
    each.type === 'key' &&
    each.variation === undefined &&
    each.secondHost === undefined &&
    each.answer.kind === 'key' &&
    rightKeyOf(each.request, recipe) !== each.answer.key
      ? [each.request]
      : [],
  );
  const asks = [...new Set(wrong)]
    .slice(0, most)
    .map((request): Ask => ({ name: 'a request with a wrong key, sent again', part: 'again', request }));
  return asks.length === 0 || line.signal.aborted ? [] : askKeys(line, asks);
}
