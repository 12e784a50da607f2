import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { observed, type Said, runCalled, unfinished, verdictOf } from '../../test/recorded-runs.ts';
import { AGAIN, STALLED, staleWorker, stallMs, stallPoint } from './stale-worker.ts';

const CHECK = 'once.single-owner.reclaim';

function log(attempt: string, ended?: string): readonly Said[] {
  const attemptId = ended === undefined ? {} : { attempt_id: ended };
  return [
    ['run.started'],
    ['tool_invocation_started', { idempotency_key: 'k', attempt_id: attempt }, 'charge'],
    ['tool_invocation_finished', { idempotency_key: 'k', outcome: 'success', ...attemptId }, 'charge'],
    ['run.completed'],
  ];
}

interface Driven {
  readonly stall?: { readonly answered: number | null; readonly problem: string | null };
  readonly told?: readonly Said[];
  readonly again?: readonly Said[];
  /** The attempts that the calls carry, or whole keys. */
  readonly calls?: readonly string[];
  readonly answer?: Json;
  readonly decisions?: readonly string[] | null;
  readonly unseen?: boolean;
}

function judged(driven: Driven = {}): string {
  const { stall = { answered: 200, problem: null }, told = log('2'), again = told, calls = ['2'] } = driven;
  const { answer = { nonce: 'n' }, decisions = ['1 AllowExecute', '2 WaitOtherWorker', '2 AllowExecute'] } = driven;
  const run = runCalled('r', told, { role: STALLED });
  const made = calls.map((each) => {
    const idempotencyKey = /^\d$/u.test(each) ? `aetheris:r:charge:${each}` : each;
    return { kind: 'effect', name: 'charge', idempotencyKey, answer };
  });
  const list = decisions?.map((each) => {
    const [attempt, decision] = each.split(' ');
    return { nodeId: 'charge', attempt, decision };
  });
  const seen: readonly Recorded<Observation>[] = [
    observed('s', 'stall', { name: 'after-acquire', milliseconds: 3000, ...stall }),
    driven.unseen === true ? unfinished(run) : run,
    observed('c', 'calls', { after: STALLED, url: 'http://witness/w/t', calls: made }),
    observed('d', 'decisions', { of: STALLED, decisions: list ?? null }),
    { ...runCalled('r', again, { role: AGAIN }), id: 'again' },
  ];
  return verdictOf(staleWorker, CHECK, stall.problem === null ? seen : seen.slice(0, 1));
}

describe('stallPoint', () => {
  it('is the failpoint after the claim of a call, whatever its name', () => {
    expect(stallPoint(['before-acquire', 'before-append-started', 'Acquire.After'])).toBe('Acquire.After');
    expect(stallPoint(['before-acquire', 'before-append-started'])).toBe('after-acquire');
  });
});

describe('stallMs', () => {
  it('is longer than a lease, known or supposed, and no longer than a host has to take', () => {
    expect(stallMs(4_000, undefined)).toBe(3_000);
    expect(stallMs(20_000, undefined)).toBe(6_000);
    expect(stallMs(60_000, undefined)).toBe(10_000);
    expect(stallMs(20_000, 800)).toBe(1_600);
    expect(stallMs(4_000, 9_000)).toBe(10_000);
  });
});

describe('a worker that stood still', () => {
  it('passes where another one took over and called', () => {
    expect(judged()).toBe('pass');
    expect(judged({ decisions: ['1 AllowExecute', '2 WaitOtherWorker', '2 AllowExecute', '1 WaitOtherWorker'] })).toBe(
      'pass',
    );
  });

  it('passes where the waiting worker is of the same attempt until it takes over', () => {
    const decisions = ['1 AllowExecute', '1 WaitOtherWorker', '2 AllowExecute'];
    expect(judged({ decisions })).toBe('pass');
    expect(judged({ decisions: [...decisions, '1 WaitOtherWorker'] })).toBe('pass');
    expect(judged({ decisions, told: log('1', '1') })).toBe('fail stale-write');
    expect(judged({ decisions, calls: ['2', '1'] })).toBe('fail duplicate-call');
    expect(judged({ decisions, calls: ['1'] })).toBe('inconclusive');
    expect(judged({ decisions: ['1 AllowExecute', '1 WaitOtherWorker', '1 AllowExecute'] })).toBe('inconclusive');
  });

  it('fails where both call, seen to the end or not', () => {
    expect(judged({ calls: ['2', '1'] })).toBe('fail duplicate-call');
    expect(judged({ calls: ['2', '2'], decisions: null, unseen: true })).toBe('fail duplicate-call');
  });

  it('fails where the call bears the attempt that was lost', () => {
    expect(judged({ calls: ['1'] })).toBe('fail stale-call');
  });

  it('fails where something of it stands in the log, or is written when the run has completed', () => {
    expect(judged({ told: log('1', '1') })).toBe('fail stale-write');
    expect(judged({ told: log('1', '2').toReversed() })).toBe('fail stale-write');
    expect(judged({ again: [...log('2'), ['node.completed', {}, 'charge']] })).toBe('fail stale-write');
    expect(judged({ again: [...log('2'), ['run.archived']] })).toBe('pass');
    const started: Said = ['tool_invocation_started', { idempotency_key: 'k', attempt_id: '2' }, 'charge'];
    expect(judged({ told: [started, ...log('2')] })).toBe('fail written-twice');
  });

  it('may have declared its call before it stood still', () => {
    expect(judged({ told: log('1', '2') })).toBe('pass');
    expect(judged({ told: log('1') })).toBe('pass');
  });

  it('fails where the run does not complete, unless the tool was given up', () => {
    expect(judged({ told: log('2').slice(0, 3) })).toBe('fail not-completed');
    expect(judged({ told: log('2').slice(0, 3), answer: null })).toBe('inconclusive');
  });

  it('is not applicable where the seam cannot do that', () => {
    for (const answered of [200, 400, 404, 501]) {
      expect(judged({ stall: { answered, problem: 'no such action' } })).toBe('not-applicable');
    }
  });

  it('says nothing where it is not known whether it was taken over from', () => {
    for (const answered of [null, 401, 503]) {
      expect(judged({ stall: { answered, problem: 'no answer' } })).toBe('inconclusive');
    }
    expect(judged({ decisions: null })).toBe('inconclusive');
    expect(judged({ decisions: ['1 AllowExecute', '2 WaitOtherWorker'], calls: ['1'] })).toBe('inconclusive');
    expect(judged({ decisions: ['1 AllowExecute', '2 AllowExecute', '2 WaitOtherWorker'], calls: ['1'] })).toBe(
      'inconclusive',
    );
    expect(judged({ calls: ['another key'] })).toBe('inconclusive');
    expect(judged({ calls: ['0'] })).toBe('inconclusive');
    expect(judged({ calls: [] })).toBe('inconclusive');
    expect(judged({ unseen: true })).toBe('inconclusive');
    expect(verdictOf(staleWorker, CHECK, [])).toBe('inconclusive');
  });
});
