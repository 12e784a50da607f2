import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultParts } from '../parts.ts';
import type { ToolAnswer } from '../engine/world.ts';
import type { EventDraft } from '../store/event.ts';
import type { Ledger } from '../store/ledger.ts';
import type { Store } from '../store/store.ts';
import { openStore } from '../store/store.ts';
import type { KeptAnswer, NamedCall } from './call-events.ts';
import { committed, finished, started } from './call-events.ts';
import { decide } from './decide.ts';
import { createFailpoints } from './failpoints.ts';
import type { Acquiring, Bench, CallEvent, ModelWorker } from './interleavings-model.ts';
import {
  answerOf,
  createModelWorker,
  createPureBench,
  createPureLedger,
  LIVE,
  LOST,
  turn,
} from './interleavings-model.ts';
import type { CallPlace, Sight } from './look.ts';
import { look, resultFrom } from './look.ts';
import { createDiary } from './worker.ts';

const HOST = 'host';
const FAILPOINTS = createFailpoints(() => undefined);
const DIARY = createDiary();
let store: Store;
let runs = 0;
beforeAll(() => {
  store = openStore(undefined, 0);
});
afterAll(() => store.close());

/** The bench of the real store, seen with the real eyes. */
function createStoreBench(): Bench {
  runs += 1;
  const runId = `run-${runs}`;
  store.events.append(runId, { type: 'run.started', payload: {} });
  const place = { runId, key: 'key' };
  const effectPlace = { runId, nodeId: 'node', cacheKey: 'request' };
  let calls = 0;
  const shared = { parts: defaultParts, store, failpoints: FAILPOINTS, diary: DIARY, hostId: HOST };
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

/** Every order in which two workers can have `turns` turns each, as the number of the worker whose turn it is. */
function schedules(turns: number): readonly (readonly number[])[] {
  const found: number[][] = [];
  for (let bits = 0; bits < 2 ** (2 * turns); bits += 1) {
    const order = Array.from({ length: 2 * turns }, (_, index) => (bits >> index) & 1);
    if (order.reduce((sum, each) => sum + each, 0) === turns) found.push(order);
  }
  return found;
}

/** What happens to a worker when it has done so many steps: it is gone, or only its lease is. */
interface Mishap {
  readonly worker: number;
  readonly after: number;
  readonly kind: 'dies' | 'loses its lease';
}

interface Played {
  readonly workers: readonly ModelWorker[];
  readonly dead: ReadonlySet<number>;
  /** Whether somebody still waited when nothing more could happen. */
  readonly hangs: boolean;
}

interface Play {
  readonly bench: Bench;
  readonly order: readonly number[];
  readonly acquiring?: Acquiring;
  readonly mishaps?: readonly Mishap[];
}

/** Carries out a schedule, and then gives turns to whoever is not done. Leases end when all that are left wait. */
function play({ bench, order, acquiring = 'at once', mishaps = [] }: Play): Played {
  const workers = Array.from({ length: Math.max(...order) + 1 }, (_, index) =>
    createModelWorker({ host: HOST, attempt: String(index + 1) }),
  );
  const dead = new Set<number>();
  const due = new Set(mishaps);
  const take = (index: number): boolean => {
    const worker = workers[index];
    if (worker === undefined || dead.has(index) || worker.phase === 'over') return false;
    for (const mishap of due) {
      if (mishap.worker !== index || mishap.after !== worker.steps) continue;
      due.delete(mishap);
      bench.ledger.renew(bench.place, worker, 0);
      if (mishap.kind === 'dies') dead.add(index);
    }
    if (dead.has(index)) return false;
    const before = worker.steps;
    turn(bench, worker, acquiring);
    return worker.steps > before;
  };
  for (const index of order) take(index);
  for (let idle = 0; idle < 3;) {
    idle = workers.map((_, index) => take(index)).includes(true) ? 0 : idle + 1;
    const record = bench.ledger.get(bench.place);
    if (idle > 0 && record !== undefined) bench.ledger.renew(bench.place, record, 0);
  }
  const hangs = workers.some(({ phase }, index) => phase !== 'over' && !dead.has(index));
  return { workers, dead, hangs };
}

/** How often each outcome came. */
function tally(outcomes: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

const ONCE = 'started finished committed';

/** How a schedule without mishaps went. */
function wholeOutcome(bench: Bench, { workers, hangs }: Played): string {
  const record = bench.ledger.get(bench.place);
  const wrong = [
    ...(hangs ? ['somebody hangs'] : []),
    ...(bench.calls() === 1 ? [] : [`${bench.calls()} calls`]),
    ...(workers.filter(({ begun }) => begun).length === 1 ? [] : ['not one executed']),
    ...(workers.every(({ result }) => result === answerOf(1)) ? [] : ['not the recorded result']),
    ...(bench.written.join(' ') === ONCE ? [] : ['events']),
    ...(record?.state === 'COMMITTED' && record.result === answerOf(1) ? [] : ['record']),
  ];
  if (wrong.length > 0) return wrong.join(', ');
  return workers.some(({ begun, waited }) => !begun && waited) ? 'one waited' : 'one came late';
}

/** What must hold whatever happens: at most one call, everybody who is left ends, and all with the same. */
function mishapOutcome(bench: Bench, { workers, dead, hangs }: Played): string {
  const left = workers.filter((_, index) => !dead.has(index));
  const results = new Set(left.map(({ result }) => result));
  const events = bench.written;
  if (hangs) return 'somebody hangs';
  if (bench.calls() > 1) return `${bench.calls()} calls`;
  if (new Set(events).size !== events.length) return 'an event twice';
  if (results.size > 1) return 'different results';
  const [result] = results;
  if (result === LOST) return events.at(-1) === 'failed' ? 'in doubt' : 'lost, and not failed';
  return result === answerOf(1) && events.join(' ') === ONCE ? 'recorded' : 'events';
}

const SEVEN = schedules(7);
const BENCHES = { 'the pure core': createPureBench, 'the SQLite ledger': createStoreBench } as const;

describe.each(['the pure core', 'the SQLite ledger'] as const)('two workers at one call, on %s', (name) => {
  it('call once in all 3,432 schedules, and both have the result', () => {
    expect(SEVEN).toHaveLength(3_432);
    const outcomes = store.atomically(() =>
      SEVEN.map((order) => {
        const bench = BENCHES[name]();
        return wholeOutcome(bench, play({ bench, order }));
      }),
    );
    expect(tally(outcomes)).toEqual({ 'one waited': 3_360, 'one came late': 72 });
  });
});

describe('two workers that look in one turn and make the record in the next', () => {
  const EIGHT = schedules(8);
  const counts = (acquiring: Acquiring, fenced: boolean): Record<string, number> =>
    tally(
      EIGHT.map((order) => {
        const bench = createPureBench(fenced);
        return wholeOutcome(bench, play({ bench, order, acquiring }));
      }),
    );

  it('call once in all 12,870 schedules where the record is made only if there is none', () => {
    expect(EIGHT).toHaveLength(12_870);
    expect(counts('a turn later', true)).toEqual({ 'one waited': 12_188, 'one came late': 682 });
  });

  it('call once where it is made whatever is there, as long as the stream is fenced', () => {
    expect(counts('a turn later, whatever is there', true)).toEqual({ 'one waited': 11_068, 'one came late': 1_802 });
  });

  it('are caught where it is made whatever is there and nothing is fenced: the enumeration can fail', () => {
    const {
      'one waited': waited,
      'one came late': late,
      ...failing
    } = counts('a turn later, whatever is there', false);
    expect([waited, late]).toEqual([4_124, 34]);
    expect(failing).toEqual({
      '2 calls, not one executed, not the recorded result, events': 2_352,
      '2 calls, not one executed, not the recorded result, events, record': 4_512,
      events: 1_848,
    });
  });
});

/**
 * Every schedule with every mishap of this kind, after each number of steps. The schedules are as many again with the two
 * workers exchanged, so that one of them is enough as the victim.
 */
function withMishaps(kind: Mishap['kind']): Record<string, number> {
  const outcomes: string[] = [];
  for (const order of SEVEN) {
    for (let after = 0; after <= 7; after += 1) {
      const mishap = { worker: 0, after, kind };
      const bench = createPureBench();
      const played = play({ bench, order, mishaps: [mishap] });
      const victim = played.workers[0];
      const inDoubt = played.dead.size > 0 && (victim?.phase === 'execute' || victim?.phase === 'put effect');
      outcomes.push(`${mishapOutcome(bench, played)}${inDoubt ? ', owner gone in window 2' : ''}`);
    }
  }
  return tally(outcomes);
}

describe('a worker', () => {
  it('that dies after any of its steps leaves the recorded result, or doubt in window 2 and nowhere else', () => {
    expect(withMishaps('dies')).toEqual({ recorded: 24_024, 'in doubt, owner gone in window 2': 3_432 });
  });

  it('that loses its lease after any of its steps, and goes on, neither calls again nor writes among what another does', () => {
    expect(withMishaps('loses its lease')).toEqual({ recorded: 25_524, 'in doubt': 1_932 });
  });
});

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
  act: fc.constantFrom('acquire', 'overwrite', 'reclaim', 'renew', 'commit', 'claim' as const),
  key: fc.constantFrom('k', 'l'),
  by: fc.constantFrom('1', '2', '3'),
  from: fc.constantFrom('1', '2', '3'),
  lease: fc.nat(9),
});

type LedgerStep = typeof STEP extends fc.Arbitrary<infer T> ? T : never;

/** What a ledger says to each step, and what it holds then. */
function told(ledger: Ledger, runId: string, steps: readonly LedgerStep[]): unknown {
  return steps.map(({ act, key, by, from, lease }) => {
    const place = { runId, key };
    const owner = { host: HOST, attempt: by };
    const acts = {
      acquire: () => ledger.acquire(place, owner, lease),
      overwrite: () => ledger.overwrite(place, owner, lease),
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
        expect(told(createPureLedger(), runId, steps)).toEqual(told(store.ledger, runId, steps));
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe('three workers, two of which die or lose their lease', () => {
  const mishap = fc.record({
    worker: fc.nat(2),
    after: fc.nat(7),
    kind: fc.constantFrom('dies' as const, 'loses its lease' as const),
  });
  const order = fc.shuffledSubarray(
    Array.from({ length: 21 }, (_, index) => index % 3),
    { minLength: 21 },
  );

  it('call at most once and agree, in 10,000 schedules by seed', () => {
    const outcomes: string[] = [];
    fc.assert(
      fc.property(order, fc.array(mishap, { maxLength: 2 }), (turns, mishaps) => {
        const bench = createPureBench();
        const outcome = mishapOutcome(bench, play({ bench, order: turns, mishaps }));
        outcomes.push(outcome);
        return outcome === 'recorded' || outcome === 'in doubt';
      }),
      { seed: 20_261_121, numRuns: 10_000 },
    );
    expect(outcomes).toHaveLength(10_000);
    expect(new Set(outcomes)).toEqual(new Set(['recorded', 'in doubt']));
  });
});
