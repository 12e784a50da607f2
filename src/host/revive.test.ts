import { describe, expect, it } from 'vitest';
import { answered as status, handleOf, unanswered } from '../../test/answers.ts';
import type { Exchange, HostHandle } from './client.ts';
import type { CrashHost, StartEnd } from './crash-host.ts';
import { createReviver } from './revive.ts';
import { useFastClock } from '../../test/fast-clock.ts';

useFastClock();

const never = new AbortController().signal;
const down = unanswered('refused');
const CUT = { name: 'before-execute', hit: 1 };

/** A handle that gives these answers, the last one for ever. */
function answering(answers: readonly Exchange[]): HostHandle & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const handle = handleOf(async (request) => {
    asked.push(request);
    return answers[Math.min(asked.length, answers.length) - 1] ?? down;
  });
  return { ...handle, asked };
}

function host(end?: StartEnd, armsAtStart = true): CrashHost {
  return {
    baseUrl: 'http://h',
    apiKey: undefined,
    variable: 'KEY',
    armsAtStart,
    isUp: async () => false,
    start: async () => ({ ok: true, end: () => end }),
  };
}

const killed: StartEnd = { how: 'SIGKILL', mayHaveDied: true, isFinal: true };
const broken: StartEnd = { how: 'exit code 2: no such failpoint', mayHaveDied: false, isFinal: true };

describe('a host that died', () => {
  it('is back when its discovery request is answered; a gateway is not the host', async () => {
    const handle = answering([down, status(502), status(503), status(504), status(200)]);
    const revival = await createReviver(host()).revive(handle, undefined, never);
    expect(revival).toEqual({ ok: true, downMs: expect.any(Number) as number, answered: true });
    expect(handle.asked).toHaveLength(5);
    expect(handle.asked[0]).toEqual({ method: 'GET', path: '/.well-known/openwop', anonymous: true });
  });

  it('may be gone again before it answers, where it was started with a failpoint', async () => {
    const reviver = createReviver(host(killed));
    expect(await reviver.revive(answering([down]), CUT, never)).toMatchObject({ ok: true, answered: false });
    expect(await reviver.revive(answering([down]), undefined, never)).toEqual({
      ok: false,
      reason: 'the start ended with SIGKILL',
    });
  });

  it('and does not come back by itself is looked for once more, and not waited for again', async () => {
    const reviver = createReviver(host(undefined, false));
    const first = await reviver.revive(answering([down]), undefined, never);
    const later = answering([down]);
    expect(await reviver.revive(later, undefined, never)).toEqual(first);
    expect(later.asked).toHaveLength(1);
    expect(await reviver.revive(answering([status(200)]), undefined, never)).toMatchObject({ ok: true });
    const again = answering([down]);
    await reviver.revive(again, undefined, never);
    expect(again.asked.length).toBeGreaterThan(1);
  });

  it('whose start failed in another way is not said to have died', async () => {
    const revival = await createReviver(host(broken)).revive(answering([down]), CUT, never);
    expect(revival).toEqual({ ok: false, reason: 'the start ended with exit code 2: no such failpoint' });
  });

  it('is waited for so long and no longer, and the reason says what to give', async () => {
    const reviver = createReviver(host(undefined, false), { comeBackMs: 60 });
    expect(await reviver.revive(answering([status(503)]), undefined, never)).toEqual({
      ok: false,
      reason:
        'the host did not answer its discovery request within 60 ms; where it does not come back by itself, give --restart-command',
    });
  });

  it('whose starter failed is waited for a little, and then started no more', async () => {
    const starter: StartEnd = { how: 'exit code 7', mayHaveDied: false, isFinal: false };
    let starts = 0;
    const failing: CrashHost = {
      ...host(),
      start: async () => ({ ok: true, end: () => (starts++ === 0 ? undefined : starter) }),
    };
    const reviver = createReviver(failing);
    const begun = performance.now();
    const reason = expect.stringMatching(/^the restart command failed with exit code 7, /u) as string;
    expect(await reviver.revive(answering([down]), CUT, never)).toEqual({ ok: false, reason });
    expect(await reviver.revive(answering([down]), undefined, never)).toEqual({ ok: false, reason });
    expect(performance.now() - begun).toBeLessThan(12_000);
    const known = starts;
    const later = answering([down]);
    expect(await reviver.revive(later, undefined, never)).toEqual({ ok: false, reason });
    expect(later.asked).toHaveLength(1);
    expect(await reviver.revive(answering([status(200)]), CUT, never)).toEqual({ ok: false, reason });
    expect(starts).toBe(known);
    expect(await reviver.revive(answering([status(200)]), undefined, never)).toMatchObject({ ok: true });
    expect(await reviver.revive(answering([status(200)]), CUT, never)).toMatchObject({ ok: true });
  });

  it('whose starter ended well is waited for, and so is one that answers after its starter failed', async () => {
    for (const code of [0, 7]) {
      const starter: StartEnd = { how: `exit code ${code}`, mayHaveDied: code === 0, isFinal: false };
      const slow = answering([...Array.from({ length: code === 0 ? 30 : 4 }, () => down), status(200)]);
      expect(await createReviver(host(starter)).revive(slow, undefined, never)).toMatchObject({ ok: true });
    }
  });

  it('that cannot be started is not waited for', async () => {
    const running = { ...host(), start: async () => ({ ok: false, reason: 'still running' }) as const };
    const handle = answering([status(200)]);
    expect(await createReviver(running).revive(handle, undefined, never)).toEqual({
      ok: false,
      reason: 'still running',
    });
    expect(handle.asked).toEqual([]);
  });

  it('is given up when the scenario is stopped', async () => {
    const stop = new AbortController();
    const revival = createReviver(host()).revive(answering([down]), undefined, stop.signal);
    stop.abort();
    expect(await revival).toEqual({ ok: false, reason: 'the scenario was stopped' });
  });
});
