import { describe, expect, it } from 'vitest';
import type { HostHandle } from '../../src/host/client.ts';
import { createStandstill } from '../../src/host/log/standstill.ts';
import { readSnapshot } from './snapshot.ts';
import { useFastClock } from '../../test/fast-clock.ts';

useFastClock();

/** A host that tells one status after the other, the last one for ever. */
function telling(statuses: readonly string[]): { readonly handle: HostHandle; readonly asked: () => number } {
  let count = 0;
  const exchange: HostHandle['exchange'] = async () => {
    const value = { status: statuses[Math.min(count, statuses.length - 1)] };
    count += 1;
    const text = JSON.stringify(value);
    return { id: `x${count}`, kind: 'response', status: 200, headers: {}, text, json: { ok: true, value } };
  };
  return { handle: { baseUrl: 'http://h', exchange, stream: exchange }, asked: () => count };
}

describe('readSnapshot', () => {
  const ended = { runId: 'r', ended: 'completed' };

  it('reads once where the snapshot shows the end', async () => {
    const { handle, asked } = telling(['completed']);
    const { signal } = new AbortController();
    expect(await readSnapshot({ signal }, handle, ended)).toEqual({
      snapshot: { status: 'completed' },
      exchanges: ['x1'],
      isEmpty: false,
    });
    expect(asked()).toBe(1);
  });

  it('notices an answer of 200 without a body, and none of another status', async () => {
    for (const status of [200, 204]) {
      const exchange: HostHandle['exchange'] = async () => {
        const json = { ok: false, why: 'empty', message: 'it is empty' } as const;
        return { id: 'x1', kind: 'response', status, headers: {}, text: '', json } as const;
      };
      const handle: HostHandle = { baseUrl: 'http://h', exchange, stream: exchange };
      const { snapshot, isEmpty } = await readSnapshot({ signal: AbortSignal.timeout(9) }, handle, ended);
      expect([snapshot, isEmpty]).toEqual([null, status === 200]);
    }
  });

  it('reads a snapshot that is behind again until it shows the end', async () => {
    const { handle, asked } = telling(['running', 'running', 'completed']);
    const { signal } = new AbortController();
    expect((await readSnapshot({ signal }, handle, ended)).snapshot).toEqual({ status: 'completed' });
    expect(asked()).toBe(3);
  });

  it('waits once in a scenario for one that never shows it', async () => {
    const { handle, asked } = telling(['running']);
    const { signal } = new AbortController();
    expect((await readSnapshot({ signal }, handle, ended)).snapshot).toEqual({ status: 'running' });
    const first = asked();
    expect(first).toBeGreaterThan(3);
    await readSnapshot({ signal }, handle, ended);
    expect(asked()).toBe(first + 1);
  });

  it('waits on, in every scenario, where one was late before and came', async () => {
    const standstill = createStandstill();
    const { signal } = new AbortController();
    const never = telling(['running']);
    const late = telling(['running', 'completed']);
    await readSnapshot({ signal: new AbortController().signal, standstill }, late.handle, ended);
    await readSnapshot({ signal, standstill }, never.handle, ended);
    const later = telling(['running', 'running', 'completed']);
    expect((await readSnapshot({ signal, standstill }, later.handle, ended)).snapshot).toEqual({ status: 'completed' });
  });

  it('does not wait for a run that has not ended', async () => {
    const { handle, asked } = telling(['waiting-approval']);
    const { signal } = new AbortController();
    await readSnapshot({ signal }, handle, { runId: 'r', ended: undefined });
    expect(asked()).toBe(1);
  });
});
