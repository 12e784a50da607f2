import { describe, expect, it } from 'vitest';
import { defaultParts, type HostParts } from '../reference-host/index.ts';
import type { JsonObject } from '../reference-host/json.ts';
import { MAX_JSON_DEPTH } from '../src/evidence/json-depth.ts';
import type { Report } from '../src/contract/report.ts';
import { runWithParts } from '../src/kill-matrix/run-mutant.ts';
import { DRIVEN } from './liars/driven.ts';
import { sampled } from './sampled.ts';
import { onWire, rewritingJson } from './variants/wire.ts';
import { reportWithin } from './report-within.ts';

const LEVELS = MAX_JSON_DEPTH + 144;
/** A value that nests deeper than what is read: valid JSON all the same. */
const DEEP: unknown = JSON.parse('['.repeat(LEVELS) + ']'.repeat(LEVELS));

function inRefusals(body: JsonObject, { ok }: Response): JsonObject {
  return ok ? body : { ...body, details: DEEP };
}

/** Answers with one member more, which no document names; refusals, which are closed, have it in their details. */
function at(path: RegExp): Partial<HostParts> {
  return rewritingJson(path, (body, response) =>
    response.ok ? { ...body, acmeDeep: DEEP } : inRefusals(body, response),
  )();
}

interface Host {
  readonly what: string;
  readonly parts: Partial<HostParts>;
  /** Where every run is waited for in vain: within it all is seen, unless the machine is busy. */
  readonly timeoutMs?: number;
}

const HOSTS: readonly Host[] = [
  { what: 'new runs', parts: at(/^\/v1\/runs$/u) },
  { what: 'poll pages', parts: at(/\/events\/poll$/u) },
  { what: 'interrupts and cancellations', parts: at(/\/(?:interrupts\/[^/]+|cancel)$/u) },
  { what: 'differences of runs', parts: at(/:diff$/u) },
  { what: 'forks', parts: at(/:fork$/u) },
  { what: 'test seams', parts: at(/^\/v1\/host\//u) },
  { what: 'refusals', parts: rewritingJson(/^/u, inRefusals)() },
  { what: 'annotations', parts: at(/\/annotations(?:\/|$)/u) },
  { what: 'the discovery document', parts: at(/^\/\.well-known\//u) },
  { what: 'events', parts: onWire((shown) => ({ ...shown, acmeDeep: DEEP }))(defaultParts), timeoutMs: 300 },
  { what: 'everything but the document', parts: at(/^(?!\/\.well-known\/)/u) },
  { what: 'snapshots', parts: at(/^\/v1\/runs\/[^/:]+$/u) },
];

const TOO_DEEP = `nests deeper than ${MAX_JSON_DEPTH} levels`;

/** Why checks are open, a line each. */
function openIn({ checks }: Pick<Report, 'checks'>): string {
  return checks.flatMap(({ verdict, reason = '' }) => (verdict === 'inconclusive' ? [reason] : [])).join('\n');
}

describe.concurrent('answers that nest deeper than what is read', () => {
  it.each(sampled(HOSTS, 12))(
    'are no fault of the host, and are named: $what',
    async ({ parts, timeoutMs = 6_000 }) => {
      const { checks } = await reportWithin(
        [timeoutMs, 20 * timeoutMs],
        (limit) => runWithParts(DRIVEN, parts, { crash: 'few', timeoutMs: limit }),
        (report) => openIn(report).includes(TOO_DEEP),
      );
      const failed = checks.filter(({ verdict }) => verdict === 'fail');
      expect(failed.map(({ id, expected = '', actual = '' }) => `${id}: ${expected}; ${actual}`)).toEqual([]);
      expect(openIn({ checks })).toContain(TOO_DEEP);
    },
  );
});
