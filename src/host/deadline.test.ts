import { describe, expect, it, vi } from 'vitest';
import { useFastClock } from '../../test/fast-clock.ts';
import { type Time, transportFailure, withDeadline } from './deadline.ts';

useFastClock();

const never = new AbortController().signal;

function untilStopped({ onStop }: Pick<Time, 'onStop'>): Promise<never> {
  return new Promise((_, reject) => onStop(() => reject(new Error('stopped'))));
}

async function waitingForItsTurn({ onStop, stopClock }: Time): Promise<never> {
  let isStopped = false;
  onStop(() => {
    isStopped = true;
  });
  const goOn = stopClock();
  await new Promise((resolve) => setTimeout(resolve, 60_000));
  expect(isStopped).toBe(false);
  goOn();
  return untilStopped({ onStop });
}

describe('withDeadline', () => {
  it('gives the value of work that ends', async () => {
    expect(await withDeadline(never, Date.now() + 10_000, async () => 7)).toEqual({ kind: 'done', value: 7 });
  });

  it('stops work at the deadline, one in the past included', async () => {
    for (const deadline of [Date.now() + 20, Date.now() - 1000]) {
      expect(await withDeadline(never, deadline, untilStopped)).toMatchObject({ kind: 'failure', reason: 'timeout' });
    }
  });

  it('takes off nothing for what is waited for with the clock stopped, and goes on with what was left', async () => {
    expect(await withDeadline(never, Date.now() + 1000, waitingForItsTurn)).toMatchObject({
      kind: 'failure',
      reason: 'timeout',
    });
  });

  it('takes off nothing for what this process kept from being heard, and at most as much as there was', async () => {
    const late = withDeadline(never, Date.now() + 10_000, async () => {
      vi.setSystemTime(Date.now() + 6000);
      await new Promise((resolve) => setTimeout(resolve, 12_000));
      return 7;
    });
    expect(await late).toEqual({ kind: 'done', value: 7 });
    const start = Date.now();
    const silent = withDeadline(never, start + 10_000, (time) => {
      vi.setSystemTime(Date.now() + 60_000);
      return untilStopped(time);
    });
    expect(await silent).toMatchObject({ kind: 'failure', reason: 'timeout' });
    expect(Date.now() - start).toBe(60_000 + 10_000 + 10_000);
  });

  it('stops work when the scenario is stopped, one that was before included', async () => {
    const outer = new AbortController();
    const under = withDeadline(outer.signal, Date.now() + 10_000, untilStopped);
    outer.abort();
    expect(await under).toMatchObject({ reason: 'aborted' });
    expect(await withDeadline(outer.signal, Date.now() + 10_000, untilStopped)).toMatchObject({ reason: 'aborted' });
  });

  it('ends at once what says only after the stop how it ends', async () => {
    const outer = new AbortController();
    const under = withDeadline(outer.signal, Date.now() + 10_000, async (time) => {
      outer.abort();
      await untilStopped(time);
    });
    expect(await under).toMatchObject({ reason: 'aborted' });
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

function failing(code: unknown, message = 'm', name = 'Error'): Error {
  return Object.assign(new Error(message), { code, name });
}

describe('transportFailure', () => {
  it.each([
    ['ECONNREFUSED', 'refused'],
    ['ENOTFOUND', 'unresolvable'],
    ['EAI_AGAIN', 'unresolvable'],
    ['ECONNRESET', 'reset'],
    ['UND_ERR_SOCKET', 'reset'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['UND_ERR_HEADERS_OVERFLOW', 'headers-too-large'],
    ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'body-too-large'],
    ['ERR_ANSWER_ENCODED', 'encoded'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['HPE_INVALID_CONSTANT', 'protocol'],
    ['constructor', 'protocol'],
    [7, 'protocol'],
  ])('names %s %s', (code, reason) => {
    expect(transportFailure(failing(code))).toEqual({ reason, message: 'm' });
  });

  it('names an abort', () => {
    expect(transportFailure(failing('UND_ERR_ABORTED', 'm', 'AbortError'))).toMatchObject({ reason: 'aborted' });
  });

  it('falls back to the code where there is no message', () => {
    expect(transportFailure(failing('ECONNREFUSED', ''))).toEqual({ reason: 'refused', message: 'ECONNREFUSED' });
  });

  it.each([undefined, null, 'text', 7])('takes %s for a protocol failure', (thrown) => {
    expect(transportFailure(thrown)).toEqual({ reason: 'protocol', message: 'unknown' });
  });
});
