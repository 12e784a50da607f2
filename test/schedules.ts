import type { Acquiring, Bench, ModelWorker } from './interleavings-model.ts';
import { answerOf, createModelWorker, LOST, turn } from './interleavings-model.ts';

/** The process that all workers of a schedule belong to. */
export const HOST = 'host';

/** Every order in which two workers can have `turns` turns each, as the number of the worker whose turn it is. */
export function schedules(turns: number): readonly (readonly number[])[] {
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
export function play({ bench, order, acquiring = 'at once', mishaps = [] }: Play): Played {
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
  const isDone = ({ phase }: ModelWorker, index: number): boolean => phase === 'over' || dead.has(index);
  for (let idle = 0; idle < 3 && !workers.every(isDone);) {
    idle = workers.map((_, index) => take(index)).includes(true) ? 0 : idle + 1;
    const record = bench.ledger.get(bench.place);
    if (idle > 0 && record !== undefined) bench.ledger.renew(bench.place, record, 0);
  }
  return { workers, dead, hangs: !workers.every(isDone) };
}

/** How often each outcome came. */
export function tally(outcomes: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

const ONCE = 'started finished committed';

/** How a schedule without mishaps went. */
export function wholeOutcome(bench: Bench, { workers, hangs }: Played): string {
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
export function mishapOutcome(bench: Bench, { workers, dead, hangs }: Played): string {
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

/**
 * How often each outcome came, over every mishap of this kind after each number of steps in these schedules. With all
 * schedules one of two workers is enough as the victim: they are as many again with the two exchanged.
 */
export function withMishaps(
  createBench: () => Bench,
  orders: readonly (readonly number[])[],
  kind: Mishap['kind'],
): Record<string, number> {
  const outcomes: string[] = [];
  for (const order of orders) {
    for (let after = 0; after <= 7; after += 1) {
      const bench = createBench();
      const played = play({ bench, order, mishaps: [{ worker: 0, after, kind }] });
      const phase = played.workers[0]?.phase;
      const inWindow2 = played.dead.size > 0 && (phase === 'execute' || phase === 'put effect');
      outcomes.push(`${mishapOutcome(bench, played)}${inWindow2 ? ', owner gone in window 2' : ''}`);
    }
  }
  return tally(outcomes);
}
