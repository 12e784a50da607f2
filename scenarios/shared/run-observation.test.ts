import { describe, expect, it } from 'vitest';
import { answered } from '../../test/answers.ts';
import { event } from '../../test/fork-observations.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { refusedText } from './need.ts';
import { type RunObservation, startFork, startRun } from './run-observation.ts';

/** A host whose runs all have this log, and whose snapshot shows this each time that it is read. */
function probeOf(events: readonly Json[], snapshots: readonly object[] = [{}]): Probe {
  let turn = -1;
  const shown = (): Json => {
    turn = Math.min(turn + 1, snapshots.length - 1);
    return { runId: 'run_a', status: 'completed', ...snapshots[turn] };
  };
  const host: HostHandle = {
    baseUrl: 'http://h',
    exchange: async ({ method, path }) =>
      method === 'POST'
        ? answered(201, { runId: 'run_a' })
        : answered(200, path.endsWith('/events') ? { events } : shown()),
    stream: async () => ({ id: 'x0', kind: 'failure', reason: 'protocol', message: 'no streams here' }),
  };
  return {
    host,
    otherTenant: undefined,
    limited: undefined,
    hostB: undefined,
    witness: undefined,
    discoveryExchange: answered(200, {}),
    discovery: {},
    concurrency: 1,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
  };
}

async function problemOf(types: readonly string[], workflowId = 'conformance-multi-node'): Promise<string | null> {
  const events = types.map((type, sequence) => event(sequence, type));
  return (await startRun(probeOf(events), { workflowId }, { role: 'source' })).problem;
}

describe('a run that is started', () => {
  it('was seen where its log shows what it did, or how it failed', async () => {
    expect(await problemOf(['run.started', 'node.started', 'run.completed'])).toBeNull();
    expect(await problemOf(['variable.changed', 'run.completed'])).toBeNull();
    expect(await problemOf(['run.started', 'run.failed'])).toBeNull();
  });

  it('was not seen where its log shows that it completed, and nothing that it did', async () => {
    const problem = 'its log shows nothing but that it completed';
    expect(await problemOf(['run.completed'])).toBe(problem);
    expect(await problemOf(['run.started', 'run.completed'])).toBe(problem);
    expect(await problemOf(['run.completed'], 'conformance-noop')).toBe(problem);
    expect(await problemOf(['run.started', 'run.completed'], 'conformance-noop')).toBeNull();
  });

  it('is given with the values that its log ends with where these come a little after its end', async () => {
    const events = ['run.started', 'variable.changed', 'run.completed'].map((type, sequence) =>
      event(sequence, type, { payload: { name: 'v', value: 1 } }),
    );
    const runOf = (...shown: readonly object[]): Promise<RunObservation> =>
      startRun(probeOf(events, shown), { workflowId: 'w' }, { role: 'source' });
    const snapshotOf = async (...shown: readonly object[]): Promise<Json> => (await runOf(...shown)).snapshot;
    expect(await runOf({ variables: { v: 0 } }, { variables: { v: 1 } })).toHaveProperty('valuesLate', true);
    expect(await runOf({ variables: { v: 1 } })).not.toHaveProperty('valuesLate');
    expect(await runOf({ variables: { v: 0 } })).not.toHaveProperty('valuesLate');
    expect(await snapshotOf({ variables: { v: 0 } }, { variables: { v: 1 } })).toMatchObject({ variables: { v: 1 } });
    expect(await snapshotOf({ variables: { v: 1 } }, { variables: { v: 2 } })).toMatchObject({ variables: { v: 1 } });
    expect(await snapshotOf({ variables: { v: 0 } })).toMatchObject({ variables: { v: 0 } });
  });

  it('was not seen where the time is over before its snapshot is read', async () => {
    const probe = probeOf(['run.started', 'node.started', 'run.completed'].map((type, at) => event(at, type)));
    const over = new AbortController();
    const reading = (stops: boolean): Probe => ({
      ...probe,
      signal: over.signal,
      host: {
        ...probe.host,
        exchange: async (request) => {
          if (request.method === 'POST' || request.path.endsWith('/events')) return probe.host.exchange(request);
          if (stops) over.abort();
          return { id: 'x0', kind: 'failure', reason: 'aborted', message: 'the scenario was stopped' };
        },
      },
    });
    const seen = { snapshot: null, problem: null };
    expect(await startRun(reading(false), { workflowId: 'w' }, { role: 'source' })).toMatchObject(seen);
    const unseen = { snapshot: null, problem: 'there was no time to read its snapshot' };
    expect(await startRun(reading(true), { workflowId: 'w' }, { role: 'source' })).toMatchObject(unseen);
  });
});

describe('a fork that is refused', () => {
  const source = { runId: 'run_a', problem: null, exchanges: [] };
  const startOf = async (status: number, sequences: readonly number[]): Promise<unknown> => {
    const probe = probeOf(sequences.map((sequence) => event(sequence, 'node.started')));
    const host: HostHandle = {
      ...probe.host,
      exchange: async (request) =>
        request.method === 'POST' ? answered(status, { error: 'no' }) : probe.host.exchange(request),
    };
    return (await startFork({ ...probe, host }, source, { mode: 'replay', fromSeq: 3 }, { role: 'fork' })).sourceStart;
  };

  it('is given with what the log of its source begins with then, where its events may have expired', async () => {
    expect(await startOf(410, [5, 6])).toBe(5);
    expect(await startOf(422, [0, 1])).toBe(0);
    // Numbers that go down are no lost beginning.
    expect(await startOf(422, [9, 8, 7])).toBe(7);
    expect(await startOf(404, [5, 6])).toBeUndefined();
  });

  it('is given with what the answer says, cut', async () => {
    const host: HostHandle = {
      ...probeOf([]).host,
      exchange: async () => answered(501, { error: 'no', message: 'x'.repeat(1000) }),
    };
    const fork = await startFork({ ...probeOf([]), host }, source, { mode: 'replay' }, { role: 'fork' });
    expect(fork.refusal).toBe(`no: ${'x'.repeat(196)}`);
    expect(refusedText(fork)).toBe(`501 "${fork.refusal ?? ''}" for fork (mode replay of run run_a)`);
  });
});
