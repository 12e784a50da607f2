import { observedRecipe } from '../../src/cache-key/index.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { isSound } from '../../src/runner/damage.ts';
import type { KeyObservation } from './observation.ts';

const MOST_ANSWERS = 200;

/**
 * The recipe that the host's keys really follow, from the suite's observations: `rfc-0041`, `rfc-0150`, `null-form` or
 * `unknown`; null where no key was seen. Requests sent in an unusual way or to the second host do not count, nor those
 * that hosts may answer in several ways.
 */
export function recipeObserved(observations: readonly Observation[]): string | null {
  const answers = observations
    .filter((each): each is KeyObservation => each.type === 'key' && isSound('cache-key-portable', each))
    .flatMap(({ name, request, answer, part, variation, secondHost }) =>
      answer.kind === 'key' && part !== 'either' && variation === undefined && secondHost === undefined
        ? [{ name, request, key: answer.key }]
        : [],
    );
  const unique = [...new Map(answers.map((answer) => [answer.request, answer])).values()];
  return unique.length === 0 ? null : observedRecipe(unique.slice(0, MOST_ANSWERS));
}
