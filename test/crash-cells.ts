import type { Json } from '../src/evidence/types.ts';
import type { Cut } from '../src/host/crash.ts';
import type { Recorded } from '../src/runner/scenario.ts';
import type { CellObservation, CrashObservation, Pair, PointsObservation } from '../scenarios/at-most-once/cell.ts';

/** The answer of the tool in matrices that are written by hand. */
export const NONCE = 'n-1';

const PAYLOADS: Readonly<Record<string, Json>> = {
  tool_invocation_started: { tool_name: 'charge-card', arguments: {}, idempotency_key: 'k', attempt_id: '1' },
  tool_invocation_finished: { idempotency_key: 'k', outcome: 'success', result: { nonce: NONCE } },
  command_committed: { idempotency_key: 'k' },
  'node.completed': { output: { nonce: NONCE } },
};

const SHORT: Readonly<Record<string, string>> = {
  started: 'tool_invocation_started',
  finished: 'tool_invocation_finished',
  committed: 'command_committed',
};

/** A log in words: `started`, `finished` and `committed` are those of the tool call, all others are types. */
export function logInWords(words: string): readonly Json[] {
  const names = words.split(' ').filter((word) => word !== '');
  return names.map((word, sequence): Json => {
    const type = SHORT[word] ?? word;
    return { eventId: `e-${word}`, type, sequence, nodeId: 'charge', payload: PAYLOADS[type] ?? {} };
  });
}

export const BEGUN = 'run.started node.started';
export const FULL = `${BEGUN} started finished committed node.completed run.completed`;
export const IN_DOUBT = `${BEGUN} started node.failed run.failed`;

export type Found = readonly [stream: string, ledger: string, effect: boolean];

export interface CellFacts {
  readonly cut?: string;
  readonly second?: string;
  /** What was shown before the death; none dies where this is absent. */
  readonly shown?: string;
  readonly callsThen?: number;
  readonly log?: string;
  readonly calls?: number;
  readonly found?: Found | null;
  readonly more?: Partial<CellObservation>;
}

/** `name@hit`, or a name alone for its first hit. */
export function cutNamed(text: string): Cut {
  const [name = '', hit = '1'] = text.split('@');
  return { name, hit: Number(hit) };
}

/** A cell of a matrix: one death for each of its cuts. */
export function cellOf(facts: CellFacts): Recorded<CellObservation> {
  const { cut, second, shown = '', callsThen = 0, log = FULL, calls = 1, found = null, more = {} } = facts;
  const revival = { ok: true, downMs: 5, answered: true } as const;
  const death = { shown: logInWords(shown), calls: callsThen, how: 'refused', revival };
  const cuts = [cut, second].filter((each) => each !== undefined);
  const status = /run\.(?<status>completed|failed)/u.exec(log)?.groups?.['status'] ?? 'running';
  return {
    id: `o-${cut ?? 'uncut'}-${second ?? ''}`,
    type: 'cell',
    cut: cut === undefined ? null : cutNamed(cut),
    second: second === undefined ? null : cutNamed(second),
    notDriven: null,
    created: 'answered',
    runId: 'r',
    deaths: cuts.map(() => death),
    stopped: status === 'running' ? 'patience' : 'ended',
    problem: null,
    live: cut === undefined ? logInWords(log) : null,
    log: logInWords(log),
    snapshot: { runId: 'r', status },
    calls: Array.from({ length: calls }, (_, index): Json => ({
      idempotencyKey: 'aetheris:r:charge:1',
      answer: { nonce: `n-${index + 1}` },
    })),
    decisions: found === null ? [] : [decisionOf(found)],
    passed: [],
    patienceMs: 30_000,
    leaseMs: 2_000,
    cycleMs: 100,
    exchanges: [],
    ...more,
  };
}

function decisionOf([stream, ledger, effect]: Found): Json {
  return { nodeId: 'charge', attempt: '2', decision: 'ReturnRecordedResult', found: { stream, ledger, effect } };
}

/** The points of these cells, as a host reports them that knows what it passed. */
function pointsOf(
  cells: readonly CellObservation[],
  more: Partial<PointsObservation> = {},
): Recorded<PointsObservation> {
  const planned = cells.flatMap(({ cut, second }) => (cut !== null && second === null ? [cut] : []));
  const pairs = cells.flatMap(({ cut, second }): readonly Pair[] =>
    cut !== null && second !== null ? [{ cut, second }] : [],
  );
  return {
    id: 'o-points',
    type: 'points',
    cuts: 'full',
    advertised: [...new Set(planned.map(({ name }) => name))],
    by: 'passed',
    planned,
    notPassed: [],
    capped: [],
    pairs,
    pairsThereAre: pairs.length,
    armsAtStart: true,
    problem: null,
    exchanges: [],
    ...more,
  };
}

/** Observations of a matrix with its points and the run that was not cut. */
export function matrixOf(
  cells: readonly Recorded<CellObservation>[],
  more: Partial<PointsObservation> = {},
): readonly Recorded<CrashObservation>[] {
  const uncut = cellOf({ found: ['none', 'NEW', false] });
  return [pointsOf(cells, more), uncut, ...cells];
}

/** The cells of a host that does everything right. */
export const CORRECT: readonly CellFacts[] = [
  { cut: 'before-append-event@1', found: ['none', 'NEW', false] },
  { cut: 'after-acquire', shown: BEGUN, found: ['none', 'INFLIGHT', false] },
  {
    cut: 'after-append-started',
    shown: `${BEGUN} started`,
    log: IN_DOUBT,
    calls: 0,
    found: ['started', 'INFLIGHT', false],
  },
  {
    cut: 'after-execute',
    shown: `${BEGUN} started`,
    log: IN_DOUBT,
    callsThen: 1,
    found: ['started', 'RECOVERABLE', false],
  },
  { cut: 'after-put-effect', shown: `${BEGUN} started`, callsThen: 1, found: ['started', 'INFLIGHT', true] },
  { cut: 'after-append-finished', shown: `${BEGUN} started`, callsThen: 1, found: ['finished', 'INFLIGHT', true] },
  {
    cut: 'after-append-command-committed',
    shown: `${BEGUN} started finished`,
    callsThen: 1,
    found: ['committed', 'INFLIGHT', true],
  },
  {
    cut: 'after-ledger-commit',
    shown: `${BEGUN} started finished committed`,
    callsThen: 1,
    found: ['committed', 'COMMITTED', true],
  },
  { cut: 'before-append-event@2', shown: `${BEGUN} started finished committed node.completed`, callsThen: 1 },
  {
    cut: 'after-put-effect',
    second: 'before-append-finished',
    shown: `${BEGUN} started`,
    callsThen: 1,
    found: ['started', 'INFLIGHT', true],
  },
  {
    cut: 'after-execute',
    second: 'after-record-loss',
    shown: `${BEGUN} started`,
    log: IN_DOUBT,
    callsThen: 1,
    found: ['started', 'COMMITTED', true],
  },
];

/** The correct host's cells, one of them changed. */
export function otherwise(cut: string, change: CellFacts, second?: string): readonly Recorded<CellObservation>[] {
  return CORRECT.map((each) => cellOf(each.cut === cut && each.second === second ? { ...each, ...change } : each));
}
