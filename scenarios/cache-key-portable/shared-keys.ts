import { pass, undecided, fail, type Outcome } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { rightKeyOf } from '../../src/cache-key/index.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';
import type { RecordedKey } from './observation.ts';
import { type Answers, keyAnswers, keyOf, leftWithoutKeys, OWNERS, undecidedBy } from './answers.ts';
import { wrong } from './diagnoses.ts';
import { type KeyRequest, requestText } from './requests.ts';

/** Two requests of one length with other models and other contents, a longer one, and the first again; no host may refuse one of them. */
export const ALIKE: readonly KeyRequest[] = [
  alike('a request', ['gpt-4', 'alphas']),
  alike('another request of the same length', ['gpt-4o', 'omega']),
  alike('a longer request', ['gpt-4o', 'omega and more']),
  alike('the first request again', ['gpt-4', 'alphas']),
];

function alike(name: string, [model, content]: readonly [model: string, content: string]): KeyRequest {
  const messages = JSON.stringify([{ role: 'user', content }]);
  return { name, part: 'alike', request: requestText({ model: JSON.stringify(model), messages }) };
}

/** Judges that requests which differ in everything get keys of their own: one that is remembered by its length gets another's. */
export function judgeAlike(answers: Answers): Outcome {
  const { keys } = answers;
  if (keys.length < ALIKE.length) return undecided('the requests were not all sent', keys);
  const left = leftWithoutKeys(answers);
  if (left !== undefined) return left;
  const [one, other, longer, again] = keys.map(keyOf);
  if (one !== again)
    return undecidedBy({ reason: 'one request gets another key each time', owner: OWNERS.sameKeys }, keys);
  if (one !== other) return pass(keys);
  if (other === longer)
    return undecidedBy({ reason: 'every request gets the same key', owner: OWNERS.otherKeys }, keys);
  const [first, second] = ALIKE;
  return fail(
    {
      expected: `different keys for ${first?.name ?? ''} and ${second?.name ?? ''}`,
      actual: `${one ?? ''} for both, another key for one that is longer`,
      diagnosis: wrong('keys-shared'),
      steps: keys.slice(0, 2).map(({ id }) => id),
    },
    keys,
  );
}

/** The cause where all requests that got a key got the same one, although the recipe gives them several; undefined elsewhere. */
export function sharedByAll(keys: readonly RecordedKey[], recipe: RecipeName): Diagnosis | undefined {
  const given = keyAnswers(keys);
  const isOne = given.every(({ key }) => key === given[0]?.key);
  const right = new Set(given.map(({ request }) => rightKeyOf(request, recipe)));
  return isOne && right.size > 1 ? wrong('keys-shared') : undefined;
}
