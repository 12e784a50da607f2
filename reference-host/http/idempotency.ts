import { createHash } from 'node:crypto';
import type { FailpointStep } from '../store/failpoints.ts';
import type { StoredAnswer } from '../store/of-tenants.ts';
import type { Store } from '../store/store.ts';
import { invalid, refusal, respond, type Answer } from '../types/answers.ts';
import { readBody } from './body.ts';
import type { Call } from './route.ts';

/** Visible ASCII of bounded length: what a header can carry without loss. */
const KEY = /^[\x21-\x7e]{1,255}$/;

export interface Creation {
  /** Names the operation and what it works on, so that one key may be used at several places. */
  readonly endpoint: string;
  /** The write that the creation is, for failpoints. */
  readonly step: FailpointStep;
  readonly create: (body: unknown) => Answer;
}

/**
 * Carries out a creating request at most once per Idempotency-Key, tenant and endpoint (wire contract, Layer 1). A duplicate
 * gets the stored answer again, marked; another body under the same key is 409. `create` runs together with the storing
 * of its answer in one transaction and without giving up the thread, so concurrent duplicates find either nothing or the
 * finished answer. Refusals are not stored: they have created nothing.
 */
export async function once(store: Store, call: Call, { endpoint, step, create }: Creation): Promise<Response> {
  const body = await readBody(call.request);
  if (!body.ok) return respond(body.answer);
  const key = call.request.headers.get('idempotency-key');
  if (key === null) return respond(store.atomically(() => create(body.value), step));
  if (!KEY.test(key)) return respond(invalid('Idempotency-Key must be 1 to 255 visible ASCII characters.'));
  const place = { tenant: call.tenant, endpoint, key };
  const requestSha256 = createHash('sha256').update(body.text, 'utf8').digest('hex');
  const answered = (): Answer | undefined => storedAnswer(store.idempotency.get(place), requestSha256);
  const earlier = answered();
  if (earlier !== undefined) return respond(earlier);
  const answer = store.atomically(() => {
    // Another region's process may have been faster.
    const other = answered();
    if (other !== undefined) return other;
    const made = create(body.value);
    if (made.status < 300) {
      store.idempotency.put(place, { requestSha256, status: made.status, body: JSON.stringify(made.body) });
    }
    return made;
  }, step);
  return respond(answer);
}

/** The answer to a duplicate of a request that was answered before; undefined where it is the first. */
function storedAnswer(stored: StoredAnswer | undefined, requestSha256: string): Answer | undefined {
  if (stored === undefined) return undefined;
  if (stored.requestSha256 !== requestSha256) return keyReused();
  const body: unknown = JSON.parse(stored.body);
  return { status: stored.status, body, headers: { 'openwop-Idempotent-Replay': 'true' } };
}

function keyReused(): Answer {
  return refusal(409, 'idempotency_key_conflict', 'This Idempotency-Key was used with another request body.');
}
