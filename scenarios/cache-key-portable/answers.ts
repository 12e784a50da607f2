import { diagnoseAnswers, type KeyAnswer } from '../../src/cache-key/index.ts';
import { rests, undecided, type Evidence, type Rests, type Undecided } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded, RecipeName } from '../../src/runner/scenario.ts';
import {
  type CutShortObservation,
  isUnobserved,
  type KeyObservation,
  type Part,
  type RecordedKey,
  shownAnswer,
  shownKey,
} from './observation.ts';
import { OTHER_MODEL, PLAIN, PLAIN_AGAIN } from './requests.ts';
import { ofType } from '../shared/of-type.ts';

/** What the requests of a scenario were answered. */
export interface Answers {
  readonly keys: readonly RecordedKey[];
  /** Why fewer requests were sent than planned; undefined where all were. */
  readonly cutShort: string | undefined;
  /** What requests with a wrong key were answered when they were sent once more. */
  readonly again: readonly RecordedKey[];
}

/** The answers to requests of these parts; where none is named, to all that were not only sent again. */
export function answersIn(recorded: readonly Recorded<Observation>[], parts?: readonly Part[]): Answers {
  const isWanted = ({ part }: { readonly part: Part }): boolean => parts?.includes(part) ?? part !== 'again';
  const cut = ofType<CutShortObservation>(recorded, 'cut-short').find(isWanted);
  const keys = ofType<KeyObservation>(recorded, 'key');
  return {
    keys: keys.filter(isWanted),
    again: keys.filter(({ part }) => part === 'again'),
    cutShort: cut && `only ${cut.asked} of ${cut.planned} requests were sent: ${cut.reason}`,
  };
}

/** An answer's key, or undefined. */
export function keyOf(answered: RecordedKey | undefined): string | undefined {
  return answered?.answer.kind === 'key' ? answered.answer.key : undefined;
}

/** The key of the request of a name, or undefined. */
export function keyFor(keys: readonly RecordedKey[], name: string | undefined): string | undefined {
  return keyOf(keys.find((each) => each.name === name));
}

/** What a row that needs a key for each of these requests did not get, or undefined. */
export function gapIn({ cutShort }: Answers, keys: readonly RecordedKey[]): string | undefined {
  const without = keys.find(({ answer }) => answer.kind !== 'key');
  return cutShort ?? (without && withoutKey(without));
}

/** The same as what is left of the row; where an answer came that is no key, the row about keys owns the cause. */
export function leftByGap(answers: Answers, keys: readonly RecordedKey[]): Rests | Undecided | undefined {
  const reason = gapIn(answers, keys);
  if (reason === undefined) return undefined;
  const isAnswered = answers.cutShort === undefined && !keys.some(({ answer }) => isUnobserved(answer));
  return isAnswered ? undecidedBy({ reason, owner: OWNERS.rightKeys }, keys) : undecided(reason, keys);
}

/** A request and what came in the place of its key. */
export function withoutKey({ name, answer }: RecordedKey): string {
  return `"${name}" got no key: ${shownAnswer(answer)}`;
}

/** Whether the seam was asked and gave no key at all: that is one defect, whatever the requests were. */
function isKeyless({ keys }: Answers): boolean {
  return keys.length > 0 && keys.every(({ answer }) => answer.kind !== 'key');
}

/** What is left to say of requests of which one got no key, or got what does not look like one. */
export function leftWithoutKeys(answers: Answers): Rests | Undecided | undefined {
  const { keys } = answers;
  const gap = gapIn(answers, keys);
  if (gap !== undefined) {
    return isKeyless(answers) ? undecidedBy({ reason: gap, owner: OWNERS.rightKeys }, keys) : undecided(gap, keys);
  }
  const odd = keys.find((each) => !looksLikeKey(keyOf(each) ?? ''));
  if (odd === undefined) return undefined;
  const reason = `${shownAnswer(odd.answer)} does not look like a key`;
  return undecidedBy({ reason, owner: OWNERS.rightKeys }, keys);
}

/** The checks of this suite that say what the others stand on. */
export const OWNERS = {
  /** Requests get the keys that are computed offline. */
  rightKeys: 'cache-key.reproducible-offline',
  /** The same request gets the same key. */
  sameKeys: 'cache-key.deterministic',
  /** Another request gets another key. */
  otherKeys: 'cache-key.includes-recipe-fields',
} as const;

/** Why nothing can be said about a row, and the check whose failure it is, where there is one. */
export interface Instability {
  readonly reason: string;
  readonly owner?: string;
}

/** The outcome that an instability leaves. */
export function undecidedBy({ reason, owner }: Instability, evidence: Evidence): Undecided | Rests {
  const open = undecided(reason, evidence);
  return owner === undefined ? open : rests(owner, open);
}

/**
 * Whether a string can be a digest in some notation. A seam that echoes its input, or says something else, is no host whose
 * keys could be compared; a vendor recipe may still choose its own notation.
 */
export function looksLikeKey(key: string): boolean {
  return /^[\w+/=:.-]{8,200}\s*$/u.test(key);
}

/** Why nothing can be said about variations: no key at all, another key each time, or one key for everything. */
export function instabilityOf(keys: readonly RecordedKey[]): Instability | undefined {
  const owner = OWNERS.rightKeys;
  for (const name of [PLAIN, PLAIN_AGAIN, OTHER_MODEL]) {
    const plain = keys.find((each) => each.name === name);
    if (plain === undefined) return { reason: 'the plain requests were not all sent' };
    const key = keyOf(plain);
    if (key === undefined) return { reason: `the plain request ${withoutKey(plain)}`, owner };
    if (!looksLikeKey(key)) return { reason: `${shownKey(key)} does not look like a key`, owner };
  }
  const [first, again, other] = [PLAIN, PLAIN_AGAIN, OTHER_MODEL].map((name) => keyFor(keys, name));
  if (first !== again) return { reason: 'the same plain request gets another key each time', owner: OWNERS.sameKeys };
  return first === other ? { reason: 'the key is the same for another model', owner: OWNERS.otherKeys } : undefined;
}

/** The answers that hold a key, as the diagnosis reads them. */
export function keyAnswers(keys: readonly RecordedKey[]): readonly KeyAnswer[] {
  return keys.flatMap(({ name, request, answer }) =>
    answer.kind === 'key' ? [{ name, request, key: answer.key }] : [],
  );
}

/** The wrong rules that account for these keys, or undefined where none do or nothing is wrong. */
export function diagnosisOf(keys: readonly RecordedKey[], recipe: RecipeName): Diagnosis | undefined {
  const diagnosis = diagnoseAnswers(keyAnswers(keys), recipe);
  return diagnosis.kind === 'explained' ? diagnosisBy(diagnosis.explanation) : undefined;
}

/** Wrong rules that hold together, as one cause. */
export function diagnosisBy({ codes, message }: { readonly codes: readonly string[]; readonly message: string }) {
  return { code: codes.join('+'), message } satisfies Diagnosis;
}

/** What the host does where the documents leave it a choice (readings.md, either), as the reason of a pass. */
export function choicesIn(keys: readonly RecordedKey[]): string | undefined {
  const choices = keys
    .filter(({ part, like }) => part === 'either' && like !== undefined)
    .map((each) => `${each.name}: ${choiceIn(each, keyFor(keys, each.like))}`);
  return joined(choices);
}

function choiceIn(each: RecordedKey, other: string | undefined): string {
  const key = keyOf(each);
  if (key === undefined) return shownAnswer(each.answer);
  return `${key === other ? 'the same key as' : 'another key than'} "${each.like ?? ''}"`;
}

/** Remarks in one text; undefined where there is none. */
export function joined(remarks: readonly (string | undefined)[]): string | undefined {
  return remarks.filter((text) => text !== undefined).join('; ') || undefined;
}
