import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { FULL, NONCE, logInWords, cellOf, type CellFacts } from '../../test/crash-cells.ts';
import { controlOf } from './matrix.ts';
import { readCell, type Cell } from './read-cell.ts';
import { lostVariable, otherAnswer, partOfAnswer, shownNonces } from './shown-answers.ts';

/** The log of a run that completes, with other payloads for some types. */
function logWith(payloads: Readonly<Record<string, Json>>): readonly Json[] {
  return logInWords(`${FULL} variable.changed`).map((event) => {
    const payload = payloads[(event as { type: string }).type];
    return payload === undefined ? event : { ...(event as object), payload };
  });
}

function seen(told: CellFacts): Cell {
  return readCell(cellOf(told));
}

function state(receipt: Json, status = 'completed'): { readonly snapshot: Json } {
  return { snapshot: { status, variables: { receipt } } };
}

/** What is wrong with a run that was cut, given the run that was not. */
function wrong(told: CellFacts, uncut: CellFacts = { more: state({ nonce: NONCE }) }): string | undefined {
  const cell: Cell = { ...seen({ cut: 'after-ledger-commit', ...told }), window: '5', by: 'found' };
  return otherAnswer(cell, controlOf(seen(uncut)))?.[0];
}

function own(nonce: string): CellFacts {
  return { more: { log: logWith({ 'variable.changed': { nonce, value: { nonce: NONCE } } }) } };
}

const changed = (nonce: string): Json => ({ name: 'receipt', value: { nonce, count: 1 } });

describe('shownNonces', () => {
  it('finds them where answers are shown, whatever is wrapped around them', () => {
    const log = logWith({
      'variable.changed': { name: 'receipt', value: { answer: [{ nonce: 'a' }] } },
      'node.started': { nonce: 'not here' },
      command_committed: { idempotency_key: 'k', result: { nonce: 'b' } },
    });
    expect(shownNonces(seen({ more: { log, ...state({ nonce: 'c' }) } }))).toEqual([
      { place: 'tool_invocation_finished.result.nonce', nonce: NONCE },
      { place: 'command_committed.result.nonce', nonce: 'b' },
      { place: 'node.completed.output.nonce', nonce: NONCE },
      { place: 'variable.changed.value.answer[].nonce', nonce: 'a' },
      { place: 'variables.receipt.nonce', nonce: 'c' },
    ]);
    expect(shownNonces(seen({ more: { log: null, snapshot: 'odd' } }))).toEqual([]);
  });
});

describe('otherAnswer', () => {
  it('finds nothing where every place holds what the tool answered, or nothing', () => {
    expect(wrong({})).toBeUndefined();
    expect(wrong({ more: { log: logWith({ 'variable.changed': changed(NONCE) }), ...state({ nonce: NONCE }) } })).toBe(
      undefined,
    );
    expect(wrong({ more: { log: logWith({ 'node.completed': {}, 'variable.changed': { name: 'receipt' } }) } })).toBe(
      undefined,
    );
  });

  it('names the place that holds something else', () => {
    expect(wrong({ more: { log: logWith({ 'variable.changed': changed('other') }) } })).toBe(
      'n-1 in variable.changed.value.nonce',
    );
    expect(wrong({ more: { log: logWith({ 'node.completed': { output: { answer: { nonce: 'x' } } } }) } })).toBe(
      'n-1 in node.completed.output.answer.nonce',
    );
    expect(wrong({ more: state({ nonce: 'other' }) })).toBe('n-1 in variables.receipt.nonce');
    expect(wrong({ more: state(null) })).toBe('n-1 in variables.receipt');
    expect(wrong({ more: state({ wrapped: NONCE }) })).toBeUndefined();
  });

  it('lets a host keep nonces of its own where it has them without a death as well', () => {
    expect(wrong(own('of the event'), own('of another event'))).toBeUndefined();
    expect(wrong(own('of the event'))).toBe('n-1 in variable.changed.nonce');
  });

  it('holds against a host that changes the answer without a death too', () => {
    const payloads = { 'node.completed': {}, tool_invocation_finished: {}, 'variable.changed': changed('other') };
    const always: CellFacts = { more: { log: logWith(payloads) } };
    expect(wrong(always, always)).toBe('n-1 in variable.changed.value.nonce');
  });

  it('says nothing of runs that do not complete, and where an answer of the tool is not known', () => {
    const log = logWith({ 'variable.changed': changed('other') });
    expect(wrong({ more: { log, calls: [{ answer: { nonce: NONCE } }, { answer: null }] } })).toBeUndefined();
    expect(wrong({ more: { log, calls: [] } })).toBeUndefined();
    const failed = log.filter((event) => (event as { type: string }).type !== 'run.completed');
    expect(wrong({ more: { log: failed, ...state(null, 'failed') } })).toBeUndefined();
    expect(wrong({ more: state(null, 'running') })).toBeUndefined();
  });
});

describe('partOfAnswer', () => {
  it('is a place that holds a part of the answer, or its text, and the whole without a death', () => {
    const calls = [{ answer: { nonce: NONCE, count: 1 } }];
    const whole = { nonce: NONCE, count: 1 };
    const run = (value: Json, output: Json = whole): CellFacts => ({
      more: {
        calls,
        log: logWith({ 'variable.changed': { name: 'receipt', value }, 'node.completed': { output } }),
        ...state(value),
      },
    });
    const part = (told: CellFacts, control: CellFacts = run(whole), isWriting = false): string | undefined =>
      partOfAnswer(seen({ cut: 'after-ledger-commit', ...told }), controlOf(seen(control)), isWriting)?.[0];
    const among = (value: Json, control: Json = whole): string | undefined => part(run(value), run(control));
    expect(among(whole)).toBeUndefined();
    expect(among({ nonce: NONCE })).toBe('{"nonce":"n-1","count":1} in variable.changed "receipt"');
    expect(among(JSON.stringify(whole))).toBe('{"nonce":"n-1","count":1} in variable.changed "receipt"');
    expect(part(run(whole, { nonce: NONCE }))).toBe('{"nonce":"n-1","count":1} in node.completed.output');
    // What is wrapped around it is the host's own, and so is a form that it has without a death.
    expect(among({ ...whole, at: 'now' })).toBeUndefined();
    expect(among({ status: 200, body: [whole] })).toBeUndefined();
    expect(among({ nonce: NONCE }, { nonce: NONCE })).toBeUndefined();
    expect(part(run(whole, null))).toBeUndefined();
    // Another variable of the node's is none of the answer.
    const others = [...logWith({}), ...logWith({ 'variable.changed': { name: 'status', value: 200 } }).slice(-1)];
    expect(part({ more: { calls, log: others, ...state(whole) } })).toBe(
      '{"nonce":"n-1","count":1} in node.completed.output',
    );
  });
});

describe('lostVariable', () => {
  const uncut: CellFacts = { more: state({ nonce: NONCE }) };
  const lost = (told: CellFacts, control = uncut): string | undefined =>
    lostVariable(seen({ cut: 'after-ledger-commit', ...told }), controlOf(seen(control)))?.[0];
  const nothing = { snapshot: { status: 'completed', variables: {} } };

  it('is one that the run which was not cut shows in the end, and this one nowhere', () => {
    const log = logInWords(FULL);
    expect(lost({ more: { log, ...nothing } })).toBe(`${NONCE} in variables.receipt`);
    expect(lost({ more: { log, ...state({ nonce: NONCE }) } })).toBeUndefined();
    expect(lost({ more: { log: logWith({ 'variable.changed': changed(NONCE) }), ...nothing } })).toBeUndefined();
  });

  it('is not known where nothing is shown of variables, or the control has none', () => {
    const log = logInWords(FULL);
    expect(lost({ more: { log, snapshot: { status: 'completed' } } })).toBeUndefined();
    expect(lost({ more: { log: null, ...nothing } })).toBeUndefined();
    expect(lost({ more: { log, ...nothing } }, { more: nothing })).toBeUndefined();
  });
});
