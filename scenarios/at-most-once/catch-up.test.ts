import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { BEGUN, CORRECT, FULL, cellOf, logInWords, matrixOf, otherwise, NONCE } from '../../test/crash-cells.ts';
import { OPTIONS, verdictOf } from '../../test/recorded-runs.ts';
import { crash } from './crash.ts';
import type { Recordings } from '../shared/of-type.ts';

const ROW = 'once.catch-up-complete';
const FOUND = 'once.write-order.found';
const correct = CORRECT.map(cellOf);
const row = (seen: Recordings): string => verdictOf(crash, ROW, seen);

function otherRed(seen: Recordings): readonly string[] {
  const ids = crash.checks.map(({ id }) => id).filter((id) => id !== ROW);
  return ids.filter((id) => verdictOf(crash, id, seen).startsWith('fail'));
}

/** Events of which those of one type have another payload. */
function changedIn(events: readonly Json[], type: string, change: object): readonly Json[] {
  return events.map((event) => {
    const { payload, ...rest } = event as { type: string; payload: object };
    return rest.type === type
      ? (JSON.parse(JSON.stringify({ ...rest, payload: { ...payload, ...change } })) as Json)
      : event;
  });
}

function changed(words: string, type: string, change: object): readonly Json[] {
  return changedIn(logInWords(words), type, change);
}

describe('once.catch-up-complete', () => {
  it('passes where each missing event was written, after one death and after two', () => {
    const judgement = crash.judge(matrixOf(correct), OPTIONS).find(({ check }) => check === ROW);
    expect(judgement).toMatchObject({ verdict: 'pass' });
    expect(judgement?.reason).toMatch(
      /^3 cells: after-put-effect@1, after-append-finished@1, after-put-effect@1, then/u,
    );
  });

  it.each([
    ['after-put-effect', `${BEGUN} started node.completed run.completed`],
    ['after-put-effect', `${BEGUN} started finished node.completed run.completed`],
    ['after-append-finished', `${BEGUN} started finished node.completed run.completed`],
  ])('fails alone where an event is left out after %s: %s', (cut, log) => {
    const seen = matrixOf(otherwise(cut, { log }));
    expect(row(seen)).toBe('fail not-caught-up');
    expect(otherRed(seen)).toEqual([]);
  });

  it('fails alone where what was missing says that the call failed', () => {
    const log = logInWords(FULL).map((event) =>
      (event as { type: string }).type === 'tool_invocation_finished'
        ? { ...(event as object), payload: { idempotency_key: 'k', outcome: 'failure' } }
        : event,
    );
    const seen = matrixOf(otherwise('after-put-effect', { more: { log } }));
    expect(row(seen)).toBe('fail not-caught-up');
    expect(otherRed(seen)).toEqual([]);
  });

  it.each<[what: string, step: string, change: object]>([
    ['a result under another key', 'tool_invocation_finished', { idempotency_key: 'other' }],
    ['a result without a key', 'tool_invocation_finished', { idempotency_key: undefined }],
    ['a commit under another key', 'command_committed', { idempotency_key: 'other' }],
    ['a result without an outcome', 'tool_invocation_finished', { outcome: undefined }],
    ['a result that is empty', 'tool_invocation_finished', { result: {} }],
    ['a result as its text', 'tool_invocation_finished', { result: JSON.stringify({ nonce: NONCE }) }],
  ])('fails alone where catch-up wrote %s', (_, step, change) => {
    const seen = matrixOf(otherwise('after-put-effect', { more: { log: changed(FULL, step, change) } }));
    expect(row(seen)).toBe('fail caught-up-otherwise');
    expect(otherRed(seen)).toEqual([]);
  });

  it('holds nobody to what the run that was not cut does not show', () => {
    const change = { idempotency_key: 'external', outcome: undefined, result: undefined };
    const log = ['tool_invocation_finished', 'command_committed'].reduce((events: readonly Json[], type) => {
      return changedIn(events, type, change);
    }, logInWords(FULL));
    const seen = matrixOf(otherwise('after-put-effect', { more: { log } })).map((each) =>
      each.type === 'cell' && each.id === 'o-uncut-' ? { ...each, log, live: log } : each,
    );
    expect(row(seen)).toBe('pass');
  });

  it.each<[what: string, key: Json]>([
    ['under another key', 'other'],
    ['without a key', null],
  ])('leaves what was written twice, then %s, to the row of the window', (_, key) => {
    const words = `${BEGUN} started finished committed committed node.completed run.completed`;
    const again = logInWords(words).map((event, index) =>
      index === 5 ? { ...(event as object), eventId: 'e-again', payload: { idempotency_key: key } } : event,
    );
    const seen = matrixOf(otherwise('after-put-effect', { more: { log: again } }));
    expect(otherRed(seen)).toEqual(['once.effect-not-appended', 'once.every-cut']);
    expect(verdictOf(crash, 'once.effect-not-appended', seen)).toBe('fail written-twice');
  });

  it('fails alone where the missing events stand behind the end of the node', () => {
    const seen = matrixOf(
      otherwise('after-put-effect', { log: `${BEGUN} started node.completed finished committed run.completed` }),
    );
    expect(row(seen)).toBe('fail caught-up-late');
    expect(otherRed(seen)).toEqual([]);
  });

  it('leaves what another row says to that row', () => {
    const log = `${BEGUN} started finished finished committed node.completed run.completed`;
    const single = otherwise('after-put-effect', { log }).filter(
      ({ cut, second }) => cut?.name !== 'after-append-finished' && second === null,
    );
    expect(row(matrixOf(single))).toBe('inconclusive');
    expect(otherRed(matrixOf(single))).toEqual(['once.effect-not-appended', 'once.every-cut']);
  });

  it('is undecided where no death lies there, or the run that was not cut shows no such events', () => {
    expect(row(matrixOf(correct.slice(0, 4)))).toBe('inconclusive');
    const seen = matrixOf(correct).map((each) =>
      each.type === 'cell' && each.id === 'o-uncut-'
        ? { ...each, log: logInWords(`${BEGUN} started node.completed run.completed`) }
        : each,
    );
    expect(row(seen)).toBe('inconclusive');
  });

  it('rests on the write order where that is another one without a death, too', () => {
    const log = logInWords(`${BEGUN} started committed finished node.completed run.completed`);
    const seen = matrixOf(correct).map((each) =>
      each.type === 'cell' && each.id === 'o-uncut-' ? { ...each, log, live: log } : each,
    );
    expect(row(seen)).toBe('inconclusive');
    expect(verdictOf(crash, FOUND, seen)).toBe('fail written-out-of-order');
  });

  it('does not apply without an effect store', () => {
    const cells = correct
      .filter(({ cut }) => cut?.name !== 'after-put-effect')
      .map((cell) => ({
        ...cell,
        decisions: (cell.decisions ?? []).map((decision) => {
          const { found } = decision as { found: object };
          return { ...(decision as object), found: { ...found, effect: false } };
        }),
      }));
    expect(row(matrixOf(cells))).toBe('not-applicable');
  });
});

/** The matrix of the correct host whose uncut run passed these. */
function passing(...passed: readonly string[]): Recordings {
  return matrixOf(correct).map((each) => (each.type === 'cell' && each.id === 'o-uncut-' ? { ...each, passed } : each));
}

describe('the end of a node', () => {
  it('is written after the commit of the ledger', () => {
    const commit = ['before-ledger-commit', 'after-ledger-commit'];
    const end = ['before-append-node-completed', 'after-append-node-completed'];
    expect(verdictOf(crash, FOUND, passing(...commit, ...end))).toBe('pass');
    expect(verdictOf(crash, FOUND, passing(...end, ...commit))).toBe('fail written-out-of-order');
    expect(verdictOf(crash, FOUND, passing(...end, 'before-commit', 'after-commit'))).toBe('pass');
    expect(verdictOf(crash, FOUND, passing(...end, ...commit, ...end))).toBe('pass');
  });
});
