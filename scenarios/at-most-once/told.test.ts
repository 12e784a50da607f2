import { describe, expect, it } from 'vitest';
import { BEGUN, cellOf, type CellFacts, CORRECT, matrixOf, otherwise } from '../../test/crash-cells.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { CellObservation, CrashObservation } from './cell.ts';
import { crash } from './crash.ts';
import { WINDOWS } from './windows.ts';

const [W1 = '', W2 = '', W3 = '', W4 = '', W5 = ''] = WINDOWS.map(([, row]) => row);
const EVERY = 'once.every-cut';
const ORDER = 'once.write-order';

const TWICE = `${BEGUN} started finished committed node.completed committed run.completed`;

/** Every cell in which the correct host's run completes, with another log. */
function eachWith(change: CellFacts): readonly Recorded<CellObservation>[] {
  return CORRECT.map((each) => cellOf(each.log === undefined ? { ...each, ...change } : each));
}

function uncutWith(change: CellFacts, seen: readonly Recorded<CrashObservation>[]) {
  return seen.map((each) => (each.type === 'cell' && each.cut === null ? cellOf(change) : each));
}

/** What is wrong in each check, and on what that rests. */
function told(seen: readonly Recorded<CrashObservation>[]): Readonly<Record<string, string>> {
  const found = crash.judge(seen, OPTIONS).filter(({ verdict }) => verdict !== 'pass');
  return Object.fromEntries(
    found.map(({ check, diagnosis, restsOn }) => [check, `${diagnosis?.code ?? 'open'} of ${restsOn ?? 'its own'}`]),
  );
}

describe('a mistake that shows wherever the host dies', () => {
  it('is told in the first window, and no other defect is hidden behind it', () => {
    const cells = eachWith({ log: TWICE });
    const seen = told(matrixOf(cells));
    expect(seen).toMatchObject({ [W1]: 'written-twice of its own', [EVERY]: `written-twice of ${W1}` });
    for (const row of [W3, W4, W5]) expect(seen[row]).toBe(`written-twice of ${W1}`);
    const stuck = cells.map((cell) =>
      cell.cut?.name === 'after-ledger-commit'
        ? cellOf({ ...CORRECT[7], log: TWICE.replaceAll('completed', 'failed') })
        : cell,
    );
    expect(told(matrixOf(stuck))[W5]).toBe('result-not-injected of its own');
  });

  it('is that of the write order where nobody dies, too', () => {
    const seen = uncutWith({ log: TWICE, found: ['none', 'NEW', false] }, matrixOf(eachWith({ log: TWICE })));
    expect(told(seen)).toMatchObject({
      [W1]: `written-twice of ${EVERY}`,
      [W5]: `written-twice of ${EVERY}`,
      [EVERY]: `written-twice of ${ORDER}`,
    });
    const turned = `${BEGUN} started committed finished node.completed run.completed`;
    const all = uncutWith({ log: turned, found: ['none', 'NEW', false] }, matrixOf(eachWith({ log: turned })));
    expect(told(all)['once.write-order.found']).toBe(`written-out-of-order of ${ORDER}`);
    expect(told(matrixOf(eachWith({ log: turned })))['once.write-order.found']).toBe('written-out-of-order of its own');
  });

  it('is a loss of runs where no window shows, either', () => {
    const missing: CellFacts = { log: '', found: null, more: { stopped: 'missing', snapshot: null, log: null } };
    const seen = told(matrixOf(eachWith(missing).map((cell) => ({ ...cell, deaths: cell.deaths.map(unshown) }))));
    expect(seen).toMatchObject({ [W1]: 'lost-run of its own', [W4]: `open of ${W1}`, [W5]: `open of ${W1}` });
    expect(seen['once.stream-is-authority']).toBe(`open of ${W1}`);
    expect(seen['once.catch-up-complete']).toBe(`open of ${W1}`);
  });
});

describe('stores after a second death', () => {
  it('are those of a recovery that made a result up', () => {
    const completed = `${BEGUN} started finished committed node.completed run.completed`;
    const cells = otherwise('after-append-started', { log: completed });
    const second = cellOf({
      cut: 'after-append-started',
      second: 'after-append-finished',
      log: completed,
      found: ['finished', 'INFLIGHT', false],
    });
    const seen = told(matrixOf([...cells, second]));
    expect(seen).toMatchObject({
      [W2]: 'invented-result of its own',
      'once.write-order.found': `written-out-of-order of ${W2}`,
    });
  });
});

function unshown<Death extends { readonly shown: unknown }>(death: Death): Death & { readonly shown: readonly [] } {
  return { ...death, shown: [] };
}
