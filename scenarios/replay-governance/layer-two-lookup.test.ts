import { describe, expect, it } from 'vitest';
import { toyProbe } from '../../test/mortal-toy.ts';
import { judgementIn, observed, OPTIONS, verdictOf } from '../../test/recorded-runs.ts';
import { aroundRecord, layerTwoLookup, type LookupObservation } from './layer-two-lookup.ts';

type Facts = Partial<LookupObservation>;

const ENDED = { problem: null, status: 'completed' };
const UNCUT: Facts = { ...ENDED, place: 'nowhere', failpoint: null, died: false, callsAtDeath: 0, calls: 1 };
const DIED = { ...ENDED, died: true, callsAtDeath: 1 };
const BEFORE: Facts = { ...DIED, place: 'before the record', failpoint: 'before-store-response', calls: 2 };
const AFTER: Facts = { ...DIED, place: 'after the record', failpoint: 'after-store-response', calls: 1 };

const seen = (...facts: readonly Facts[]) => facts.map((each, index) => observed(`o${index}`, 'lookup', each));
const judged = (...facts: readonly Facts[]): string =>
  verdictOf(layerTwoLookup, 'recovery.layer-two-lookup', seen(...facts));
const reasonOf = (...facts: readonly Facts[]): string | undefined =>
  judgementIn(layerTwoLookup, 'recovery.layer-two-lookup', seen(...facts)).reason;

describe('a recorded response', () => {
  it('is used after a death, and what was not recorded is asked for once at most', () => {
    expect(judged(UNCUT, BEFORE, AFTER)).toBe('pass');
    expect(reasonOf(UNCUT, BEFORE, AFTER)).toBe('asked 1 times more where nothing was recorded');
    expect(judged(UNCUT, { ...BEFORE, calls: 1 }, AFTER)).toBe('pass');
  });

  it('is not asked for again, nor twice where there is none, however the run ends', () => {
    expect(judged(UNCUT, BEFORE, { ...AFTER, calls: 2 })).toBe('fail asked-after-record');
    expect(judged(UNCUT, BEFORE, { ...AFTER, calls: 2, status: 'failed' })).toBe('fail asked-after-record');
    expect(judged(UNCUT, { ...BEFORE, calls: 3 }, AFTER)).toBe('fail asked-more-than-once');
  });

  it('is not left unused by a run that fails without asking anybody', () => {
    expect(judged(UNCUT, BEFORE, { ...AFTER, status: 'failed' })).toBe('fail record-not-used');
    expect(judged({ ...UNCUT, status: 'failed' }, { ...AFTER, status: 'failed' })).toBe('inconclusive');
    expect(judged(UNCUT, { ...AFTER, callsAtDeath: 0, calls: 0, status: 'failed' })).toBe('inconclusive');
    expect(judged(UNCUT, { ...AFTER, died: false, status: 'failed' })).toBe('inconclusive');
  });

  it('may be seen by a death after the record alone', () => {
    expect(judged(UNCUT, AFTER)).toBe('pass');
    expect(reasonOf(UNCUT, AFTER)).toBe('not seen: no failpoint was driven there');
    expect(reasonOf(UNCUT, { ...BEFORE, status: 'failed' }, AFTER)).toBe(
      'not seen: before-store-response: the run came out as failed',
    );
  });

  it('is not judged without a death after the record, or where the provider is asked more than once anyway', () => {
    expect(judged()).toBe('inconclusive');
    expect(judged(UNCUT)).toBe('inconclusive');
    expect(judged(UNCUT, BEFORE)).toBe('inconclusive');
    expect(judged(UNCUT, { ...AFTER, died: false, calls: 2 })).toBe('inconclusive');
    expect(judged(UNCUT, { ...AFTER, callsAtDeath: 0 })).toBe('inconclusive');
    expect(judged(UNCUT, { ...AFTER, status: 'cancelled' })).toBe('inconclusive');
    expect(judged(UNCUT, { ...AFTER, problem: 'it did not come back' })).toBe('inconclusive');
    expect(reasonOf(UNCUT, BEFORE)).toMatch(/expose failpoints/u);
    expect(reasonOf(UNCUT, { ...AFTER, died: false })).toMatch(/expose failpoints/u);
    expect(reasonOf(UNCUT, { ...AFTER, problem: 'it is gone: give --restart-command' })).toBe(
      'after-store-response: it is gone: give --restart-command',
    );
    expect(judged({ ...UNCUT, calls: 2 }, { ...AFTER, calls: 2 })).toBe('inconclusive');
    expect(judged({ ...UNCUT, calls: 0 }, AFTER)).toBe('inconclusive');
    expect(judged({ ...UNCUT, problem: 'POST /v1/runs named no run' }, AFTER)).toBe('inconclusive');
    expect(judged({ ...UNCUT, status: 'failed' }, AFTER)).toBe('inconclusive');
  });
});

describe('the drive', () => {
  it('finds the failpoints around the record by their names alone', () => {
    const names = ['before-execute', 'before-store-response', 'after-store-response', 'after-record-observation'];
    expect(aroundRecord(names)).toEqual([
      ['before the record', 'before-store-response'],
      ['after the record', 'after-store-response'],
    ]);
    expect(aroundRecord(['afterLlmResponseStored'])).toEqual([['after the record', 'afterLlmResponseStored']]);
    for (const said of [
      'model-record',
      'provider-result-stored',
      'llmCachePut',
      'write_llm_cache',
      'cache-model-response',
      'chat.answer.recorded',
      'record-model-result',
    ]) {
      expect(aroundRecord([`before-model-call`, `after-${said}`])).toEqual([['after the record', `after-${said}`]]);
    }
    for (const other of [
      'model-call',
      'llm-response',
      'llm-cache',
      'llm-cache-lookup',
      'provider-write',
      'chat-store',
      'store-result',
      'record',
      'tool-result-stored',
    ]) {
      expect(aroundRecord([`after-${other}`])).toEqual([]);
    }
    expect(aroundRecord(['after-response-cache-lookup', 'after-append-finished', 'after-response'])).toEqual([]);
  });

  it('records nothing where no host may be killed', async () => {
    const { probe } = toyProbe();
    expect(await layerTwoLookup.drive({ ...probe, crash: undefined }, OPTIONS)).toEqual([]);
  });
});
