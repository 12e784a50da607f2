import { describe, expect, it } from 'vitest';
import type { Exchange, HostHandle, HostRequest } from '../../src/host/client.ts';
import { readJsonText } from '../../src/host/json.ts';
import type { Probe } from '../../src/host/probe.ts';
import { runCalled } from '../../test/recorded-runs.ts';
import { statusIn } from '../shared/snapshot.ts';
import { forkUntilSettled, isWaiting, untilEnded } from './settled-run.ts';
import { useFastClock } from '../../test/fast-clock.ts';

useFastClock();

/** A host with one fork, whose snapshots go through these statuses, the last one for good. */
function probeOf(statuses: readonly string[], types: readonly string[]): Probe {
  const left = [...statuses];
  const events = types.map((type, sequence) => ({ eventId: `e${sequence}`, runId: 'f', type, sequence, payload: {} }));
  const bodyOf = ({ path }: HostRequest): unknown => {
    if (path.endsWith(':fork')) return { runId: 'f' };
    if (path.includes('/events')) return events;
    return { runId: 'f', status: left.length > 1 ? left.shift() : left[0] };
  };
  const exchange = (request: HostRequest): Promise<Exchange> => {
    const text = JSON.stringify(bodyOf(request));
    return Promise.resolve({ id: 'x', kind: 'response', status: 200, headers: {}, text, json: readJsonText(text) });
  };
  const host: HostHandle = { baseUrl: 'http://h', exchange, stream: (request) => exchange(request) };
  const others = { otherTenant: undefined, limited: undefined, hostB: undefined, witness: undefined };
  const discoveryExchange: Exchange = { id: 'x0', kind: 'failure', reason: 'refused', message: '' };
  const bounds = { concurrency: 1, timeoutMs: 1_000, signal: new AbortController().signal };
  return { host, ...others, discoveryExchange, discovery: {}, ...bounds };
}

const source = runCalled('src', [['run.started'], ['run.completed']]);
const fork = (probe: Probe) => forkUntilSettled(probe, source, { mode: 'replay' }, 'replay');

describe('forkUntilSettled', () => {
  it('follows a fork to its end', async () => {
    const run = await fork(probeOf(['running', 'running', 'completed'], ['run.started', 'run.completed']));
    expect(run).toMatchObject({ role: 'replay', runId: 'f', problem: null });
    expect([statusIn(run.snapshot), isWaiting(run), run.events.length]).toEqual(['completed', false, 2]);
  });

  it('leaves a fork that waits for somebody', async () => {
    const run = await fork(probeOf(['running', 'waiting-approval'], ['run.started', 'interrupt.requested']));
    expect(run.problem).toBeNull();
    expect([isWaiting(run), run.events.length]).toEqual([true, 2]);
  });

  it.each(['interrupt.requested', 'node.suspended'])(
    'leaves a fork whose log ends with %s while it is running',
    async (type) => {
      const run = await fork(probeOf(['running'], ['run.started', type]));
      expect([run.problem, statusIn(run.snapshot), isWaiting(run)]).toEqual([null, 'running', true]);
    },
  );

  it.each(['waiting-worker', 'waiting-external', 'suspended'])(
    'follows a fork on whose status %s alone says that it waits',
    async (status) => {
      const done = ['run.started', 'run.completed'];
      expect(statusIn((await fork(probeOf([status, status, 'completed'], done))).snapshot)).toBe('completed');
      const run = await fork(probeOf([status], ['run.started']));
      expect([run.problem, statusIn(run.snapshot), isWaiting(run)]).toEqual([null, status, true]);
      const asked = await fork(probeOf([status], ['run.started', 'interrupt.requested']));
      expect([asked.problem, isWaiting(asked)]).toEqual([null, true]);
    },
  );

  it('gives up a fork that goes on after its question', async () => {
    const run = await fork(probeOf(['running'], ['run.started', 'interrupt.requested', 'interrupt.resolved']));
    expect([run.problem, isWaiting(run)]).toEqual(['its status is running', false]);
  });

  it('gives up a fork that does neither', async () => {
    expect((await fork(probeOf(['running'], ['run.started']))).problem).toBe('its status is running');
  });

  it('follows nothing where the fork was not made', async () => {
    const unseen = { ...source, problem: 'the run has not ended' };
    expect((await forkUntilSettled(probeOf([], []), unseen, { mode: 'replay' }, 'r')).runId).toBeNull();
  });
});

describe('untilEnded', () => {
  const parked = { ...source, runId: 'f' };

  it('does not take a run that still waits for one that has ended', async () => {
    const ended = await untilEnded(
      probeOf(['waiting-approval', 'running', 'completed'], ['run.started', 'run.completed']),
      parked,
    );
    expect([ended.problem, statusIn(ended.snapshot)]).toEqual([null, 'completed']);
    const waiting = await untilEnded(probeOf(['waiting-approval'], ['run.started']), parked);
    expect(waiting.problem).toBe('its status is waiting-approval');
  });
});
