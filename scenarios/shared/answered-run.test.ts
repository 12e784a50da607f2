import { describe, expect, it } from 'vitest';
import { answered } from '../../test/answers.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Exchange, HostRequest } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { useFastClock } from '../../test/fast-clock.ts';
import { event } from '../../test/fork-observations.ts';
import { startAnswered, type Bringing } from './answered-run.ts';

const NOWHERE = { id: 'x0', kind: 'failure', reason: 'protocol', message: 'no streams here' } as const;

interface Toy {
  /** The log and the status after so many answers and cancellations. */
  readonly log: (answers: readonly Json[], isCancelled: boolean) => readonly (readonly [string, string?])[];
  readonly status: (answers: readonly Json[], isCancelled: boolean) => string;
  /** The status of an answer to an answer; 200 where absent. */
  readonly takes?: (answer: Json) => number;
}

/** A host of one run, and what it was answered. */
function hostOf({ log, status, takes = () => 200 }: Toy) {
  const taken: Json[] = [];
  const posted: string[] = [];
  let isCancelled = false;
  const answer = ({ method, path, body = '{}' }: HostRequest): Exchange => {
    if (method === 'POST') posted.push(path);
    if (path === '/v1/runs') return answered(201, { runId: 'run_a' });
    if (path.endsWith('/cancel')) {
      isCancelled = true;
      return answered(200, {});
    }
    if (method === 'POST') {
      const { resumeValue } = JSON.parse(body) as { resumeValue: Json };
      const code = takes(resumeValue);
      if (code === 200) taken.push(resumeValue);
      return answered(code, {});
    }
    if (!path.includes('/events')) {
      return answered(200, { runId: 'run_a', status: status(taken, isCancelled), currentNodeId: 'gate' });
    }
    const events = log(taken, isCancelled).map(([type, nodeId], sequence) =>
      event(sequence, type, nodeId === undefined ? {} : { nodeId }),
    );
    return answered(200, { events });
  };
  const nobody = { otherTenant: undefined, limited: undefined, hostB: undefined, witness: undefined };
  const probe: Probe = {
    ...nobody,
    host: {
      baseUrl: 'http://h',
      exchange: async (request) =>
        request.signal?.aborted === true ? { ...NOWHERE, reason: 'aborted' } : answer(request),
      stream: async () => NOWHERE,
    },
    discoveryExchange: answered(200, {}),
    discovery: {},
    concurrency: 1,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
  };
  return { probe, taken, posted };
}

const BEGUN = [['run.started'], ['node.started', 'gate']] as const;
const ASKED = [...BEGUN, ['interrupt.requested', 'gate']] as const;
const done = (answers: readonly Json[], needed = 1) => (answers.length >= needed ? 'completed' : 'waiting-approval');
const ANSWER = { nodeId: 'gate', resumeValue: { action: 'accept' } };

function start(probe: Probe, how: Partial<Bringing> = {}) {
  return startAnswered(probe, { workflowId: 'w' }, { role: 'source', ms: 10_000, ...how });
}

describe('a run that is brought to its end', () => {
  useFastClock();

  it('is answered where its log asks, as it is known to be or as it says itself', async () => {
    const toy: Toy = {
      log: (answers) => (answers.length === 0 ? ASKED : [...ASKED, ['interrupt.resolved', 'gate'], ['run.completed']]),
      status: (answers) => done(answers),
    };
    const known = hostOf(toy);
    expect(await start(known.probe, { answer: ANSWER })).toMatchObject({
      problem: null,
      runId: 'run_a',
      workflowId: 'w',
    });
    expect(known.taken).toEqual([{ action: 'accept' }]);
    const unknown = hostOf(toy);
    expect((await start(unknown.probe)).problem).toBeNull();
    expect(unknown.taken).toEqual([{ approved: true }]);
  });

  it('is answered where only its status says that it waits, as often as it takes', async () => {
    const host = hostOf({
      log: (answers) => (answers.length < 3 ? BEGUN : [...BEGUN, ['run.completed']]),
      status: (answers) => done(answers, 3),
    });
    expect((await start(host.probe, { answer: ANSWER })).problem).toBeNull();
    expect(host.taken).toHaveLength(3);
  });

  it('tries another answer where one is not understood', async () => {
    const host = hostOf({
      log: (answers) => (answers.length === 0 ? ASKED : [...ASKED, ['run.completed']]),
      status: (answers) => done(answers),
      takes: (answer) => (JSON.stringify(answer) === '{"action":"accept"}' ? 200 : 422),
    });
    expect((await start(host.probe)).problem).toBeNull();
    expect(host.taken).toEqual([{ action: 'accept' }]);
  });

  it('is cancelled where it cannot be answered, asks for ever, or does not end', async () => {
    const closed = hostOf({ log: () => ASKED, status: () => 'waiting-approval', takes: () => 404 });
    expect((await start(closed.probe)).problem).toMatch(/interrupts\/gate answered 404: it was cancelled$/u);
    const endless = hostOf({
      log: (answers) => [...ASKED, ...answers.map(() => ['interrupt.requested', 'gate'] as const)],
      status: () => 'waiting-approval',
    });
    expect((await start(endless.probe)).problem).toBe('it waits again after 8 answers: it was cancelled');
    const hanging = hostOf({ log: () => BEGUN, status: () => 'running' });
    expect((await start(hanging.probe)).problem).toMatch(/: it was cancelled$/u);
    expect(hanging.posted).toEqual(['/v1/runs', '/v1/runs/run_a/cancel']);
  });

  it('is cancelled once it has begun where that is how it ends', async () => {
    const host = hostOf({
      log: (_answers, isCancelled) => (isCancelled ? [...BEGUN, ['run.cancelled']] : BEGUN),
      status: (_answers, isCancelled) => (isCancelled ? 'cancelled' : 'running'),
    });
    const run = await start(host.probe, { cancel: true });
    expect([run.problem, run.events.length]).toEqual([null, 3]);
  });

  it('shows no run where it completed and did nothing', async () => {
    const host = hostOf({ log: () => [['run.started'], ['run.completed']], status: () => 'completed' });
    expect((await start(host.probe)).problem).toBe('its log shows nothing but that it completed');
  });
});
