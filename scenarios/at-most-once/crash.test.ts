import { describe, expect, it } from 'vitest';
import { OPTIONS, verdictOf } from '../../test/recorded-runs.ts';
import {
  BEGUN,
  CORRECT,
  FULL,
  IN_DOUBT,
  NONCE,
  otherwise,
  logInWords,
  cellOf,
  matrixOf,
  type CellFacts,
} from '../../test/crash-cells.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { CellObservation } from './cell.ts';
import { crashMatrix } from './crash-matrix.ts';
import { crash } from './crash.ts';
import { KEPT_ARGS } from './fixtures.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { Recordings } from '../shared/of-type.ts';

const IDS = crash.checks.map(({ id }) => id);
const W1 = 'once.before-execution';
const W2 = 'once.executed-not-recorded';
const W3 = 'once.effect-not-appended';
const W4 = 'once.appended-not-committed';
const W5 = 'once.committed';
const EVERY = 'once.every-cut';
const RECOVERY = 'once.every-cut.recovery';
const AUTHORITY = 'once.stream-is-authority';
const FOUND = 'once.write-order.found';

function verdicts(seen: Recordings): Readonly<Record<string, string>> {
  return Object.fromEntries(IDS.map((id) => [id, verdictOf(crash, id, seen)]));
}

/** The checks that do not pass, with their verdicts. */
function red(seen: Recordings): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(verdicts(seen)).filter(([, verdict]) => verdict !== 'pass'));
}

function reasonOf(check: string, seen: Recordings): string {
  const judgement = crash.judge(seen, OPTIONS).find((each) => each.check === check);
  return judgement?.reason ?? '';
}

const correct = CORRECT.map(cellOf);

describe('a host that does everything right', () => {
  it('passes every check', () => {
    expect(red(matrixOf(correct))).toEqual({});
    expect(reasonOf(W2, matrixOf(correct))).toMatch(/^2 cuts: after-append-started@1, after-execute@1/u);
    expect(reasonOf(EVERY, matrixOf(correct))).toMatch(/^9 cuts/u);
  });

  it('is not told to expose what it advertises and its run did not pass', () => {
    const notPassed = ['before-append-started', 'after-execute'];
    const none = matrixOf([], { notPassed });
    expect(reasonOf(W1, none)).toContain('before-append-started is advertised, and no run was told to pass it');
    expect(reasonOf(W2, none)).toContain('after-execute is advertised');
    expect(reasonOf(W5, none)).toContain('expose a failpoint');
    for (const check of [EVERY, FOUND]) expect(reasonOf(check, none)).toContain('no failpoint was armed');
  });

  it('passes without the seam invocations, by the names', () => {
    const seen = matrixOf(correct.map((cell) => ({ ...cell, decisions: null }))).map((each) =>
      each.type === 'cell' ? { ...each, decisions: null } : each,
    );
    expect(red(seen)).toEqual({});
    expect(reasonOf(FOUND, seen)).toMatch(/invocations/u);
  });

  it('fails nothing with names that say nothing, by what was seen', () => {
    const renamed = unnamed(correct);
    const seen = withoutSeams(matrixOf(renamed, { by: 'trial' }));
    expect(Object.values(verdicts(seen)).filter((verdict) => verdict.startsWith('fail'))).toEqual([]);
    expect(verdictOf(crash, W2, seen)).toBe('pass');
    expect(verdictOf(crash, EVERY, seen)).toBe('pass');
  });

  it('needs a result that was shown, or points around its append, where only names tell of the ledger', () => {
    const cut = 'before-ledger-commit';
    const cells = (shown: string) => [
      ...correct.filter(({ cut: each }) => !/finished|committed/u.test(each?.name ?? '')),
      cellOf({ cut, shown: `${BEGUN} ${shown}`, callsThen: 1 }),
    ];
    expect(verdictOf(crash, AUTHORITY, withoutSeams(matrixOf(cells('started'))))).toBe('inconclusive');
    expect(verdictOf(crash, AUTHORITY, withoutSeams(matrixOf(cells('started finished'))))).toBe('pass');
  });

  it('passes where a call in doubt is written down as a failure, or parks the run', () => {
    const loss = logInWords(`${BEGUN} started finished node.failed run.failed`).map((event) =>
      (event as { type: string }).type === 'tool_invocation_finished'
        ? { ...(event as object), payload: { idempotency_key: 'k', outcome: 'failure', error: { code: 'x' } } }
        : event,
    );
    expect(red(matrixOf(otherwise('after-execute', { more: { log: loss } })))).toEqual({});
    const decisions = [
      { attempt: '2', decision: 'Rejected', found: { stream: 'started', ledger: 'INFLIGHT', effect: false } },
      {
        attempt: '3',
        decision: 'ReturnRecordedResult',
        found: { stream: 'finished', ledger: 'COMMITTED', effect: false },
      },
    ];
    expect(red(matrixOf(otherwise('after-execute', { more: { log: loss, decisions } })))).toEqual({});
    const parked = { stopped: 'parked', snapshot: { status: 'on-hold' } } as const;
    const waits = otherwise('after-execute', { log: `${BEGUN} started interrupt.requested`, more: parked });
    expect(red(matrixOf(waits))).toEqual({});
    const odd = otherwise('after-execute', {
      log: `${BEGUN} started`,
      more: { stopped: 'patience', snapshot: { status: 'needs-attention' } },
    });
    expect(red(matrixOf(odd))).toEqual({});
  });

  it('passes without an effect store, whose catch-up is left out', () => {
    const seen = matrixOf(correct.filter(({ cut }) => cut?.name !== 'after-put-effect').map(withoutEffect), {});
    expect(verdictOf(crash, FOUND, seen)).toBe('pass');
    expect(reasonOf(FOUND, seen)).toMatch(/no effect store/u);
    expect(verdictOf(crash, EVERY, seen)).toBe('pass');
  });

  it('may leave a call in doubt until it is in the stream, without an effect store and its seam', () => {
    const cells = correct.filter(({ cut, second }) => second === null && cut?.name !== 'after-put-effect');
    const unrecorded = cellOf({
      cut: 'before-append-finished',
      shown: `${BEGUN} started`,
      callsThen: 1,
      log: IN_DOUBT,
    });
    const seen = withoutSeams(matrixOf([...cells, unrecorded]));
    expect(Object.values(verdicts(seen)).filter((verdict) => verdict.startsWith('fail'))).toEqual([]);
  });

  it('may clear away effects that are committed, and show more live than it keeps', () => {
    expect(red(matrixOf(otherwise('after-ledger-commit', { found: ['committed', 'COMMITTED', false] })))).toEqual({});
    const cells = otherwise('after-put-effect', { shown: `${BEGUN} started log.appended` });
    expect(verdictOf(crash, W3, matrixOf(cells))).toBe('fail lost-event');
    const live = logInWords(`${FULL} log.appended`);
    const told = matrixOf(cells).map((each) => (isUncut(each) ? { ...each, live } : each));
    expect(red(told)).toEqual({});
  });
});

it('lets a host keep events of its own types or not, and says which it did not', () => {
  const seen = matrixOf(otherwise('after-put-effect', { shown: `${BEGUN} started heartbeat worker.claimed` }));
  expect(red(seen)).toEqual({});
  expect(verdictOf(crash, W3, seen)).toBe('pass');
  expect(reasonOf(EVERY, seen)).toContain(
    "of the host's own types, shown before a death and gone after it: heartbeat, worker.claimed",
  );
  expect(reasonOf(EVERY, matrixOf(correct))).not.toContain('own types');
  expect(crashMatrix(seen)?.figures.lostEvents).toBe(0);
});

function key(run: string) {
  return { idempotencyKey: `aetheris:${run}:charge:1`, answer: { nonce: NONCE } };
}

const at = (log: readonly Json[], timestamp: string) => log.map((event) => ({ ...(event as object), timestamp }));

/** A host that gives events another time: after a death, or (`live`) at each reading. */
function retimed(live?: 'live'): Recordings {
  const [early, late] = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z'];
  const cells = otherwise('after-put-effect', { shown: `${BEGUN} started` }).map((cell) => {
    const deaths = cell.deaths.map((death) => ({ ...death, shown: at(death.shown, early) }));
    return { ...cell, deaths, log: at(cell.log ?? [], late) };
  });
  return matrixOf(cells).map((each) =>
    isUncut(each)
      ? { ...each, live: at(logInWords(FULL), live === undefined ? late : early), log: at(logInWords(FULL), late) }
      : each,
  );
}

function nodeless(event: Json): Json {
  const { nodeId: _nodeId, ...others } = event as { readonly nodeId?: Json };
  return others;
}

function isUncut(each: { readonly type: string }): boolean {
  return each.type === 'cell' && (each as CellObservation).cut === null;
}

function unnamed(cells: readonly (CellObservation & { readonly id: string })[]): typeof cells {
  return cells.map((cell) => ({
    ...cell,
    cut: cell.cut === null ? null : { ...cell.cut, name: `fp-${cell.cut.name.length}` },
    second: cell.second === null ? null : { ...cell.second, name: 'fp-2nd' },
  }));
}

function withoutSeams(seen: ReturnType<typeof matrixOf>): Recordings {
  return seen.map((each) =>
    each.type === 'cell' ? { ...each, decisions: null, passed: null } : { ...each, by: 'trial' },
  );
}

function withoutEffect<C extends CellObservation>(cell: C): C {
  const decisions = (cell.decisions ?? []).map((decision) => {
    const { found } = decision as { found: object };
    return { ...(decision as object), found: { ...found, effect: false } };
  });
  return { ...cell, decisions };
}

/** What a worker finds in the stores where it begins anew, and where the call is committed in the stream. */
const [IN_STARTED, IN_COMMITTED] = [['started', 'INFLIGHT', true] as const, ['committed', 'INFLIGHT', true] as const];

/** The row on which a second call behind two deaths rests, where that of one death alone is one as well. */
function ownerOfSecondCall(found: CellFacts['found'], single?: string): string | undefined {
  const pairs = otherwise('after-put-effect', { found: found ?? null, calls: 2 }, 'before-append-finished');
  const alone = otherwise(single ?? '', { calls: 2 });
  const seen = matrixOf(pairs.map((cell, index) => (cell.second === null ? (alone[index] ?? cell) : cell)));
  const judgement = crash.judge(seen, OPTIONS).find(({ check }) => check === RECOVERY);
  expect(judgement?.verdict).toBe('fail');
  return judgement?.restsOn;
}

/** The check on which a failing one rests. */
function ownerIn(check: string, cells: Parameters<typeof matrixOf>[0]): string | undefined {
  const judgement = crash.judge(matrixOf(cells), OPTIONS).find((each) => each.check === check);
  expect(judgement?.verdict).toBe('fail');
  return judgement?.restsOn;
}

/** The matrix of a host whose calls have these bodies, given where its run was cut. */
function calledWith(bodyAt: (cut: string | undefined) => Json): Recordings {
  const withBody = (each: Recorded<CellObservation>): Recorded<CellObservation> => ({
    ...each,
    calls: each.calls.map((call) => ({ ...(call as object), body: bodyAt(each.cut?.name) })),
  });
  return matrixOf(correct.map(withBody)).map((each) =>
    each.type === 'cell' ? withBody(each as Recorded<CellObservation>) : each,
  );
}

describe('a defect', () => {
  it('of arguments that a death takes from the run', () => {
    const kept = { with: [KEPT_ARGS] };
    expect(red(calledWith(() => kept))).toEqual({});
    expect(red(calledWith((cut) => (cut === undefined ? {} : kept)))).toEqual({});
    const lost = calledWith((cut) => (cut === 'after-acquire' ? {} : kept));
    expect(red(lost)[W1]).toBe('fail other-arguments');
    expect(verdictOf(crash, W2, lost)).toBe('pass');
    expect(red(calledWith((cut) => (cut === 'after-acquire' ? null : kept)))[W1]).toBe('fail other-arguments');
  });

  it('of a replay that calls the tool is told once, by the row about the last window where that shows it', () => {
    const again = { more: { calledInReplay: 1 } };
    expect(red(matrixOf(otherwise('after-ledger-commit', again)))).toEqual({ [W5]: 'fail second-call' });
    expect(ownerIn(W5, otherwise('after-ledger-commit', again))).toBe('once.idempotency-key.replay');
    expect(red(matrixOf(otherwise('after-put-effect', again)))).toEqual({ [W3]: 'fail second-call' });
    expect(ownerIn(W3, otherwise('after-put-effect', again))).toBe(W5);
    expect(red(matrixOf(otherwise('after-ledger-commit', { more: { calledInReplay: 0 } })))).toEqual({});
    expect(red(matrixOf(otherwise('after-execute', again)))).toEqual({});
  });

  it('of a second call fails wherever it is', () => {
    expect(red(matrixOf(otherwise('after-acquire', { calls: 2 })))).toEqual({
      [W1]: 'fail duplicate-call',
      [EVERY]: 'fail duplicate-call',
    });
    const pair = otherwise('after-put-effect', { calls: 2 }, 'before-append-finished');
    expect(red(matrixOf(pair))).toEqual({ [RECOVERY]: 'fail duplicate-call' });
    const judgement = crash.judge(matrixOf(pair), OPTIONS).find(({ check }) => check === RECOVERY);
    expect(judgement?.expected).toMatch(/^after-put-effect@1, then before-append-finished@1: at most one call/u);
    expect(judgement?.reason).toMatch(/2 calls; found: stream started, ledger INFLIGHT, effect true/u);
    expect(judgement?.evidence).toEqual(['o-after-put-effect-before-append-finished']);
  });

  it('of a death during recovery rests on the row that shows it for one death alone', () => {
    expect(ownerOfSecondCall(IN_COMMITTED)).toBeUndefined();
    expect(ownerOfSecondCall(IN_COMMITTED, 'after-append-command-committed')).toBe(W4);
    expect(ownerOfSecondCall(IN_COMMITTED, 'after-execute')).toBeUndefined();
    expect(ownerOfSecondCall(IN_COMMITTED, 'after-put-effect')).toBe(EVERY);
    expect(ownerOfSecondCall(IN_STARTED, 'after-put-effect')).toBe(W3);
  });

  it('of a run that goes on for ever', () => {
    const hung = otherwise('after-execute', { log: `${BEGUN} started` });
    expect(red(matrixOf(hung))).toEqual({ [W2]: 'fail in-flight-for-ever', [EVERY]: 'fail in-flight-for-ever' });
    const untold = otherwise('after-execute', { log: `${BEGUN} started`, more: { leaseMs: null } });
    expect(red(matrixOf(untold))).toEqual({ [W2]: 'fail in-flight-for-ever', [EVERY]: 'fail in-flight-for-ever' });
    const lease = matrixOf(otherwise('after-execute', { log: `${BEGUN} started`, more: { leaseMs: 10_000 } }));
    expect(red(lease)).toEqual({ [W2]: 'inconclusive', [EVERY]: 'inconclusive' });
    expect(reasonOf(W2, lease)).toMatch(/after-execute@1 .*in flight after 30000 ms.*leaseMs of x-openwop/u);
    const stopped = otherwise('after-execute', { log: `${BEGUN} started`, more: { stopped: 'aborted' } });
    expect(red(matrixOf(stopped))).toEqual({ [W2]: 'inconclusive', [EVERY]: 'inconclusive' });
  });

  it('of a catch-up that is left out, or done twice', () => {
    const ignored = otherwise('after-put-effect', { log: IN_DOUBT });
    expect(red(matrixOf(ignored))).toEqual({ [W3]: 'fail result-not-injected', [EVERY]: 'fail result-not-injected' });
    const log = `${BEGUN} started finished finished committed node.completed run.completed`;
    const unseen = otherwise('after-put-effect', { log: IN_DOUBT, found: ['started', 'INFLIGHT', false] });
    expect(red(matrixOf(unseen))).toEqual({ [W3]: 'fail effect-ignored', [EVERY]: 'fail effect-ignored' });
    const twice = otherwise('after-put-effect', { log });
    expect(red(matrixOf(twice))).toEqual({ [W3]: 'fail written-twice', [EVERY]: 'fail written-twice' });
  });

  it('of an untouched tool that is not called', () => {
    const failed = otherwise('before-append-event@1', { log: `${BEGUN} node.failed run.failed`, calls: 0 });
    expect(red(matrixOf(failed))).toEqual({ [W1]: 'fail not-executed', [EVERY]: 'fail not-executed' });
    const givenUp = { log: `${BEGUN} node.failed run.failed`, calls: 0 };
    const inFlight = otherwise('after-acquire', givenUp);
    expect(red(matrixOf(inFlight))).toEqual({});
    const alone = matrixOf(inFlight.filter(({ cut }) => cut?.name !== 'before-append-event'));
    expect(red(alone)).toEqual({ [W1]: 'inconclusive' });
    expect(reasonOf(W1, alone)).toMatch(
      /given up \(after-acquire@1\): expose a failpoint before the call is recorded/u,
    );
    const reclaimable = otherwise('after-acquire', { ...givenUp, found: ['none', 'RECOVERABLE', false] });
    expect(red(matrixOf(reclaimable))).toEqual({ [W1]: 'fail not-executed', [EVERY]: 'fail not-executed' });
  });

  it('of a call whose events are not in the log of a run that completed', () => {
    const bare = `${BEGUN} started node.completed run.completed`;
    const unread = otherwise('after-acquire', { log: bare, more: { log: null } });
    expect(red(matrixOf(unread))).toEqual({ [W1]: 'inconclusive', [EVERY]: 'inconclusive' });
    const seen = matrixOf(otherwise('after-acquire', { log: bare }));
    expect(red(seen)).toEqual({ [W1]: 'fail missing-event', [EVERY]: 'fail missing-event' });
    const none = matrixOf(otherwise('after-acquire', { log: `${BEGUN} node.completed run.completed` }));
    expect(red(none)).toEqual({ [W1]: 'fail missing-event', [EVERY]: 'fail missing-event' });
    const unshown = { shown: BEGUN, log: `${BEGUN} node.completed run.completed` };
    expect(red(matrixOf(otherwise('after-ledger-commit', unshown)))).toEqual({
      [W5]: 'fail missing-event',
      [EVERY]: 'fail missing-event',
    });
    const second: CellFacts = { cut: 'after-acquire', second: 'after-ledger-commit', shown: BEGUN, log: bare };
    const pair = cellOf({ ...second, callsThen: 1, found: ['committed', 'COMMITTED', true] });
    expect(red(matrixOf([...correct, pair]))).toEqual({ [RECOVERY]: 'fail missing-event' });
    const caughtUp = { ...pair, id: 'o-3', cut: { name: 'after-put-effect', hit: 1 } };
    expect(red(matrixOf([...correct, caughtUp]))).toEqual({});
    const log = logInWords(bare);
    const never = seen.map((each) => (isUncut(each) ? { ...each, log, live: log } : each));
    expect(verdictOf(crash, W1, never)).toBe('pass');
    expect(red(matrixOf(otherwise('after-acquire', { log: `${BEGUN} started node.completed` })))[W1]).toBe(
      'fail in-flight-for-ever',
    );
  });

  it('of a result that is invented, or lost', () => {
    expect(red(matrixOf(otherwise('after-append-started', { log: FULL, calls: 0 })))).toEqual({
      [W2]: 'fail invented-result',
      [EVERY]: 'fail invented-result',
    });
    const log = logInWords(FULL).map(
      (event) => JSON.parse(JSON.stringify(event).replaceAll(`"${NONCE}"`, 'null')) as object,
    );
    const empty = otherwise('after-put-effect', { more: { log: log as CellObservation['log'] } });
    expect(red(matrixOf(empty))).toEqual({ [W3]: 'fail lost-result', [EVERY]: 'fail lost-result' });
  });

  it('of another answer than the tool gave, in whichever window', () => {
    const log = logInWords(`${FULL} variable.changed`).map((event) =>
      (event as { type: string }).type === 'variable.changed'
        ? { ...(event as object), payload: { name: 'receipt', value: { nonce: 'made-up' } } }
        : event,
    );
    expect(red(matrixOf(otherwise('after-ledger-commit', { more: { log } })))).toEqual({
      [W5]: 'fail other-answer',
      [EVERY]: 'fail other-answer',
    });
    const finished = matrixOf(otherwise('after-append-finished', { more: { log } }));
    expect(red(finished)[AUTHORITY]).toBe('fail other-answer');
    const pair = otherwise('after-put-effect', { more: { log } }, 'before-append-finished');
    expect(red(matrixOf(pair))).toEqual({ [RECOVERY]: 'fail other-answer' });
  });

  it('of a snapshot that is not what the log ends with, where it is so without a death', () => {
    const words = FULL.replace('run.completed', 'variable.changed run.completed');
    const payload = { name: 'receipt', value: { nonce: NONCE } };
    const whole = logInWords(words).map((event, index) => (index === 6 ? { ...(event as object), payload } : event));
    const state = (variables: Json) => ({ log: whole, snapshot: { runId: 'r', status: 'completed', variables } });
    const seen = (uncut: Json) =>
      matrixOf([cellOf({ cut: 'after-append-node', shown: FULL, callsThen: 1, more: state({}) })]).map((each) =>
        isUncut(each) ? { ...each, ...state(uncut) } : each,
      );
    expect(verdictOf(crash, EVERY, seen({ receipt: { nonce: NONCE } }))).toBe('fail snapshot-otherwise');
    expect(verdictOf(crash, EVERY, seen({}))).toBe('pass');
  });

  it('of the stream that does not win', () => {
    const failed = `${BEGUN} started finished committed node.failed run.failed`;
    expect(red(matrixOf(otherwise('after-append-command-committed', { log: failed })))).toEqual({
      [W4]: 'fail result-not-injected',
      [EVERY]: 'fail result-not-injected',
      [AUTHORITY]: 'fail result-not-injected',
    });
    const log = logInWords(FULL).map((event) =>
      (event as { type: string }).type === 'node.completed'
        ? { ...(event as object), payload: { output: null } }
        : event,
    );
    const other = otherwise('after-append-command-committed', { more: { log } });
    expect(red(matrixOf(other))).toEqual({ [AUTHORITY]: 'fail other-result' });
  });

  it('of a run in which the stream was ahead rests on the row of its window, or of pairs', () => {
    const shown = `${BEGUN} log.appended started`;
    expect(ownerIn(AUTHORITY, otherwise('after-append-command-committed', { shown }))).toBe(W4);
    expect(ownerIn(AUTHORITY, otherwise('after-append-finished', { shown }))).toBe(W3);
    const pair = { found: IN_COMMITTED, calls: 2 };
    expect(ownerIn(AUTHORITY, otherwise('after-put-effect', pair, 'before-append-finished'))).toBe(RECOVERY);
  });

  it('of events that are lost, changed, out of order or after the end', () => {
    const shown = `${BEGUN} log.appended started`;
    expect(verdictOf(crash, W3, matrixOf(otherwise('after-put-effect', { shown })))).toBe('fail lost-event');
    const changed = logInWords(FULL).map((event) =>
      (event as { type: string }).type === 'node.started' ? { ...(event as object), payload: { again: true } } : event,
    );
    expect(verdictOf(crash, W3, matrixOf(otherwise('after-put-effect', { more: { log: changed } })))).toBe(
      'fail changed-event',
    );
    expect(verdictOf(crash, W3, retimed())).toBe('fail changed-event');
    expect(verdictOf(crash, W3, retimed('live'))).toBe('pass');
    // A stream need not show which node an event is about.
    const lean = otherwise('after-put-effect', { shown: `${BEGUN} started` }).map((cell) => ({
      ...cell,
      deaths: cell.deaths.map((death) => ({ ...death, shown: death.shown.map(nodeless) })),
    }));
    expect(verdictOf(crash, W3, matrixOf(lean))).toBe('pass');
    const log = `${FULL} run.failed`;
    expect(verdictOf(crash, W5, matrixOf(otherwise('after-ledger-commit', { log })))).toBe('fail ended-twice');
    const numbers = logInWords(FULL).map((event, index) => ({ ...(event as object), sequence: Math.min(index, 5) }));
    expect(verdictOf(crash, W1, matrixOf(otherwise('before-append-event@1', { more: { log: numbers } })))).toBe(
      'fail numbers-out-of-order',
    );
  });

  it('of events whose ids are made anew, which is said once', () => {
    const log = logInWords(FULL).map((event) => ({
      ...(event as object),
      eventId: `${(event as { eventId: string }).eventId}-anew`,
    }));
    const cells = otherwise('after-ledger-commit', { more: { log } });
    expect(red(matrixOf(cells))).toEqual({ [W5]: 'fail renamed-event', [EVERY]: 'fail renamed-event' });
    expect(ownerIn(W5, cells)).toBe(EVERY);
    const later = log.map((event) => ({ ...event, payload: { again: true } }));
    expect(verdictOf(crash, W5, matrixOf(otherwise('after-ledger-commit', { more: { log: later } })))).toBe(
      'fail lost-event',
    );
  });

  it('of a log that is empty, after events of it were shown', () => {
    const cells = otherwise('after-ledger-commit', { more: { log: [] } });
    expect(red(matrixOf(cells))).toEqual({ [W5]: 'fail lost-event', [EVERY]: 'fail lost-event' });
  });

  it('of a run that is gone', () => {
    const gone = otherwise('after-acquire', { log: '', more: { stopped: 'missing', snapshot: null, log: null } });
    expect(verdictOf(crash, EVERY, matrixOf(gone))).toBe('fail lost-run');
  });

  it('of stores that are ahead of the stream', () => {
    const early = otherwise('after-put-effect', { found: ['started', 'COMMITTED', true] });
    expect(red(matrixOf(early))).toEqual({ [FOUND]: 'fail written-out-of-order' });
    const barrier = otherwise('after-put-effect', { found: ['none', 'INFLIGHT', true] });
    expect(red(matrixOf(barrier))).toEqual({ [FOUND]: 'fail written-out-of-order' });
    const noEffect = otherwise('after-append-finished', { found: ['finished', 'INFLIGHT', false] });
    expect(red(matrixOf(noEffect))).toEqual({ [FOUND]: 'fail written-out-of-order' });
    const log = `${BEGUN} started committed finished node.completed run.completed`;
    expect(red(matrixOf(otherwise('after-acquire', { log })))).toEqual({ [FOUND]: 'fail written-out-of-order' });
  });

  it('of a ledger that is not committed behind the failpoint after its commit', () => {
    const never = (more: CellFacts): string =>
      verdictOf(crash, FOUND, matrixOf(otherwise('after-ledger-commit', { found: IN_COMMITTED, ...more })));
    expect(red(matrixOf(otherwise('after-ledger-commit', { found: IN_COMMITTED })))).toMatchObject({
      [W5]: 'inconclusive',
      [FOUND]: 'fail written-out-of-order',
    });
    expect(never({ found: ['committed', 'RECOVERABLE', true] })).toBe('fail written-out-of-order');
    expect(never({ found: ['committed', 'NEW', true] })).toBe('pass');
    expect(never({ found: ['finished', 'INFLIGHT', true] })).toBe('pass');
    expect(never({ callsThen: 0 })).toBe('pass');
    expect(never({ cut: 'after-commit' })).toBe('pass');
    expect(never({ cut: 'after-ledger-commit@2' })).toBe('pass');
    const twice = matrixOf(otherwise('after-ledger-commit', { found: IN_COMMITTED })).map((each) =>
      isUncut(each) ? { ...each, passed: ['after-ledger-commit', 'after-ledger-commit'] } : each,
    );
    expect(verdictOf(crash, FOUND, twice)).toBe('pass');
  });

  it.each<[effect: boolean, second: string | undefined, owner: string | undefined]>([
    [false, undefined, W3],
    [true, undefined, undefined],
    [true, 'before-append-finished', W3],
  ])('of a ledger that a recovery committed is that of effects: %s, second %s', (effect, second, owner) => {
    const seen = matrixOf(otherwise('after-put-effect', { found: ['started', 'COMMITTED', effect] }, second));
    const judgement = crash.judge(seen, OPTIONS).find(({ check }) => check === FOUND);
    expect([judgement?.verdict, judgement?.restsOn]).toEqual(['fail', owner]);
  });

  it('of a ledger that is committed first, by the names of the failpoints that a run passes', () => {
    const passed =
      'after-put-effect before-ledger-commit after-ledger-commit before-append-finished after-append-finished'.split(
        ' ',
      );
    const cells = [
      ...correct.filter(({ cut }) => !/effect|append-[cf]|ledger/u.test(cut?.name ?? '')),
      ...passed.map((cut) => cellOf({ cut, shown: `${BEGUN} started`, callsThen: 1 })),
      cellOf({ cut: 'before-node-completed', shown: `${BEGUN} started finished committed`, callsThen: 1 }),
    ];
    const seen = matrixOf(cells).map((each) =>
      each.type === 'cell' ? { ...each, decisions: null, ...(isUncut(each) ? { passed } : {}) } : each,
    );
    expect(verdictOf(crash, FOUND, seen)).toBe('fail written-out-of-order');
    for (const check of [AUTHORITY, W4]) expect(verdictOf(crash, check, seen)).toBe('inconclusive');
  });

  it('of a host whose points say nothing: calls, and results that are not injected', () => {
    const second = unnamed(otherwise('after-execute', { calls: 2 }));
    expect(verdictOf(crash, EVERY, withoutSeams(matrixOf(second)))).toBe('fail duplicate-call');
    const log = `${BEGUN} started finished node.failed run.failed`;
    const recorded = unnamed(otherwise('after-append-finished', { log }));
    expect(verdictOf(crash, EVERY, withoutSeams(matrixOf(recorded)))).toBe('fail result-not-injected');
  });
});

/** A run whose request's answer was lost with the host, and that nobody can ask for again. */
const LOST = { stopped: 'nothing', created: 'lost', log: null } as const;

/** The matrix of the correct host, each cell with a death changed in one way. */
function allOf(more: Partial<CellObservation>): Recordings {
  return matrixOf(correct.map((cell) => ({ ...cell, ...more })));
}

describe('what was not seen', () => {
  it('decides nothing where there is no matrix', () => {
    const none = Object.fromEntries(IDS.map((id) => [id, 'inconclusive']));
    expect(verdicts([])).toEqual(none);
    expect(verdicts(matrixOf(correct, { problem: 'no host' }))).toEqual(none);
    const uncalled = matrixOf(correct).map((each) => (isUncut(each) ? { ...each, calls: [] } : each));
    expect(verdicts(uncalled)).toEqual(none);
    expect(reasonOf(W1, uncalled)).toMatch(/--witness-url/u);
  });

  it('leaves a window without a death undecided, and says what to expose', () => {
    const seen = matrixOf(correct.filter(({ cut, second }) => cut?.name !== 'after-put-effect' && second === null));
    const rest = seen.filter((each) => each.type !== 'cell' || each.cut?.name !== 'after-append-finished');
    expect(verdictOf(crash, W3, rest)).toBe('inconclusive');
    expect(reasonOf(W3, rest)).toMatch(/after-put-effect/u);
    expect(reasonOf(EVERY, rest)).toMatch(/after-append-finished@1 \(not recorded\)/u);
    expect(verdictOf(crash, RECOVERY, rest)).toBe('inconclusive');
  });

  it('takes what the run that was not cut passed for the plan, not only what the plan says', () => {
    const left = correct.filter(({ cut }) => cut?.name !== 'after-put-effect');
    const passed = correct.flatMap(({ cut, second }) => (cut !== null && second === null ? [cut.name] : []));
    const told = matrixOf(left).map((each) => (each.type === 'cell' && each.cut === null ? { ...each, passed } : each));
    expect(verdicts(told)).toMatchObject({ [EVERY]: 'inconclusive' });
    expect(reasonOf(EVERY, told)).toMatch(/after-put-effect@1 \(not recorded\)/u);
  });

  it('names cells that were armed and did not die, or were not driven', () => {
    const alive = otherwise('after-ledger-commit', { more: { deaths: [] } });
    expect(red(matrixOf(alive))).toEqual({ [W5]: 'inconclusive', [EVERY]: 'inconclusive' });
    expect(reasonOf(EVERY, matrixOf(alive))).toMatch(/after-ledger-commit@1 \(armed/u);
    expect(reasonOf(W5, matrixOf(alive))).toMatch(/after-ledger-commit@1: armed.*hit counts from the arming on/u);
    const searched = matrixOf(alive, { by: 'trial' });
    expect(verdictOf(crash, EVERY, searched)).toBe('pass');
    const undriven = otherwise('after-ledger-commit', { more: { notDriven: 'why', deaths: [] } });
    expect(reasonOf(EVERY, matrixOf(undriven))).toMatch(/after-ledger-commit@1 \(not driven: why\)/u);
  });

  it.each([
    ['that the run passed other places', ['before-acquire', 'before-append-finished'], 'pass'],
    ['that it was passed after all', ['before-acquire', 'after-append-finished'], 'inconclusive'],
    ['nothing', [], 'inconclusive'],
  ])('counts no cut of a host that did not die, and tells %s', (_, passed, verdict) => {
    const seen = matrixOf(otherwise('after-append-finished', { more: { deaths: [], passed } }));
    expect(verdictOf(crash, EVERY, seen)).toBe(verdict);
    const said = verdict === 'pass' ? 'armed, and not passed again: after-append-finished@1' : '(armed, and the host';
    expect(reasonOf(EVERY, seen)).toContain(said);
  });

  it('is inconclusive for a host that did not come back', () => {
    const revival = { ok: false, reason: 'exit code 3' } as const;
    const deaths = [{ shown: [], calls: 0, how: 'refused', revival }];
    const gone = otherwise('after-acquire', { log: '', more: { stopped: 'gone', snapshot: null, log: null, deaths } });
    expect(red(matrixOf(gone))).toEqual({ [W1]: 'inconclusive', [EVERY]: 'inconclusive' });
    expect(reasonOf(EVERY, matrixOf(gone))).toMatch(/after-acquire@1 \(exit code 3\)/u);
    const nothingElse = gone.filter(({ cut }) => cut === null || cut.name === 'after-acquire');
    expect(reasonOf(W3, matrixOf(nothingElse))).toMatch(/did not come back after after-acquire@1$/u);
  });

  it('is inconclusive where the log could not be read afterwards, and could before', () => {
    const seen = matrixOf(otherwise('after-append-command-committed', { more: { log: null } }));
    expect(red(seen)).toEqual({ [W4]: 'inconclusive', [EVERY]: 'inconclusive', [AUTHORITY]: 'inconclusive' });
    expect(reasonOf(W4, seen)).toMatch(/after-append-command-committed@1 \(its log could not be read\)/u);
    const never = seen.map((each) => (isUncut(each) ? { ...each, log: null, live: null } : each));
    expect(verdictOf(crash, W4, never)).toBe('pass');
  });

  it('asks for a start that arms a failpoint', () => {
    const singles = correct.filter(({ second }) => second === null);
    const seen = matrixOf(singles, { armsAtStart: false });
    expect(red(seen)).toEqual({ [RECOVERY]: 'inconclusive' });
    expect(reasonOf(RECOVERY, seen)).toMatch(/--restart-command/u);
  });

  it('does not believe names that contradict the order of their passes, where the host does not tell its stores', () => {
    const swapped = [...correct.slice(0, 5), ...correct.slice(7, 8), ...correct.slice(5, 7), ...correct.slice(8)];
    const told = matrixOf(swapped);
    expect(verdictOf(crash, FOUND, told)).toBe('pass');
    const unreported = told.map((each) => (each.type === 'cell' ? { ...each, decisions: null } : each));
    expect(verdictOf(crash, FOUND, unreported)).toBe('inconclusive');
    expect(reasonOf(FOUND, unreported)).toMatch(/passes after-ledger-commit before after-append-finished/u);
    expect(reasonOf(AUTHORITY, unreported)).not.toMatch(/after-append-finished@1/u);
    expect(Object.values(verdicts(unreported)).filter((verdict) => verdict.startsWith('fail'))).toEqual([]);
  });

  it('decides nothing where each run was lost with its host, or another one stands in for it', () => {
    const rows = [W1, W2, W3, EVERY, RECOVERY];
    const lost = allOf({ ...LOST, snapshot: null, runId: null, decisions: null });
    expect(Object.values(verdicts(lost)).filter((verdict) => verdict === 'pass' || verdict.startsWith('fail'))).toEqual(
      [],
    );
    for (const row of rows) expect(reasonOf(row, lost)).toMatch(/answer POST \/v1\/runs before the run executes/u);
    const instead = allOf({ created: 'asked again', calls: [key('q'), key('r')] });
    for (const row of [W1, W2, W3, W4, W5, EVERY, RECOVERY, AUTHORITY]) {
      expect([row, verdictOf(crash, row, instead)]).toEqual([row, 'inconclusive']);
    }
    const twice = allOf({ ...LOST, snapshot: null, runId: null, decisions: null, calls: [key('q'), key('q')] });
    expect(verdictOf(crash, EVERY, twice)).toBe('fail duplicate-call');
  });

  it('notes runs that could not be found again, and calls that may be another run’s', () => {
    const lost = {
      stopped: 'nothing',
      created: 'lost',
      log: null,
      snapshot: null,
      runId: null,
      decisions: null,
    } as const;
    const cells = otherwise('before-append-event@1', { log: '', more: lost });
    expect(verdictOf(crash, EVERY, matrixOf(cells))).toBe('pass');
    expect(reasonOf(EVERY, matrixOf(cells))).toMatch(/could not be found again.*before-append-event@1/u);
    const two = otherwise('before-append-event@1', { more: { created: 'asked again', calls: [key('q'), key('r')] } });
    expect(verdictOf(crash, EVERY, matrixOf(two))).toBe('pass');
    expect(reasonOf(EVERY, matrixOf(two))).toMatch(/two runs: before-append-event@1/u);
    const same = otherwise('before-append-event@1', { more: { created: 'asked again', calls: [key('q'), key('q')] } });
    expect(verdictOf(crash, EVERY, matrixOf(same))).toBe('fail duplicate-call');
    const keyless = otherwise('before-append-event@1', { calls: 2, more: { created: 'asked again', calls: [{}, {}] } });
    expect(verdictOf(crash, EVERY, matrixOf(keyless))).toBe('inconclusive');
  });
});
