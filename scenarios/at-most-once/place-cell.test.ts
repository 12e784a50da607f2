import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { BEGUN, FULL, IN_DOUBT, cellOf, logInWords, type Found, type CellFacts } from '../../test/crash-cells.ts';
import { placeCell, type Placing } from './place-cell.ts';
import { readCell } from './read-cell.ts';

const PLACING: Placing = {
  isOnce: () => true,
  showsInvocations: true,
  hasEffects: true,
  showsFound: false,
  passes: [],
  misnamed: false,
};

const EFFECT_FIRST = ['after-put-effect', 'before-append-finished'];

function placed(told: CellFacts, placing: Partial<Placing> = {}): string {
  const { window, by } = placeCell(readCell(cellOf(told)), { ...PLACING, ...placing });
  return `${window ?? '-'} ${by ?? '-'}`;
}

describe('placeCell', () => {
  it.each([
    [['none', 'NEW', false], '1'],
    [['none', 'INFLIGHT', false], '1'],
    [['started', 'INFLIGHT', false], '2'],
    [['started', 'RECOVERABLE', true], '3'],
    [['started', 'COMMITTED', false], '3'],
    [['finished', 'INFLIGHT', false], '3'],
    [['committed', 'INFLIGHT', true], '4'],
    [['committed', 'COMMITTED', true], '5'],
  ] as const)('reads what was found: %j is window %s', (found, window) => {
    expect(placed({ cut: 'fp', found: found satisfies Found })).toBe(`${window} found`);
  });

  it('does not take a tool that was called for one that is yet to be called', () => {
    expect(placed({ cut: 'fp', found: ['none', 'INFLIGHT', false], callsThen: 1 })).toBe('2 found');
  });

  it('takes a failure in the stream for a loss, whatever the ledger holds beside it, and no committed result', () => {
    const log = JSON.parse(
      JSON.stringify(logInWords(`${BEGUN} started finished node.failed run.failed`)).replaceAll('success', 'failure'),
    ) as readonly Json[];
    const told = { cut: 'fp', callsThen: 1, more: { log } };
    expect(placed({ ...told, found: ['finished', 'COMMITTED', false] })).toBe('2 found');
    expect(placed({ ...told, found: ['started', 'INFLIGHT', false] })).toBe('2 found');
    expect(placed({ ...told, found: ['started', 'COMMITTED', false] })).toBe('3 found');
    expect(placed({ ...told, found: ['finished', 'COMMITTED', true] })).toBe('3 found');
  });

  it('takes the name where what was seen agrees with it', () => {
    const told = { cut: 'after-put-effect', shown: `${BEGUN} started`, callsThen: 1 };
    expect(placed(told)).toBe('3 name');
    expect(placed({ ...told, callsThen: 0 })).toBe('2 seen');
    expect(placed(told, { isOnce: () => false })).toBe('3 seen');
    expect(placed({ ...told, cut: 'before-commit', log: IN_DOUBT })).toBe('2 seen');
    expect(placed({ ...told, cut: 'before-started' })).toBe('3 seen');
  });

  it('takes no name where their order contradicts them', () => {
    const told = { cut: 'after-ledger-commit', shown: `${BEGUN} started`, callsThen: 1 };
    expect(placed(told)).toBe('5 name');
    expect(placed(told, { misnamed: true })).toBe('3 seen');
    const whole = { ...told, shown: `${BEGUN} started finished committed` };
    expect(placed({ ...whole, cut: 'fp' })).toBe('4 seen');
    expect(placed(whole, { misnamed: true })).toBe('- -');
  });

  it('takes the name where a run was given up whose effect had been put and was not found', () => {
    const found: Found = ['started', 'INFLIGHT', false];
    const told = { cut: 'after-put-effect', log: IN_DOUBT, callsThen: 1, found };
    expect(placed(told)).toBe('3 name');
    expect(placed({ ...told, more: { stopped: 'parked', snapshot: { status: 'waiting-external' } } })).toBe('3 name');
    expect(placed({ ...told, cut: 'before-append-finished' })).toBe('2 found');
    expect(placed({ ...told, cut: 'before-append-finished' }, { passes: EFFECT_FIRST })).toBe('3 name');
    expect(placed({ ...told, cut: 'after-execute' })).toBe('2 found');
    expect(placed({ ...told, callsThen: 0 })).toBe('2 found');
    expect(placed({ ...told, cut: 'after-put-effect@2' })).toBe('2 found');
    expect(placed(told, { isOnce: () => false })).toBe('2 found');
    expect(placed({ ...told, log: FULL })).toBe('2 found');
    expect(placed({ ...told, second: 'before-append-finished' })).toBe('2 found');
  });

  it('takes what was seen where the name tells nothing', () => {
    const shown = `${BEGUN} started`;
    expect(placed({ cut: 'fp', shown: BEGUN })).toBe('1 seen');
    expect(placed({ cut: 'fp', shown, log: IN_DOUBT, calls: 0 })).toBe('2 seen');
    expect(placed({ cut: 'fp', shown, log: IN_DOUBT, callsThen: 1 })).toBe('2 seen');
    expect(placed({ cut: 'fp', shown, callsThen: 1 })).toBe('3 seen');
    expect(placed({ cut: 'fp', shown: `${shown} finished committed`, callsThen: 1 })).toBe('4 seen');
    expect(placed({ cut: 'fp', shown: FULL, callsThen: 1 })).toBe('5 seen');
  });

  it('says nothing of a failure on a host whose log does not show tool calls', () => {
    const log = `${BEGUN} node.failed run.failed`;
    expect(placed({ cut: 'fp', shown: BEGUN, log }, { showsInvocations: false })).toBe('- -');
  });

  it('knows that the node had ended where the host came to no tool call', () => {
    expect(placed({ cut: 'after-append-event', callsThen: 1 }, { showsFound: true })).toBe('- found');
  });

  it('places nothing that did not die', () => {
    expect(placed({ cut: 'after-execute', more: { deaths: [] } })).toBe('- -');
  });
});
