import { phase4 } from '../../src/contract/gates.ts';
import type { Diagnosis, Judgement } from '../../src/contract/verdict.ts';
import { type Recorded } from '../../src/runner/scenario.ts';
import { type Ask, askKeys, lineTo } from './ask.ts';
import { after, before } from './invariance-asks.ts';
import { base, baseAgain, judgeInvariance, keyOf } from './judge-invariance.ts';
import { type CacheKeyObservation, keysOf, type RecordedKey } from './observation.ts';
import { requestText } from './requests.ts';
import { seamRow } from './seam-row.ts';
import { catalogued } from './diagnoses.ts';

const id = 'cache-key.excludes-transport';
const title = 'Headers, credentials, tenant and connection do not influence the key';

const headers: Readonly<Record<string, string>> = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'vendor=1',
  'x-request-id': 'conformance-request-1',
  'x-correlation-id': 'conformance-correlation-1',
  cookie: 'session=conformance',
  'x-tenant-id': 'conformance-tenant',
  'user-agent': 'conformance/2',
  'accept-language': 'sv',
  'idempotency-key': 'conformance-key-1',
};

const identifying = new Set(['traceparent', 'tracestate', 'x-request-id', 'x-correlation-id', 'idempotency-key']);
const otherTenant = "the second tenant's credential";
const pinned = 'x-request-id twice';

function varied(variation: string, sent: Readonly<Record<string, string>>): Ask {
  return { name: variation, part: 'probe', request: requestText(), variation, headers: sent };
}

const asks: readonly Ask[] = [
  ...before,
  ...Object.entries(headers).map(([name, value]) => varied(name, { [name]: value })),
  varied(pinned, { 'x-request-id': 'conformance-request-1' }),
  varied('all of them together', headers),
  varied('a fresh connection', { connection: 'close' }),
  ...after,
];

const code = (name: string): string | undefined => {
  if (name === 'x-tenant-id' || name === otherTenant) return 'tenant-in-key';
  return identifying.has(name) || name === pinned ? 'request-id-in-key' : undefined;
};

const messages: Readonly<Record<string, string>> = {
  'tenant-in-key': 'the tenant enters the key',
  'request-id-in-key': 'a request id or trace context enters the key',
};

function diagnose(changed: readonly RecordedKey[]): Diagnosis | undefined {
  const codes = [...new Set(changed.map(({ name }) => code(name)).filter((found) => found !== undefined))];
  const [first] = codes;
  if (first === undefined) return undefined;
  return { code: codes.join('+'), message: codes.map((each) => messages[each] ?? each).join('; ') };
}

/** Without a request id of its own each request gets another key, with the same one it gets the same key. */
function requestIdFailure(observations: readonly Recorded<CacheKeyObservation>[]): Judgement | undefined {
  const keys = keysOf(observations);
  const named = (name: string): RecordedKey | undefined => keys.find((each) => each.name === name);
  const [first, again, one, same] = [base, baseAgain, 'x-request-id', pinned].map(named);
  const unpinnedDiffer = keyOf(first) !== undefined && keyOf(again) !== undefined && keyOf(first) !== keyOf(again);
  if (!unpinnedDiffer || keyOf(one) === undefined || keyOf(one) !== keyOf(same)) return undefined;
  return {
    check: id,
    verdict: 'fail',
    expected: 'the key of the same request without the header',
    actual: 'the same key only where x-request-id is the same, another one each time without it',
    diagnosis: catalogued('request-id-in-key'),
    evidence: [first, again, one, same].flatMap((each) => (each === undefined ? [] : [each.id])),
  };
}

/** replay.md §A, 0041 §E: nothing of the way that a request takes is part of it. */
export const excludesTransport = seamRow({
  id,
  title,
  gate: phase4,
  drive: async (probe) => {
    const own = await askKeys(lineTo(probe), asks);
    if (probe.otherTenant === undefined) return own;
    const others = await askKeys(lineTo(probe, probe.otherTenant), [varied(otherTenant, {})]);
    return [...own, ...others];
  },
  judge: (observations) =>
    requestIdFailure(observations) ??
    judgeInvariance(observations, {
      check: id,
      expected: 'the key of the same request, sent plainly',
      diagnose,
    }),
});
