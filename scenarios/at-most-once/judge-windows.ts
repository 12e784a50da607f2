import type { Judgement } from '../../src/contract/verdict.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { pass, undecided as open } from '../../src/contract/outcome.ts';
import type { Control, Defect } from './defect.ts';
import { failureIn, judgeCells as judge } from './judge-cells.ts';
import type { PlacedCell } from './seen-cell.ts';

export { listed, NOT_DEAD } from './judge-cells.ts';

// Under a check's name, for the judge of empty results until it gives outcomes itself.

export function judgeCells(
  check: string,
  cells: readonly PlacedCell[],
  { habits }: { readonly habits: Control },
): Judgement | undefined {
  const left = judge(cells, habits);
  return left && judgementOf(check, left);
}

export function failing(
  check: string,
  { cell, defect }: { readonly cell: PlacedCell; readonly defect: Defect },
  others: readonly PlacedCell[],
): Judgement {
  const left = failureIn([cell, ...others], () => defect) ?? open('', []);
  return judgementOf(check, left);
}

export function undecided(check: string, reason: string, cells: readonly PlacedCell[]): Judgement {
  return judgementOf(check, open(reason, cells));
}

export function passing(check: string, reason: string, cells: readonly PlacedCell[]): Judgement {
  return judgementOf(check, pass(cells, reason));
}
