import { describe, expect, it } from 'vitest';
import { decide, type Found } from './decide.ts';

const nothing: Found = { stream: 'none', ledger: 'NEW', effect: false, own: false, begun: false };
const decided = (found: Partial<Found>): unknown => decide({ ...nothing, ...found });

describe('the decision about a tool call', () => {
  it('is to execute what nobody has begun (window 1)', () => {
    expect(decided({})).toEqual({ kind: 'AllowExecute', takeOver: false });
    expect(decided({ ledger: 'RECOVERABLE' })).toEqual({ kind: 'AllowExecute', takeOver: true });
  });

  it('is never to execute what another one has declared, and nobody knows the result of (window 2)', () => {
    expect(decided({ stream: 'started', ledger: 'RECOVERABLE' })).toEqual({ kind: 'Rejected' });
    expect(decided({ stream: 'started' })).toEqual({ kind: 'Rejected' });
  });

  it('is to return an effect that the stream lacks, also while the record is in flight (window 3)', () => {
    const result = { kind: 'ReturnRecordedResult', from: 'effect' };
    expect(decided({ stream: 'started', ledger: 'RECOVERABLE', effect: true })).toEqual(result);
    expect(decided({ stream: 'started', ledger: 'INFLIGHT', own: true, begun: true, effect: true })).toEqual(result);
  });

  it.each(['finished', 'committed'] as const)(
    'is to return what the stream holds, whatever else says (%s)',
    (stream) => {
      for (const ledger of ['NEW', 'INFLIGHT', 'RECOVERABLE', 'COMMITTED'] as const) {
        expect(decided({ stream, ledger })).toEqual({ kind: 'ReturnRecordedResult', from: 'stream' });
      }
    },
  );

  it('is to return what the ledger has committed, before an effect', () => {
    expect(decided({ ledger: 'COMMITTED', effect: true })).toEqual({ kind: 'ReturnRecordedResult', from: 'ledger' });
  });

  it('is to wait as long as another worker is at it', () => {
    for (const effect of [false, true]) {
      expect(decided({ stream: 'started', ledger: 'INFLIGHT', effect })).toEqual({ kind: 'WaitOtherWorker' });
    }
  });

  it("is to go on with the worker's own call, unless it has begun it and has nothing to show", () => {
    const own = { stream: 'started', ledger: 'INFLIGHT', own: true } as const;
    expect(decided(own)).toEqual({ kind: 'AllowExecute', takeOver: false });
    expect(decided({ ...own, begun: true })).toEqual({ kind: 'Rejected' });
  });
});
