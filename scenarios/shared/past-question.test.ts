import { describe, expect, it } from 'vitest';
import { answered } from '../../test/answers.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Exchange } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { useFastClock } from '../../test/fast-clock.ts';
import { event } from '../../test/fork-observations.ts';
import { hasEnded, replayPastQuestion } from './past-question.ts';
import type { RunObservation } from './run-observation.ts';

const SOURCE: RunObservation = {
  type: 'run',
  role: 'source',
  fork: null,
  answered: 201,
  answer: null,
  runId: 'run_source',
  problem: null,
  events: [],
  snapshot: null,
  exchanges: [],
};

interface Toy {
  /** The status of the answers to requests for a snapshot, and what they show. */
  readonly snapshot: (reading: number) => readonly [status: number, body: Json];
  /** After how many readings the log shows the answer and the end; never where absent. */
  readonly endsAfter?: number;
}

/** A host whose replays show the recorded question. */
function probeOf({ snapshot, endsAfter = Infinity }: Toy): Probe {
  const asked = ['run.started', 'interrupt.requested'].map((type, sequence) => event(sequence, type));
  const whole = [...asked, event(2, 'interrupt.resolved'), event(3, 'run.completed')];
  let [logs, snapshots] = [0, 0];
  const answer = (path: string): Exchange => {
    if (path.endsWith(':fork')) return answered(201, { runId: 'run_replay' });
    if (!path.includes('/events')) return answered(...snapshot((snapshots += 1)));
    return answered(200, { events: (logs += 1) > endsAfter ? whole : asked });
  };
  return {
    host: {
      baseUrl: 'http://h',
      exchange: async ({ path }) => answer(path),
      stream: async ({ path }, reader) => {
        const exchange = answer(path);
        if (exchange.kind === 'response') reader.head(exchange.status, {});
        return exchange;
      },
    },
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

const replayed = (toy: Toy) => replayPastQuestion(probeOf(toy), SOURCE, { role: 'replay', fromSeq: undefined });

describe('a replay that shows the recorded question', () => {
  useFastClock();

  it('goes on by itself where its snapshot says so', async () => {
    const { replay, waits } = await replayed({ snapshot: () => [200, { status: 'completed' }], endsAfter: 2 });
    expect([waits, hasEnded(replay)]).toEqual([false, true]);
  });

  it('goes on where a busy host takes half a time-out for that', async () => {
    const start = Date.now();
    const isThere = () => Date.now() - start > 5_000;
    const { replay, waits } = await replayed({
      snapshot: () => [200, { status: isThere() ? 'completed' : 'waiting-approval' }],
      endsAfter: 2,
    });
    expect([waits, hasEnded(replay)]).toEqual([false, true]);
  });

  it('waits where its snapshot goes on saying so', async () => {
    expect(await replayed({ snapshot: () => [200, { status: 'waiting-approval' }] })).toMatchObject({
      waits: true,
      status: 'waiting-approval',
    });
  });

  it.each([
    ['cannot be read', 501, {}],
    ['shows no status', 200, {}],
  ])('goes on where its log says so, though its snapshot %s', async (_, status, body) => {
    const { replay, waits } = await replayed({ snapshot: () => [status, body], endsAfter: 4 });
    expect([waits, hasEnded(replay)]).toEqual([false, true]);
  });

  it('goes on, or waits, by its log where its snapshot has a word of the host’s own', async () => {
    const begun = Date.now();
    const over = await replayed({ snapshot: () => [200, { status: 'finished' }], endsAfter: 4 });
    expect([over.waits, hasEnded(over.replay)]).toEqual([false, true]);
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect(await replayed({ snapshot: () => [200, { status: 'asking' }] })).toMatchObject({
      waits: true,
      status: 'asking',
    });
  });

  it('waits where neither its snapshot nor its log says anything else', async () => {
    expect(await replayed({ snapshot: () => [501, {}] })).toMatchObject({ waits: true, status: undefined });
  });
});
