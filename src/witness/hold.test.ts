import { describe, expect, it } from 'vitest';
import { createHolds } from './hold.ts';

const here = new AbortController().signal;
const waiting = { timeoutMs: 10_000, signal: here };

/** Whether a call of this name is held back right now; what may go does so within the turn. */
async function isHeld(passing: Promise<void>): Promise<boolean> {
  const turn = new Promise<'held'>((resolve) => {
    setImmediate(() => resolve('held'));
  });
  return (await Promise.race([passing.then(() => 'gone' as const), turn])) === 'held';
}

describe('held answers', () => {
  it('are those of their name, until they are released', async () => {
    const holds = createHolds();
    const hold = holds.hold('charge');
    const passing = holds.passed('charge', here);
    expect(await isHeld(holds.passed('other', here))).toBe(false);
    expect(await isHeld(passing)).toBe(true);
    hold.release();
    await passing;
    expect(await isHeld(holds.passed('charge', here))).toBe(false);
  });

  it('say when so many calls have arrived', async () => {
    const holds = createHolds();
    const hold = holds.hold('charge');
    const second = hold.arrived(2, waiting);
    const calls = [holds.passed('charge', here), holds.passed('charge', here)];
    expect(await second).toBe(true);
    expect(await hold.arrived(1, waiting)).toBe(true);
    hold.release();
    await Promise.all(calls);
  });

  it('wait no longer for a call than the time-out, the signal and the release allow', async () => {
    const holds = createHolds();
    const hold = holds.hold('charge');
    expect(await hold.arrived(1, { timeoutMs: 1, signal: here })).toBe(false);
    expect(await hold.arrived(1, { timeoutMs: 10_000, signal: AbortSignal.abort() })).toBe(false);
    const released = hold.arrived(1, waiting);
    hold.release();
    expect(await released).toBe(false);
    expect(await hold.arrived(1, waiting)).toBe(false);
  });

  it('let a caller go that has gone away', async () => {
    const holds = createHolds();
    holds.hold('charge');
    const gone = new AbortController();
    const passing = holds.passed('charge', gone.signal);
    expect(await isHeld(passing)).toBe(true);
    gone.abort();
    await passing;
    await holds.passed('charge', AbortSignal.abort());
  });

  it('end with the visit, also those that are held back later', async () => {
    const holds = createHolds();
    holds.hold('charge');
    const passing = holds.passed('charge', here);
    holds.release();
    await passing;
    holds.hold('charge');
    expect(await isHeld(holds.passed('charge', here))).toBe(false);
  });
});
