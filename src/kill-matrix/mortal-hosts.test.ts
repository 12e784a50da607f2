import { describe, expect, it } from 'vitest';
import { plainHandle } from '../../test/plain-handle.ts';
import { createReviver } from '../host/revive.ts';
import { type Mortal, type MortalOptions, startMortalHost } from './mortal-hosts.ts';

const never = new AbortController().signal;

/** A host that dies when it is asked for /die, or at once where it is armed so; `told` is what happened to it. */
function fakeHost(told: string[], { data, failpoint, die }: MortalOptions): Mortal {
  told.push(`create ${data} ${failpoint?.name ?? '-'}`);
  if (failpoint?.name === 'at-start') {
    die();
    throw new Error('killed');
  }
  if (failpoint?.name === 'broken') throw new Error('the data file is damaged');
  if (failpoint?.name === 'in-recovery') die();
  return {
    fetch: (request) => {
      if (!request.url.endsWith('/die')) return Response.json({ FAILPOINT: failpoint?.name ?? null });
      die();
      return new Response('never read');
    },
    close: async () => void told.push('close'),
    abandon: () => void told.push('abandon'),
  };
}

function start(told: string[]) {
  const create = (options: MortalOptions): Mortal => fakeHost(told, options);
  return startMortalHost({ credentials: [], apiKey: 'key', data: 'file', parts: {}, leaseMs: 700, create });
}

describe('a mortal host', () => {
  it('breaks every connection when it dies, and lives again at the same address', async () => {
    const told: string[] = [];
    const host = await start(told);
    const { handle, close } = plainHandle(host.baseUrl);
    const asks = (path: string) => handle.exchange({ method: 'POST', path });
    expect(await asks('/a')).toMatchObject({ kind: 'response', status: 200 });
    expect(await asks('/die')).toMatchObject({ kind: 'failure', reason: 'reset' });
    expect(await asks('/a')).toMatchObject({ kind: 'failure', reason: 'refused' });
    expect(await host.isUp(handle)).toBe(false);
    const cut = { name: 'before-execute', hit: 1 };
    expect(await createReviver(host).revive(handle, cut, never)).toMatchObject({ ok: true, answered: true });
    expect(await asks('/a')).toMatchObject({ json: { value: { FAILPOINT: 'before-execute' } } });
    await host.end();
    await close();
    expect(told).toEqual(['create file -', 'abandon', 'create file before-execute', 'close']);
  });

  it('may die before anybody can reach it', async () => {
    const told: string[] = [];
    const host = await start(told);
    const { handle, close } = plainHandle(host.baseUrl);
    const reviver = createReviver(host);
    await handle.exchange({ method: 'POST', path: '/die' });
    for (const name of ['at-start', 'in-recovery']) {
      expect(await reviver.revive(handle, { name, hit: 1 }, never)).toMatchObject({ ok: true, answered: false });
    }
    expect(await reviver.revive(handle, undefined, never)).toMatchObject({ ok: true, answered: true });
    await host.end();
    await close();
    expect(told.filter((each) => each === 'abandon')).toHaveLength(2);
  });

  it('that cannot be made again says why, and one that lives is left alone', async () => {
    const host = await start([]);
    const { handle, close } = plainHandle(host.baseUrl);
    expect(await host.start(undefined, AbortSignal.timeout(50))).toEqual({
      ok: false,
      reason: 'still running: the host did not die',
    });
    await handle.exchange({ method: 'POST', path: '/die' });
    expect(await host.start({ name: 'broken', hit: 1 }, never)).toEqual({
      ok: false,
      reason: 'the data file is damaged',
    });
    expect(await createReviver(host).revive(handle, undefined, never)).toMatchObject({ ok: true });
    await host.end();
    await close();
  });
});
