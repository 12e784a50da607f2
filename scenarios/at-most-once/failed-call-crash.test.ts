import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { cutText } from '../../src/host/crash.ts';
import { BEGUN, cellOf, type CellFacts } from '../../test/crash-cells.ts';
import { toyProbe } from '../../test/mortal-toy.ts';
import { judgementIn, observed, OPTIONS, verdictOf } from '../../test/recorded-runs.ts';
import { cutsIn } from './cut-plan.ts';
import { cutsOnceFailed, failedCallCrash } from './failed-call-crash.ts';

const FAILED = `${BEGUN} started finished node.failed run.failed`;
const UNCUT: CellFacts = { log: FAILED };
const CUT: CellFacts = { cut: 'after-append-finished', shown: `${BEGUN} started finished`, callsThen: 1, log: FAILED };

/** Runs whose tool answers 500: their log says so. */
const cells = (facts: readonly CellFacts[], how = 'status 500') =>
  facts.map((each) => {
    const cell = JSON.parse(JSON.stringify(cellOf(each)).replaceAll('"success"', '"failure"')) as { id: string };
    return observed(`${cell.id}-${how}`, 'failed-cell', { how, cell });
  });

const seen = (facts: readonly CellFacts[], how?: string) => cells(facts, how);
const judged = (...facts: readonly CellFacts[]): string =>
  verdictOf(failedCallCrash, 'once.failed-call.crash', seen(facts));

const keyed = (...keys: readonly (string | null)[]) => ({
  calls: keys.length,
  more: { calls: keys.map((idempotencyKey): Json => ({ idempotencyKey, answer: null })) },
});

describe('a call that failed before a death', () => {
  it('passes where it is not made again', () => {
    expect(judged(UNCUT, CUT)).toBe('pass');
    const { reason } = judgementIn(failedCallCrash, 'once.failed-call.crash', seen([UNCUT, CUT]));
    expect(reason).toBe('status 500: 1 cuts, 1 with a recorded failure, no call was made again');
  });

  it('may leave the run waiting, and fails where the run hangs or the call is repeated', () => {
    expect(judged(UNCUT, { ...CUT, calls: 2 })).toBe('fail duplicate-call');
    expect(judged(UNCUT, { ...CUT, log: `${BEGUN} started finished` })).toBe('fail in-flight-for-ever');
    const parked = { stopped: 'parked', snapshot: { status: 'waiting-approval' } } as const;
    expect(judged(UNCUT, { ...CUT, log: `${BEGUN} started finished`, more: parked })).toBe('pass');
  });

  it('may be retried under other attempts, as where nobody died', () => {
    const retried = { ...UNCUT, ...keyed('a:1', 'a:2') };
    expect(judged(retried, { ...CUT, ...keyed('a:1', 'a:2', 'a:3') })).toBe('pass');
    expect(judged(retried, { ...CUT, ...keyed('a:1', 'a:1') })).toBe('fail duplicate-call');
    expect(judged({ ...UNCUT, ...keyed('a:1', 'a:1') }, { ...CUT, ...keyed('a:1', 'a:1') })).toBe('inconclusive');
    expect(judged({ ...UNCUT, ...keyed(null, 'a:1') }, CUT)).toBe('inconclusive');
  });

  it('may fail anew at each attempt under one key, which shows or does not show its attempts', () => {
    const calls = keyed('a:1', 'a:2');
    const retried = { ...UNCUT, ...calls, log: `${BEGUN} started finished started finished node.failed run.failed` };
    const cut = { ...retried, cut: 'after-append-finished', shown: `${BEGUN} started finished`, callsThen: 1 };
    expect(judged(retried, cut)).toBe('pass');
    const often = `${BEGUN} started ${'finished '.repeat(4)}node.failed run.failed`;
    expect(judged(retried, { ...cut, log: often })).toBe('fail written-twice');
    expect(judged(UNCUT, { ...CUT, log: `${BEGUN} started finished finished node.failed run.failed` })).toBe(
      'fail written-twice',
    );
  });

  it('does not let the run complete that fails where nobody dies', () => {
    const completed = `${BEGUN} started finished node.completed run.completed`;
    expect(judged(UNCUT, { ...CUT, log: completed })).toBe('fail failure-forgotten');
    expect(judged({ ...UNCUT, log: completed }, { ...CUT, log: completed })).toBe('pass');
    expect(judged({ ...UNCUT, log: `${BEGUN} started node.failed run.failed` }, { ...CUT, log: completed })).toBe(
      'pass',
    );
    expect(judged(UNCUT, { ...CUT, log: completed, more: { deaths: [] } })).toBe('inconclusive');
  });

  it('says nothing where no death came after the call', () => {
    expect(judged()).toBe('inconclusive');
    expect(judged(UNCUT)).toBe('inconclusive');
    expect(judged({ ...UNCUT, calls: 0 }, CUT)).toBe('inconclusive');
    expect(judged(UNCUT, { ...CUT, callsThen: 0 })).toBe('inconclusive');
    expect(judged(UNCUT, { ...CUT, more: { deaths: [] } })).toBe('inconclusive');
    expect(judged({ ...UNCUT, more: { notDriven: 'stopped' } })).toBe('inconclusive');
  });

  it('is told apart by the way in which it failed', () => {
    const both = [...seen([UNCUT, CUT]), ...seen([UNCUT, { ...CUT, calls: 2 }], 'reset')];
    expect(verdictOf(failedCallCrash, 'once.failed-call.crash', both)).toBe('fail duplicate-call');
    expect(judgementIn(failedCallCrash, 'once.failed-call.crash', both).reason).toContain('the call is reset');
  });
});

describe('the cuts', () => {
  const passes = cutsIn(
    'before-append-event before-execute after-execute before-put-effect after-put-effect after-append-finished after-ledger-commit before-append-event'.split(
      ' ',
    ),
  );

  it('lie behind the call, a few of them in a quick run', () => {
    expect(cutsOnceFailed(passes, 'status 500', 'full')).toHaveLength(5);
    expect(cutsOnceFailed(passes, 'status 500', 'quick').map(cutText)).toEqual([
      'after-execute@1',
      'after-append-finished@1',
      'after-ledger-commit@1',
    ]);
    expect(cutsOnceFailed(passes, 'reset', 'quick').map(cutText)).toEqual(['after-append-finished@1']);
    expect(cutsOnceFailed(passes, 'status 500', 'few').map(cutText)).toEqual(['after-append-finished@1']);
  });

  it('are all passes of one way of failing where no name tells', () => {
    expect(cutsOnceFailed(cutsIn(['one', 'two']), 'status 500', 'quick')).toHaveLength(2);
    expect(cutsOnceFailed(cutsIn(['one', 'two']), 'reset', 'quick')).toEqual([]);
    expect(cutsOnceFailed(cutsIn(['after-execute']), 'reset', 'quick')).toHaveLength(1);
  });
});

describe('the drive', () => {
  it('cuts runs whose tool fails in each way', async () => {
    const driven = await failedCallCrash.drive(toyProbe({ cuts: 'quick' }).probe, OPTIONS);
    expect(new Set(driven.map((each) => (each as unknown as { how: string }).how)).size).toBe(3);
    const recorded = driven.map((each, index) => ({ ...each, id: `o${index}` }));
    expect(verdictOf(failedCallCrash, 'once.failed-call.crash', recorded)).toBe('pass');
  });

  it('records nothing where no host may be killed', async () => {
    const { probe } = toyProbe();
    expect(await failedCallCrash.drive({ ...probe, crash: undefined }, OPTIONS)).toEqual([]);
  });
});
