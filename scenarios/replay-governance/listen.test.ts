import { describe, expect, it } from 'vitest';
import type { Exchange, HostHandle, HostRequest } from '../../src/host/client.ts';
import { makeCanary } from './canary.ts';
import { createListener, heardOf } from './listen.ts';

const [one, two] = [makeCanary(), makeCanary()];
const planted = { canaries: [one, two], marker: 'plain-marker' };

function answering(status: number, text: string, headers: Readonly<Record<string, string>> = {}): HostHandle {
  const exchange = async (): Promise<Exchange> => ({
    id: 'x1',
    kind: 'response',
    status,
    headers,
    text,
    json: { ok: false, why: 'malformed-json', message: 'none' },
  });
  return { baseUrl: 'http://host', exchange, stream: exchange };
}

async function hear(handle: HostHandle, request: HostRequest) {
  const listener = createListener(planted);
  await listener.as('source', handle).exchange(request);
  return listener.heard('source').answers[0];
}

describe('the listener', () => {
  it('searches body and headers, and keeps neither', async () => {
    const heard = await hear(answering(200, `{"a":"${one.core}","b":"plain-marker"}`, { 'x-echo': two.core }), {
      method: 'GET',
      path: '/v1/runs/a',
    });
    expect(heard).toMatchObject({ surface: 'snapshot', request: 'GET /v1/runs/a', status: 200, marker: true });
    expect(heard?.shows.map(({ canary }) => canary)).toEqual([1, 2]);
    expect(JSON.stringify(heard)).not.toContain(one.core);
  });

  it.each([
    ['GET', '/v1/runs/a', '', 200, 'snapshot'],
    ['GET', '/v1/runs/a', '', 404, 'refusal'],
    ['GET', '/v1/runs/a/events', '', 200, 'log'],
    ['GET', '/v1/runs/a/events?streamMode=debug', '', 200, 'log in debug mode'],
    ['GET', '/v1/runs/a/events', 'text/event-stream', 200, 'stream'],
    ['GET', '/v1/runs/a/events?streamMode=debug', 'text/event-stream', 200, 'stream in another mode'],
    ['GET', '/v1/runs/a/events/poll?lastSequence=1', '', 200, 'poll'],
    ['GET', '/v1/runs/a:diff?against=b', '', 200, 'diff'],
    ['POST', '/v1/runs/a:fork', '', 201, 'answer'],
  ] as const)('%s %s %s %d is a %s', async (...[method, path, accept, status, surface]) => {
    const headers = accept === '' ? {} : { headers: { accept } };
    expect(await hear(answering(status, ''), { method, path, ...headers })).toMatchObject({ surface, shows: [] });
  });

  it('keeps the roles apart, and hears nothing where nothing came', async () => {
    const listener = createListener(planted);
    await listener
      .as('source', answering(200, one.text))
      .stream({ method: 'GET', path: '/v1/runs/a/events' }, { head: () => 'stop', text: () => 'done' });
    const failing: HostHandle = {
      ...answering(200, ''),
      exchange: async () => ({ id: 'x2', kind: 'failure', reason: 'timeout', message: '' }),
    };
    await listener.as('replay', failing).exchange({ method: 'GET', path: '/v1/runs/b' });
    expect(listener.heard('source')).toMatchObject({ role: 'source', exchanges: ['x1'] });
    expect(listener.heard('replay').answers).toEqual([]);
    expect(heardOf([{ ...listener.heard('source'), id: 'o1' }], 'source')?.id).toBe('o1');
    expect(heardOf([], 'source')).toBeUndefined();
  });
});
