import { describe, expect, it } from 'vitest';
import { logInWords } from '../../test/crash-cells.ts';
import type { Exchange, HostHandle } from '../../src/host/client.ts';
import { readJsonText } from '../../src/host/json.ts';
import { deathOf, seeLife, type Sight } from './life.ts';
import { useFastClock } from '../../test/fast-clock.ts';

useFastClock();

type Answer = { readonly status: number; readonly body: unknown } | 'refused' | 'reset' | 'timeout';

interface Script {
  /** What each connection to the stream shows; the last for all further ones. Absent: there is no stream. */
  readonly streams?: readonly string[];
  readonly log?: string | Exclude<Answer, string>;
  readonly status?: string;
  /** The statuses that are shown first, one after the other. */
  readonly statuses?: readonly string[];
  /** The snapshots that are shown, one after the other; the last for all further ones. */
  readonly bodies?: readonly object[];
  readonly run?: Answer;
  readonly discovery?: Answer;
}

function exchangeOf(answer: Answer): Exchange {
  if (typeof answer === 'string') return { id: 'x', kind: 'failure', reason: answer, message: answer };
  const text = JSON.stringify(answer.body);
  return { id: 'x', kind: 'response', status: answer.status, headers: {}, text, json: readJsonText(text) };
}

function listOf(log: string | Exclude<Answer, string> = ''): Answer {
  return typeof log === 'object' ? log : { status: 200, body: logInWords(log) };
}

function hostOf(script: Script): HostHandle {
  let connections = 0;
  const left = [...(script.statuses ?? [])];
  const bodies = [...(script.bodies ?? [])];
  return {
    baseUrl: 'http://h',
    exchange: async ({ path }) => {
      if (path === '/.well-known/openwop') return exchangeOf(script.discovery ?? { status: 200, body: {} });
      if (path.includes('/events')) return exchangeOf(listOf(script.log));
      const body = bodies.length > 1 ? bodies.shift() : bodies[0];
      if (body !== undefined) return exchangeOf({ status: 200, body });
      return exchangeOf(script.run ?? { status: 200, body: { status: left.shift() ?? script.status ?? 'running' } });
    },
    stream: async ({ headers }, reader) => {
      const { streams } = script;
      if (headers?.['accept'] === 'application/json') return exchangeOf(listOf(script.log));
      if (streams === undefined) {
        reader.head(200, { 'content-type': 'application/json' });
        return exchangeOf({ status: 200, body: [] });
      }
      const shown = logInWords(streams[Math.min(connections, streams.length - 1)] ?? '');
      connections += 1;
      reader.head(200, { 'content-type': 'text/event-stream' });
      for (const [index, event] of shown.entries()) {
        if (reader.text(`id: ${index}\ndata: ${JSON.stringify(event)}\n\n`) === 'done') break;
      }
      return exchangeOf({ status: 200, body: {} });
    },
  };
}

function eventOf(type: string, sequence: number): object {
  return { eventId: `e-${type}`, type, sequence, nodeId: 'charge', payload: {} };
}

function see(script: Script, more: Partial<Sight> = {}) {
  const { signal } = new AbortController();
  const sight = { host: hostOf(script), signal, patienceMs: 300, streamMs: 200, returnsByItself: false, ...more };
  return seeLife(sight, 'r');
}

describe('seeLife', () => {
  it('follows a stream to its end, over a connection that breaks off', async () => {
    const streams = ['run.started', 'run.started node.started run.completed'];
    const life = await see({ streams, status: 'completed' });
    expect(life).toMatchObject({ stopped: 'ended', snapshot: { status: 'completed' } });
    expect(life.events.map(({ type }) => type)).toEqual(['run.started', 'node.started', 'run.completed']);
  });

  it('reads the list of events where there is no stream', async () => {
    expect(await see({ log: 'run.started run.failed' })).toMatchObject({ stopped: 'ended' });
  });

  it('stops at a run that waits for somebody', async () => {
    const parked = { streams: ['run.started interrupt.requested'], status: 'waiting-approval' };
    expect(await see(parked)).toMatchObject({ stopped: 'parked' });
    expect(await see({ log: 'run.started', status: 'paused' })).toMatchObject({ stopped: 'parked' });
  });

  it('follows a run on that may wait for a worker, as long as its status alone says that it waits', async () => {
    const statuses = ['waiting-worker', 'suspended', 'waiting-external', 'completed'];
    const log = 'run.started';
    const recovered = await see({ log, statuses, status: 'completed' }, { patienceMs: 5_000 });
    expect(recovered).toMatchObject({ stopped: 'ended', snapshot: { status: 'completed' } });
    expect(await see({ log, status: 'suspended' })).toMatchObject({ stopped: 'parked' });
    const asked = { streams: ['run.started interrupt.requested'], status: 'suspended' };
    expect(await see(asked, { patienceMs: 600_000 })).toMatchObject({ stopped: 'parked' });
  });

  it('tells that the host is gone, and by what', async () => {
    const streams = ['run.started'];
    expect(await see({ streams, run: 'refused', discovery: 'refused' })).toMatchObject({
      stopped: 'broken',
      how: 'refused',
      events: [{ type: 'run.started' }],
    });
    const gateway = { status: 502, body: {} };
    expect(await see({ streams, run: gateway, discovery: gateway })).toMatchObject({ stopped: 'broken', how: '502' });
  });

  it('takes a broken connection for a death only where the host may be back by itself', async () => {
    const streams = ['run.started', 'run.started run.completed'];
    expect(await see({ streams }, { returnsByItself: true })).toMatchObject({
      stopped: 'broken',
      how: 'the connection broke off',
    });
  });

  it('reads a snapshot again that shows the end and not the values of the log yet', async () => {
    const written = { ...eventOf('variable.changed', 0), payload: { name: 'receipt', value: 1 } };
    const log = { status: 200, body: [written, eventOf('run.completed', 1)] };
    const bodies = [{}, {}, { receipt: 1 }].map((variables) => ({ status: 'completed', variables }));
    expect(await see({ log, bodies })).toMatchObject({ stopped: 'ended', snapshot: { variables: { receipt: 1 } } });
    const never = await see({ log, bodies: bodies.slice(0, 1) });
    expect(never).toMatchObject({ stopped: 'ended', snapshot: { variables: {} } });
  });

  it('gives up a run that goes on, is unknown, or whose log never shows the end that the snapshot tells', async () => {
    expect(await see({ log: 'run.started' })).toMatchObject({ stopped: 'patience' });
    const patienceMs = 5_000;
    expect(await see({ log: '', run: { status: 404, body: {} } }, { patienceMs })).toMatchObject({
      stopped: 'missing',
    });
    expect(await see({ log: 'run.started', status: 'completed' }, { patienceMs })).toMatchObject({
      stopped: 'ended',
      how: 'the log shows no end',
    });
  });

  it('tells a log that is empty from one that could not be read', async () => {
    const ended = { streams: [''], status: 'completed' };
    const patience = { patienceMs: 3000 };
    expect(await see({ ...ended, log: '' }, patience)).toMatchObject({ stopped: 'ended', logRead: true, events: [] });
    const absent = { status: 404, body: {} };
    expect(await see({ ...ended, log: absent }, patience)).toMatchObject({ stopped: 'ended', logRead: false });
    const odd = { status: 200, body: [{ type: 7 }] };
    expect(await see({ ...ended, log: odd }, patience)).toMatchObject({ stopped: 'ended', logRead: false });
    expect(await see({ log: 'run.started run.failed' })).toMatchObject({ logRead: true });
  });

  it('stops with the scenario', async () => {
    expect(await see({ log: '' }, { signal: AbortSignal.abort() })).toMatchObject({ stopped: 'aborted' });
  });
});

function ask(discovery: Answer) {
  return deathOf(hostOf({ discovery }), []);
}

describe('deathOf', () => {
  it('finds nobody there, and nothing in any other answer', async () => {
    expect(await ask('reset')).toBe('reset');
    expect(await ask({ status: 503, body: {} })).toBe('503');
    expect(await ask('timeout')).toBeUndefined();
    expect(await ask({ status: 401, body: {} })).toBeUndefined();
  });
});
