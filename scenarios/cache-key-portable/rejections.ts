import { canonicalRecipe, type Gate, phase4 } from '../../src/contract/gates.ts';
import { fail, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { isClientError, saysNothing } from '../../src/protocol/status.ts';
import type { RecipeName, Scenario } from '../../src/runner/scenario.ts';
import {
  type Answers,
  diagnosisOf,
  type Instability,
  instabilityOf,
  joined,
  keyOf,
  OWNERS,
  undecidedBy,
} from './answers.ts';
import { type RecordedKey, shownAnswer } from './observation.ts';
import {
  after,
  before,
  control,
  type KeyRequest,
  OTHER_MODEL,
  probe,
  requestText,
  withContent,
  withParameters,
  withSchema,
} from './requests.ts';
import { keyScenario, sending } from './send.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { stumblesOverBody } from '../shared/envelope.ts';
import { wrong as naming } from './diagnoses.ts';

/** A row of requests that must get no key. */
interface RejectionRow {
  readonly id: string;
  readonly title: string;
  readonly gate: Gate;
  readonly requests: readonly KeyRequest[];
  readonly expected: string;
  /** Whether hosts with a recipe of their own are judged, too. */
  readonly mayBeVendors?: boolean;
  /** Whether an answer breaks the row. */
  readonly isWrong: (answered: RecordedKey) => boolean;
  /** What is odd about an answer that does not. */
  readonly advise?: (answered: RecordedKey) => string | undefined;
  readonly diagnose?: (keys: readonly RecordedKey[], recipe: RecipeName) => Diagnosis | undefined;
}

/** Whether the host stumbled over a body that it could not read. */
function isUnread({ request, answer }: RecordedKey): boolean {
  return answer.kind === 'refused' && answer.key === undefined && stumblesOverBody(request, answer.status);
}

function isUnobserved({ answer }: RecordedKey): boolean {
  return answer.kind === 'failure' || (answer.kind === 'refused' && saysNothing(answer.status, 'refusal'));
}

/**
 * Judges refusals. Passes only when valid siblings got keys that look right: a digest, the same for the
 * same request and another for another one. A host that refuses everything proves nothing.
 */
function judge(answers: Answers, row: RejectionRow, recipe: RecipeName): Outcome {
  const { keys, cutShort } = answers;
  const probes = keys.filter((each) => each.part === 'probe' && !isBlind(each, keys));
  const wrong = probes.filter((each) => !isUnobserved(each) && row.isWrong(each));
  const [first] = wrong;
  const instability = instabilityOf(keys) ?? oddKey(keys, row);
  if (first !== undefined && (instability === undefined || first.answer.kind === 'key')) {
    const diagnosis = row.diagnose?.(keys, recipe) ?? naming('not-refused');
    const actual = wrong.map(({ name, answer }) => `${name}: ${shownAnswer(answer)}`).join('; ');
    const restsOn = wrong.every(isUnread) ? FOUNDATIONS.bodies : undefined;
    return fail({ expected: row.expected, actual, diagnosis, restsOn }, wrong);
  }
  if (instability !== undefined) {
    const reason = `valid requests do not get proper keys: ${instability.reason}`;
    return undecidedBy({ ...instability, reason }, keys);
  }
  const unseen = probes.find(isUnobserved);
  const missing = cutShort ?? (unseen && `"${unseen.name}": ${shownAnswer(unseen.answer)}`);
  if (missing !== undefined) return undecided(missing, keys);
  return pass(keys, joined(probes.map((each) => row.advise?.(each))));
}

/** Whether the host's key does not heed the field at all, so that a key for the probe says nothing about its value. */
function isBlind({ like }: RecordedKey, keys: readonly RecordedKey[]): boolean {
  const sibling = keys.find(({ name }) => name === like);
  const key = keyOf(sibling);
  return keys.some(
    (other) =>
      key !== undefined && other.part === 'control' && other.request !== sibling?.request && keyOf(other) === key,
  );
}

/** A digest as replay.md writes it. */
const DIGEST = /^[0-9a-f]{64}$/iu;

/** A digest in whatever notation, as a vendor's recipe may have it (readings.md, LLM cache key), perhaps behind a prefix. */
const OWN_DIGEST = /[\w+/-]{32,}=*$/u;

/** A valid request whose key is no digest, where another notation cannot be the recipe's own: what it shows is not known. */
function oddKey(keys: readonly RecordedKey[], { mayBeVendors = false }: RejectionRow): Instability | undefined {
  const digest = mayBeVendors ? OWN_DIGEST : DIGEST;
  const odd = keys.find(({ part, answer }) => part === 'control' && answer.kind === 'key' && !digest.test(answer.key));
  return odd && { reason: `"${odd.name}" got ${shownAnswer(odd.answer)}`, owner: OWNERS.rightKeys };
}

/** The scenario of a row about requests that must get no key. */
function rejectionScenario(row: RejectionRow): Scenario {
  const { id, title, gate, requests } = row;
  return keyScenario({
    id,
    title,
    gate,
    drive: sending(() => [...before, ...requests, ...after]),
    judge: (answers, { options: { recipe } }) => judge(answers, row, recipe),
  });
}

function withDescription(text: string): string {
  return requestText({ tools: `[{"description":"${text}","name":"lookup","parameters":{}}]` });
}

/** replay.md §B.2, RFC 8785 §3.1 and §3.2.2: canonicalisation stops, so there is nothing to hash. */
export const rejectsNonJsonValues = rejectionScenario({
  id: 'cache-key.rejects-non-json-values',
  title: 'A value without an RFC 8785 form, a lone surrogate or a number beyond a double, gets no key',
  gate: canonicalRecipe,
  requests: [
    // The same fields with values that do have a form: a host that hashes them must give them keys of their own.
    control('a name in a schema', withSchema('{"a":1}')),
    control('another name in a schema', withSchema('{"b":2}')),
    control('temperature 0.5', requestText({ temperature: '0.5' })),
    control('a tool', withDescription('a')),
    control('another tool', withDescription('b')),
    control('a parameter', withParameters('{"title":"a"}')),
    control('another parameter', withParameters('{"title":"b"}')),
    probe('a lone high surrogate in content', withContent(String.raw`"a\ud800b"`)),
    probe('a lone low surrogate in content', withContent(String.raw`"\udc00"`)),
    probe('surrogates in the wrong order', withContent(String.raw`"\ude00\ud83d"`)),
    probe('a lone surrogate in a name', withSchema(String.raw`{"\ud800":1}`), 'a name in a schema'),
    probe('a lone surrogate in a block', withContent(String.raw`[{"text":"a\ud800","type":"text"}]`)),
    probe("a lone surrogate in a tool's description", withDescription(String.raw`\ud800`), 'a tool'),
    probe("a lone surrogate in a tool's parameters", withParameters(String.raw`{"title":"\udc00"}`), 'a parameter'),
    probe('a lone surrogate in the model', requestText({ model: String.raw`"gpt\udfff"` }), OTHER_MODEL),
    probe('1e400 as temperature', requestText({ temperature: '1e400' }), 'temperature 0.5'),
    probe('-1e400 in a schema', withSchema('{"const":-1e400}'), 'a name in a schema'),
  ],
  expected: 'no key, whatever the status',
  isWrong: ({ answer }) => answer.kind === 'key' || (answer.kind === 'refused' && answer.key !== undefined),
  advise: ({ name, answer }) =>
    answer.kind === 'no-key' || (answer.kind === 'refused' && answer.status >= 500)
      ? `${name}: ${shownAnswer(answer)}, where a 4xx would be expected`
      : undefined,
  // A rule that the keys of valid requests disprove is none of this host's.
  diagnose: diagnosisOf,
});

/** replay.md §A: the three fields that are not optional. */
export const rejectsMalformed = rejectionScenario({
  id: 'cache-key.rejects-malformed',
  title: 'A request without provider, model or messages is refused with a 4xx and gets no key',
  gate: phase4,
  mayBeVendors: true,
  requests: [
    probe('provider missing', '{"model":"gpt-4","messages":[{"role":"user","content":"hello"}]}'),
    probe('model missing', '{"provider":"openai","messages":[{"role":"user","content":"hello"}]}'),
    probe('messages missing', '{"provider":"openai","model":"gpt-4"}'),
    probe('messages no array', requestText({ messages: '"hello"' })),
    probe('messages null', requestText({ messages: 'null' })),
    probe('an empty object', '{}'),
    probe('an array', `[${requestText()}]`),
    probe('a string', '"hello"'),
    probe('not JSON', '{"provider":"openai",'),
  ],
  expected: 'a 4xx and no key',
  isWrong: ({ answer }) => answer.kind !== 'refused' || !isClientError(answer.status) || answer.key !== undefined,
});
