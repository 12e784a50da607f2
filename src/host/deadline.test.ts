import { describe, expect, it } from 'vitest';
import { type StopClock, withDeadline } from './deadline.ts';
import { useFastClock } from '../../test/fast-clock.ts';

useFastClock();

const never = new AbortController().signal;

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(new Error('stopped'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
  });
}

async function waitingForItsTurn(signal: AbortSignal, stopClock: StopClock): Promise<never> {
  const goOn = stopClock();
  await new Promise((resolve) => setTimeout(resolve, 60_000));
  expect(signal.aborted).toBe(false);
  goOn();
  return untilAborted(signal);
}

describe('withDeadline', () => {
  it('gives the value of work that ends', async () => {
    expect(await withDeadline(never, Date.now() + 10_000, async () => 7)).toEqual({ kind: 'done', value: 7 });
  });

  it('stops work at the deadline, one in the past included', async () => {
    for (const deadline of [Date.now() + 20, Date.now() - 1000]) {
      expect(await withDeadline(never, deadline, untilAborted)).toMatchObject({ kind: 'failure', reason: 'timeout' });
    }
  });

  it('takes off nothing for what is waited for with the clock stopped, and goes on with what was left', async () => {
    expect(await withDeadline(never, Date.now() + 1000, waitingForItsTurn)).toMatchObject({
      kind: 'failure',
      reason: 'timeout',
    });
  });

  it('stops work when the scenario is stopped, one that was before included', async () => {
    const outer = new AbortController();
    const under = withDeadline(outer.signal, Date.now() + 10_000, untilAborted);
    outer.abort();
    expect(await under).toMatchObject({ reason: 'aborted' });
    expect(await withDeadline(outer.signal, Date.now() + 10_000, untilAborted)).toMatchObject({ reason: 'aborted' });
  });

  it('names the failure of work that throws', async () => {
    const refused = Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    expect(await withDeadline(never, Date.now() + 10_000, () => Promise.reject(refused))).toEqual({
      kind: 'failure',
      reason: 'refused',
      message: 'no',
    });
  });
});
