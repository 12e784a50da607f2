import { diagnoseAnswers } from '../../src/cache-key/index.ts';
import { phase4 } from '../../src/contract/gates.ts';
import { fail, idsOf, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { isClientError, isForAnotherTime } from '../../src/protocol/status.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';
import {
  type Answers,
  choicesIn,
  diagnosisBy,
  gapIn,
  instabilityOf,
  keyAnswers,
  keyFor,
  keyOf,
  OWNERS,
  undecidedBy,
  withoutKey,
} from './answers.ts';
import { catalogued } from './diagnoses.ts';
import { everyExcludedField } from './excluded-fields.ts';
import type { CacheKeyObservation, RecordedKey } from './observation.ts';
import { isRefusal } from './refusable.ts';
import {
  after,
  before,
  either,
  type KeyRequest,
  PLAIN,
  PLAIN_AGAIN,
  probe as asProbe,
  requestText,
} from './requests.ts';
import { lineTo, keyScenario, send, sending, withRepeats } from './send.ts';
import { wrong } from './diagnoses.ts';

/** What an invariance row says for itself: `diagnose` names the cause when some variations changed the key. */
interface InvarianceRow {
  readonly expected: string;
  /** The check that owns the cause, where that one fails as well. */
  readonly restsOn?: (changed: readonly RecordedKey[]) => string | undefined;
  /** Checks that own nothing of it. */
  readonly apart?: (changed: readonly RecordedKey[]) => readonly string[] | undefined;
  readonly diagnose: (changed: readonly RecordedKey[], keys: readonly RecordedKey[]) => Diagnosis | undefined;
  /** What a host has to do whose refusals leave the row open, where the documents allow them. */
  readonly takes?: string;
}

/**
 * Judges that no probe's variation changes the key of the plain request. Passes only when the plain request got the same
 * key twice and a change that matters got another one.
 */
export function judgeInvariance(
  answers: Answers,
  { expected, diagnose, restsOn, apart, takes }: InvarianceRow,
): Outcome {
  const { keys, again } = answers;
  const instability = instabilityOf(keys);
  if (instability !== undefined) return undecidedBy(instability, keys);
  const plain = keyFor(keys, PLAIN);
  const probes = keys.filter(({ part }) => part === 'probe');
  const changed = probes.filter(({ answer }) => answer.kind === 'key' && answer.key !== plain);
  if (changed.length > 0) {
    const byItself = (each: RecordedKey): boolean =>
      again.some((other) => other.name === each.name && ![undefined, keyOf(each)].includes(keyOf(other)));
    const lasting = changed.filter((each) => !byItself(each));
    const [shown, owner] = lasting.length > 0 ? [lasting, restsOn?.(lasting)] : [changed, OWNERS.sameKeys];
    // Of keys that change by themselves none tells what changes it.
    const cause = lasting.length === changed.length ? diagnose(shown, keys) : catalogued('salted');
    const diagnosis = cause ?? wrong('field-in-key');
    const actual = `another key with ${shown.map(({ name }) => `"${name}"`).join(', ')}`;
    const sentPlainly = keys.filter(({ name }) => name === PLAIN);
    const steps = idsOf([...sentPlainly, ...shown.slice(0, 1)]);
    return fail({ expected, actual, diagnosis, restsOn: owner, apart: apart?.(shown), steps }, [
      ...shown,
      ...sentPlainly,
    ]);
  }
  const refused = probes.filter(isAllowed);
  const untaken = takes === undefined ? [] : probes.filter(({ answer }) => isRefusal(answer));
  const [first, ...others] = untaken;
  if (takes !== undefined && first !== undefined) {
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    return undecidedUntil(takes, `${withoutKey(first)}${more}: what is refused shows nothing of the key`, keys);
  }
  const gap = gapIn(
    answers,
    probes.filter((each) => !refused.includes(each)),
  );
  if (gap !== undefined) return undecided(gap, keys);
  const notes = [choicesIn(keys), ...refused.map(withoutKey)].filter((note) => note !== undefined);
  return pass(keys, notes.length === 0 ? undefined : notes.join('; '));
}

/** Whether a variation was refused that a host may refuse: what a host refuses for a header enters no key. */
function isAllowed({ answer, mayRefuse }: RecordedKey): boolean {
  if (mayRefuse !== true || answer.kind !== 'refused' || answer.key !== undefined) return false;
  return isClientError(answer.status) && !isForAnotherTime(answer.status);
}

const CHOICES: readonly KeyRequest[] = [
  either(
    'an unknown member in a message',
    requestText({ messages: '[{"role":"user","content":"hello","id":"m1"}]' }),
    'plain',
  ),
  either('a tool', requestText({ tools: '[{"name":"t","parameters":{}}]' })),
  either(
    'an unknown member in a tool',
    requestText({ tools: '[{"name":"t","parameters":{},"strict":true}]' }),
    'a tool',
  ),
];

function fieldRequests(recipe: RecipeName): readonly KeyRequest[] {
  const fields = everyExcludedField(recipe);
  const alone = Object.entries(fields).map(([name, value]) => asProbe(name, requestText({ [name]: value })));
  return [...before, ...alone, asProbe('all of them together', requestText(fields)), ...CHOICES, ...after];
}

function diagnoseFields(changed: readonly RecordedKey[], keys: readonly RecordedKey[], recipe: RecipeName): Diagnosis {
  const diagnosis = diagnoseAnswers(keyAnswers(keys.filter(({ part }) => part !== 'either')), recipe);
  if (diagnosis.kind === 'explained' && diagnosis.explained === diagnosis.total) {
    return diagnosisBy(diagnosis.explanation);
  }
  const names = changed.map(({ name }) => name).join(', ');
  if (changed.length > 1 && changed.length === keys.filter(({ part }) => part === 'probe').length) {
    const message =
      'whatever stands beside the fields of the recipe changes the key: look at what enters it of the body as it was sent, such as its bytes or its length';
    return { code: 'extra-field-included', message };
  }
  return { code: 'extra-field-included', message: `fields outside the recipe enter the key: ${names}` };
}

/** replay.md §A: the set of fields is closed. */
export const excludesNonRecipeFields = keyScenario({
  id: 'cache-key.excludes-non-recipe-fields',
  title: 'No field outside the recipe influences the key, alone or together with others',
  gate: phase4,
  drive: sending(fieldRequests),
  judge: (answers, { options: { recipe } }) =>
    judgeInvariance(answers, {
      expected: 'the key of the same request without the field',
      // Where keys change by themselves, nothing is shown of what changes them.
      restsOn: () => OWNERS.sameKeys,
      diagnose: (changed, keys) => diagnoseFields(changed, keys, recipe),
      takes: 'let the seam take members outside the closed set, and leave them out of the key',
    }),
});

const HEADERS: Readonly<Record<string, string>> = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'vendor=1',
  baggage: 'tenant=conformance',
  'x-b3-traceid': '463ac35c9f6413ad48485a3953bb6124',
  'x-request-id': 'conformance-request-1',
  'x-correlation-id': 'conformance-correlation-1',
  cookie: 'session=conformance',
  'user-agent': 'conformance/2',
  'accept-language': 'sv',
  referer: 'https://example.com/page',
  'x-workspace-id': 'conformance-workspace',
  'x-run-id': 'conformance-run',
  'idempotency-key': '3f2b8c1e-9d4a-4c6b-8e1f-0a2b3c4d5e6f',
};

const TENANT = 'x-tenant-id';
const OTHER_TENANT = "the second tenant's credential";
const PINNED = 'x-request-id twice';

/** The check of a key that only the tenant's credential changes. */
const SAME_KEY = 'cache-key.not-a-security-boundary.same-key';

/** The mistake that a variation shows which changes the key. */
const CODES = new Map([
  ...[TENANT, OTHER_TENANT].map((name) => [name, 'tenant-in-key'] as const),
  ...[
    'traceparent',
    'tracestate',
    'baggage',
    'x-b3-traceid',
    'x-request-id',
    'x-correlation-id',
    'idempotency-key',
    PINNED,
  ].map((name) => [name, 'request-id-in-key'] as const),
]);

function varied(variation: string, sent: Readonly<Record<string, string>>): KeyRequest {
  return { name: variation, part: 'probe', request: requestText(), variation, headers: sent };
}

const TRANSPORT_REQUESTS: readonly KeyRequest[] = [
  ...before,
  ...Object.entries(HEADERS).map(([name, value]) => varied(name, { [name]: value })),
  // Whoever guards its tenants refuses a credential of another one.
  { ...varied(TENANT, { [TENANT]: 'conformance-tenant' }), mayRefuse: true },
  varied(PINNED, { 'x-request-id': 'conformance-request-1' }),
  varied('all of them together, and x-forwarded-for', { ...HEADERS, 'x-forwarded-for': '192.0.2.7' }),
  varied('a fresh connection', { connection: 'close' }),
  ...after,
];

/** The variations that got another key than the plain request, to be sent once more: it may have changed by itself. */
function changingIn(recorded: readonly CacheKeyObservation[], requests: readonly KeyRequest[]): readonly KeyRequest[] {
  const keys = new Map(
    recorded.flatMap((each) =>
      each.type === 'key' && each.answer.kind === 'key' ? [[each.name, each.answer.key]] : [],
    ),
  );
  const changed = requests.filter(
    ({ name, variation }) => variation !== undefined && keys.get(name) !== keys.get(PLAIN),
  );
  return changed.map((each): KeyRequest => ({ ...each, part: 'again' }));
}

function isByCredential(changed: readonly RecordedKey[]): boolean {
  return changed.every(({ name }) => name === OTHER_TENANT);
}

function diagnoseTransport(changed: readonly RecordedKey[]): Diagnosis | undefined {
  const codes = [...new Set(changed.flatMap(({ name }) => CODES.get(name) ?? []))];
  const message = codes.map((code) => catalogued(code).message).join('; ');
  return codes.length === 0 ? undefined : { code: codes.join('+'), message };
}

/** Without a request id of its own each request gets another key, with the same one it gets the same key. */
function requestIdFailure({ keys }: Answers): Outcome | undefined {
  const named = (name: string): RecordedKey | undefined => keys.find((each) => each.name === name);
  const shown = [PLAIN, PLAIN_AGAIN, 'x-request-id', PINNED].map(named).filter((each) => each !== undefined);
  const [first, again, one, same] = shown.map(keyOf);
  if (first === undefined || again === undefined || one === undefined) return undefined;
  // Where some requests get another key by themselves, two of them may get it as if by the header.
  if (new Set([first, again, one]).size < 3 || one !== same) return undefined;
  const mismatch = {
    expected: 'the key of the same request without the header',
    actual: 'the same key only where x-request-id is the same, another one each time without it',
    diagnosis: catalogued('request-id-in-key'),
    apart: [SAME_KEY],
    steps: idsOf(shown),
  };
  return fail(mismatch, shown);
}

/** replay.md §A, 0041 §E: nothing of the way that a request takes is part of it. */
export const excludesTransport = keyScenario({
  id: 'cache-key.excludes-transport',
  title: 'Headers, credentials, tenant and connection do not influence the key',
  gate: phase4,
  drive: async (probe, { recipe }) => {
    const own = await send(lineTo(probe), TRANSPORT_REQUESTS);
    const again = await send(lineTo(probe), changingIn(own, TRANSPORT_REQUESTS));
    const { otherTenant } = probe;
    const asOther = otherTenant === undefined ? [] : [varied(OTHER_TENANT, {})];
    const other = await send(lineTo(probe, otherTenant), asOther);
    const otherAgain = await send(lineTo(probe, otherTenant), changingIn([...own, ...other], asOther));
    return withRepeats(lineTo(probe), [...own, ...again, ...other, ...otherAgain], recipe);
  },
  judge: (answers) =>
    requestIdFailure(answers) ??
    judgeInvariance(answers, {
      expected: 'the key of the same request, sent plainly',
      // Of a second tenant one request is sent: where keys change by themselves, that shows nothing.
      restsOn: (changed) => (isByCredential(changed) ? OWNERS.sameKeys : undefined),
      apart: (changed) => (isByCredential(changed) ? undefined : [SAME_KEY]),
      diagnose: diagnoseTransport,
    }),
});
