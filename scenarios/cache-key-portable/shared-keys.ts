import { pass, undecided, fail, type Outcome } from '../../src/contract/outcome.ts';
import { type Answers, gapIn, isKeyless, keyOf, looksLikeKey, OWNERS, undecidedBy } from './answers.ts';
import { wrong } from './diagnoses.ts';
import { shownAnswer } from './observation.ts';
import { type KeyRequest, requestText } from './requests.ts';

/** Two requests that have nothing in common but their length, the names of their members and a role's place, a longer one, and the first again. */
export const ALIKE: readonly KeyRequest[] = [
  alike('a request', ['openai', 'gpt-4', 'user', 'alpha']),
  alike('another request of the same length', ['google', 'gem-1', 'tool', 'omega']),
  alike('a longer request', ['google', 'gem-1', 'tool', 'omega and more']),
  alike('the first request again', ['openai', 'gpt-4', 'user', 'alpha']),
];

function alike(
  name: string,
  texts: readonly [provider: string, model: string, role: string, content: string],
): KeyRequest {
  const [provider, model, role, content] = texts;
  const messages = JSON.stringify([{ role, content }]);
  const request = requestText({ provider: JSON.stringify(provider), model: JSON.stringify(model), messages });
  return { name, part: 'alike', request };
}

/** Judges that requests which differ in everything get keys of their own: one that is remembered by its length gets another's. */
export function judgeAlike(answers: Answers): Outcome {
  const { keys } = answers;
  if (keys.length < ALIKE.length) return undecided('the requests were not all sent', keys);
  const gap = gapIn(answers, keys);
  if (gap !== undefined) {
    return isKeyless(answers) ? undecidedBy({ reason: gap, owner: OWNERS.rightKeys }, keys) : undecided(gap, keys);
  }
  const [one, other, longer, again] = keys.map(keyOf);
  const odd = keys.find((each) => !looksLikeKey(keyOf(each) ?? ''));
  if (odd !== undefined) {
    const reason = `${shownAnswer(odd.answer)} does not look like a key`;
    return undecidedBy({ reason, owner: OWNERS.rightKeys }, keys);
  }
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
