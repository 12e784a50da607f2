import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quickFolder } from '../../test/host-lives.ts';
import {
  answerOf,
  createModelWorker,
  createPureBench,
  createPureLedger,
  LIVE,
  type Bench,
  type CallEvent,
  type ModelWorker,
} from '../../test/interleavings-model.ts';
import { EVERY_PLACE, sampled } from '../../test/sampled.ts';
import { HOST, play, schedules, tally, wholeOutcome, withMishaps } from '../../test/schedules.ts';
import { defaultParts } from '../parts.ts';
import { decide } from '../policies/decide.ts';
import type { EventDraft } from '../store/event.ts';
import { createFailpoints } from '../store/failpoints.ts';
import type { Ledger } from '../store/ledger.ts';
import { openStore, type Store } from '../store/store.ts';
import type { KeptAnswer, ToolAnswer } from '../types/world.ts';
import { committed, finished, started, type NamedCall } from './call-events.ts';
import { look, resultFrom, type CallPlace, type Sight } from './look.ts';
import { createPlants } from './plants.ts';
import { createDiary } from './worker.ts';

const FAILPOINTS = createFailpoints(() => undefined);
const DIARY = createDiary();
const folder = quickFolder('ledger-');
let store: Store;
let runs = 0;
beforeAll(() => {
  store = openStore(join(folder, 'ledger.db'), 0);
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true });
});

/** The bench of the real store, seen with the real eyes. */
function createStoreBench(): Bench {
  runs += 1;
  const runId = `run-${runs}`;
  store.events.append(runId, { type: 'run.started', payload: {} });
  const place = { runId, key: 'key' };
  const effectPlace = { runId, nodeId: 'node', cacheKey: 'request' };
  let calls = 0;
  const shared = {
    parts: defaultParts,
    store,
    failpoints: FAILPOINTS,
    diary: DIARY,
    plants: createPlants(),
    hostId: HOST,
    leaseMs: 2_000,
  };
  const sight = (worker: ModelWorker): Sight => {
    const at: CallPlace = {
      shared,
      run: { runId, tenant: 'a', workflowId: 'w' },
      worker: { attempt: () => worker.attempt, begun: new Set(worker.begun ? [place.key] : []) },
      invocation: {
        nodeId: 'node',
        tool: 'tool',
        args: {},
        request: {},
        execute: () => Promise.reject(new Error('the model executes')),
        effects: () => [],
      },
      place,
      cacheKey: effectPlace.cacheKey,
      isDeclaredBy: () => true,
      recall: () => store.effects.get(effectPlace),
      declared: () => undefined,
    };
    return look(at);
  };
  const written: CallEvent[] = [];
  return {
    ledger: store.ledger,
    place,
    look: sight,
    written,
    append(worker, event, known) {
      const took = store.events.append(runId, draft(worker, event), known) !== undefined;
      if (took) written.push(event);
      return took;
    },
    putEffect: (answer) => store.effects.record(effectPlace, { value: JSON.parse(answer) as KeptAnswer, events: [] }),
    recorded: (from) => JSON.stringify(resultFrom(from, sight(createModelWorker({ host: HOST, attempt: 'none' })))),
    call() {
      calls += 1;
      return answerOf(calls);
    },
    calls: () => calls,
  };
}

function draft({ attempt, answer }: ModelWorker, event: CallEvent): EventDraft {
  const call: NamedCall = { nodeId: 'node', tool: 'tool', args: {}, idempotencyKey: 'key', attempt };
  switch (event) {
    case 'started':
      return started(call);
    case 'finished':
      return finished(call, JSON.parse(answer ?? '') as ToolAnswer);
    case 'committed':
      return committed(call);
    case 'failed':
      return { type: 'run.failed', payload: {} };
  }
}

describe('two workers at one call, on the SQLite ledger', () => {
  it('call once in a quarter of the 3,432 schedules, in .ci/run in all, and both have the result', () => {
    const orders = schedules(7);
    expect(orders).toHaveLength(3_432);
    const outcomes = store.atomically(() =>
      sampled(orders).map((order) => {
        const bench = createStoreBench();
        return wholeOutcome(bench, play({ bench, order }));
      }),
    );
    const [waited, late] = EVERY_PLACE ? [3_360, 72] : [837, 22];
    expect(tally(outcomes)).toEqual({ 'one waited': waited, 'one came late': late });
  });
});

describe('a worker on the SQLite ledger, in every sixteenth schedule', () => {
  const orders = schedules(7).filter((_, index) => index % 16 === 0);

  it('that dies after any of its steps leaves the recorded result, or doubt in window 2 and nowhere else', () => {
    const counts = store.atomically(() => withMishaps(createStoreBench, orders, 'dies'));
    expect(Object.keys(counts).toSorted()).toEqual(['in doubt, owner gone in window 2', 'recorded']);
  });

  it('that loses its lease after any of its steps, and goes on, does not make another one call again', () => {
    const counts = store.atomically(() => withMishaps(createStoreBench, orders, 'loses its lease'));
    expect(Object.keys(counts).toSorted()).toEqual(['in doubt', 'recorded']);
  });
});

const BENCHES = { 'the pure core': createPureBench, 'the SQLite ledger': createStoreBench } as const;

describe.each(['the pure core', 'the SQLite ledger'] as const)('the idempotency key on %s', (name) => {
  it.each([null, {}, [], '', false, 0])(
    'is a register that is written once: %j is a result like any other',
    (answer) => {
      const bench = BENCHES[name]();
      const [first, second] = [
        createModelWorker({ host: HOST, attempt: '1' }),
        createModelWorker({ host: HOST, attempt: '2' }),
      ];
      const { ledger, place } = bench;
      const result = JSON.stringify({ kind: 'answered', answer } satisfies KeptAnswer);
      expect(ledger.acquire(place, first, LIVE)).toBe(true);
      expect(ledger.commit(place, first, result)).toBe(true);
      for (const worker of [first, second]) {
        expect(ledger.commit(place, worker, answerOf(2))).toBe(false);
        expect(ledger.acquire(place, worker, LIVE)).toBe(false);
        expect(ledger.reclaim(place, { from: first, to: worker, leaseUntil: LIVE })).toBe(false);
        expect(ledger.renew(place, worker, 0)).toBe(false);
        expect(ledger.get(place)).toMatchObject({ state: 'COMMITTED', attempt: '1', result });
        expect(decide(bench.look(worker).found)).toEqual({ kind: 'ReturnRecordedResult', from: 'ledger' });
        expect(bench.recorded('ledger')).toBe(result);
      }
    },
  );
});

const STEP = fc.record({
  act: fc.constantFrom('acquire', 'reclaim', 'renew', 'commit', 'claim' as const),
  key: fc.constantFrom('k', 'l'),
  by: fc.constantFrom('1', '2', '3'),
  from: fc.constantFrom('1', '2', '3'),
  lease: fc.nat(9),
});

type LedgerStep = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

/** What a ledger says to each step, and what it holds then. */
function reported(ledger: Ledger, runId: string, steps: readonly LedgerStep[]): unknown {
  return steps.map(({ act, key, by, from, lease }) => {
    const place = { runId, key };
    const owner = { host: HOST, attempt: by };
    const acts = {
      acquire: () => ledger.acquire(place, owner, lease),
      reclaim: () => ledger.reclaim(place, { from: { host: HOST, attempt: from }, to: owner, leaseUntil: lease }),
      renew: () => ledger.renew(place, owner, lease),
      commit: () => ledger.commit(place, owner, JSON.stringify(lease)),
      claim: () => ledger.claim(runId),
    };
    return [acts[act](), ledger.get(place)];
  });
}

describe('the pure ledger', () => {
  it('says and holds what the SQLite ledger does', () => {
    let named = 0;
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 12 }), (steps) => {
        named += 1;
        const runId = `told-${named}`;
        expect(reported(createPureLedger(), runId, steps)).toEqual(reported(store.ledger, runId, steps));
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
