import { describe, expect, it } from 'vitest';
import type { HostRequest } from './client.ts';
import type { Probe } from './probe.ts';
import { shareOf } from './share.ts';

describe('a share of a scenario', () => {
  const sent: HostRequest[] = [];
  const send = (request: HostRequest): Promise<never> => {
    sent.push(request);
    return new Promise(() => undefined);
  };
  const probe = {
    signal: new AbortController().signal,
    host: { baseUrl: '', exchange: send, stream: send },
  } as unknown as Probe;

  const ended = (): readonly unknown[] => sent.map(({ signal }) => signal?.aborted);

  it('ends its requests, and those of each of its parts with that part', () => {
    const whole = shareOf(probe, 10_000);
    const part = shareOf(whole.probe, 10_000);
    for (const { host } of [whole.probe, part.probe]) {
      void host.exchange({ method: 'GET', path: '/' });
      void host.stream({ method: 'GET', path: '/' }, { head: () => 'read', text: () => 'more' });
    }
    expect(ended()).toEqual([false, false, false, false]);
    part.end();
    expect(ended()).toEqual([false, false, true, true]);
    whole.end();
    expect(ended()).toEqual([true, true, true, true]);
  });
});
