import { hash } from 'node:crypto';
import type { BodyRecord, ExchangeRecord, RunRecord } from '../src/evidence/types.ts';

const STARTED_AT = '2026-01-01T00:00:00.000Z';

/** The first line of evidence about the scenario `s`. */
export const RUN: RunRecord = {
  kind: 'run',
  evidenceVersion: 1,
  tool: { name: 't', version: '1' },
  target: { baseUrl: 'http://h' },
  options: {},
  scenarios: ['s'],
  startedAt: STARTED_AT,
};

/** A body as it is kept whole. */
export function bodyOf(text: string, more: Partial<BodyRecord> = {}): BodyRecord {
  return { text, bytes: Buffer.byteLength(text), sha256: hash('sha256', text, 'hex'), truncated: false, ...more };
}

/** A request of the scenario `s`, which was not answered. */
export function exchanged(more: Partial<ExchangeRecord> = {}): ExchangeRecord {
  return {
    kind: 'exchange',
    id: 'x1',
    scenario: 's',
    request: { method: 'GET', url: 'http://h/', headers: {} },
    answer: { kind: 'failure', reason: 'reset', message: '' },
    startedAt: STARTED_AT,
    durationMs: 1,
    ...more,
  };
}
