import { phase4 } from '../../src/contract/gates.ts';
import { fail, type Outcome } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { type Answers, keyOf } from './answers.ts';
import { catalogued } from './diagnoses.ts';
import { judgeInvariance } from './judge-invariance.ts';
import type { RecordedKey } from './observation.ts';
import { after, before, type KeyRequest, PLAIN, PLAIN_AGAIN, requestText } from './requests.ts';
import { SEAM_SCENARIO } from './seam-scenario.ts';
import { lineTo, send, withRepeats } from './send.ts';

const row = {
  id: 'cache-key.excludes-transport',
  title: 'Headers, credentials, tenant and connection do not influence the key',
};

const HEADERS: Readonly<Record<string, string>> = {
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

const OTHER_TENANT = "the second tenant's credential";
const PINNED = 'x-request-id twice';

/** The mistake that a variation shows which changes the key. */
const CODES: Readonly<Record<string, string>> = {
  'x-tenant-id': 'tenant-in-key',
  [OTHER_TENANT]: 'tenant-in-key',
  traceparent: 'request-id-in-key',
  tracestate: 'request-id-in-key',
  'x-request-id': 'request-id-in-key',
  'x-correlation-id': 'request-id-in-key',
  'idempotency-key': 'request-id-in-key',
  [PINNED]: 'request-id-in-key',
};

const MESSAGES: Readonly<Record<string, string>> = {
  'tenant-in-key': 'the tenant enters the key',
  'request-id-in-key': 'a request id or trace context enters the key',
};

function varied(variation: string, sent: Readonly<Record<string, string>>): KeyRequest {
  return { name: variation, part: 'probe', request: requestText(), variation, headers: sent };
}

const REQUESTS: readonly KeyRequest[] = [
  ...before,
  ...Object.entries(HEADERS).map(([name, value]) => varied(name, { [name]: value })),
  varied(PINNED, { 'x-request-id': 'conformance-request-1' }),
  varied('all of them together', HEADERS),
  varied('a fresh connection', { connection: 'close' }),
  ...after,
];

function diagnose(changed: readonly RecordedKey[]): Diagnosis | undefined {
  const codes = [...new Set(changed.flatMap(({ name }) => CODES[name] ?? []))];
  if (codes.length === 0) return undefined;
  return { code: codes.join('+'), message: codes.map((code) => MESSAGES[code] ?? code).join('; ') };
}

/** Without a request id of its own each request gets another key, with the same one it gets the same key. */
function requestIdFailure({ keys }: Answers): Outcome | undefined {
  const named = (name: string): RecordedKey | undefined => keys.find((each) => each.name === name);
  const shown = [PLAIN, PLAIN_AGAIN, 'x-request-id', PINNED].map(named).filter((each) => each !== undefined);
  const [first, again, one, same] = shown.map(keyOf);
  if (first === undefined || again === undefined || one === undefined) return undefined;
  if (first === again || one !== same) return undefined;
  const mismatch = {
    expected: 'the key of the same request without the header',
    actual: 'the same key only where x-request-id is the same, another one each time without it',
    diagnosis: catalogued('request-id-in-key'),
  };
  return fail(mismatch, shown);
}

/** replay.md §A, 0041 §E: nothing of the way that a request takes is part of it. */
export const excludesTransport = defineScenario({
  ...SEAM_SCENARIO,
  ...row,
  gate: phase4,
  drive: async (probe, { recipe }) => {
    const own = await send(lineTo(probe), REQUESTS);
    const { otherTenant } = probe;
    const other = otherTenant === undefined ? [] : await send(lineTo(probe, otherTenant), [varied(OTHER_TENANT, {})]);
    return withRepeats(lineTo(probe), [...own, ...other], recipe);
  },
  checks: [
    {
      ...row,
      judge: (answers) =>
        requestIdFailure(answers) ??
        judgeInvariance(answers, { expected: 'the key of the same request, sent plainly', diagnose }),
    },
  ],
});
