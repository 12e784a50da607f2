import { describe, expect, it, vi } from 'vitest';
import { createWakers } from './wakers.ts';

const forever = (): AbortSignal => new AbortController().signal;

describe('those who wait', () => {
  it('are woken for their run only', async () => {
    const wakers = createWakers();
    const woken: string[] = [];
    const waits = ['one', 'two'].map(async (runId) => {
      await wakers.wait(runId, forever());
      woken.push(runId);
    });
    wakers.wake('two');
    await waits[1];
    expect(woken).toEqual(['two']);
    wakers.wakeAll();
    await Promise.all(waits);
    expect(woken).toEqual(['two', 'one']);
  });

  it('give up as soon as the signal aborts', async () => {
    const abort = new AbortController();
    const waiting = createWakers().wait('run', abort.signal);
    abort.abort();
    await expect(waiting).resolves.toBeUndefined();
    await expect(createWakers().wait('run', abort.signal)).resolves.toBeUndefined();
  });

  it('hear of what another process wrote, which is looked for only while somebody waits', async () => {
    let wrote = false;
    const foreign = vi.fn<() => boolean>(() => wrote);
    const wakers = createWakers(foreign);
    const waiting = wakers.wait('run', forever());
    await vi.waitFor(() => expect(foreign.mock.calls.length).toBeGreaterThan(1), { timeout: 60_000 });
    wrote = true;
    await waiting;
    const looks = foreign.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(foreign.mock.calls.length).toBe(looks);
  });

  it('look for themselves where that cannot be told', async () => {
    const wakers = createWakers(() => {
      throw new Error('closed');
    });
    await expect(wakers.wait('run', forever())).resolves.toBeUndefined();
  });
});
