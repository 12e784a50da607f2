import type { CrashCell, CrashMatrix } from '../contract/crash-matrix.ts';
import { excerpt } from './escape.ts';

/** Characters of a host's own name (a failpoint, a state) on a line. */
const NAME_CHARACTERS = 60;

/**
 * What a host did at every cut, for the terminal: a line for each single cut with what its pairs came to beside it, the
 * points that no run passed, and the figures. Nothing where there is no matrix. Host texts are escaped and cut.
 */
export function crashLines(matrix: CrashMatrix | undefined): string[] {
  if (matrix === undefined) return [];
  const cuts = [...new Set(matrix.cells.map(({ cut }) => cut))];
  const rows = cuts.map((cut) =>
    cutRow(
      cut,
      matrix.cells.filter((cell) => cell.cut === cut),
    ),
  );
  return ['', 'crash matrix', ...aligned([HEAD, ...rows]), ...unpassed(matrix, cuts), ...figureLines(matrix)];
}

const HEAD = ['cut', 'window', 'calls', 'found: stream, ledger, effect', 'outcome', 'second crash in recovery'];

function cutRow(cut: string, cells: readonly CrashCell[]): readonly string[] {
  const single = cells.find(({ second }) => second === null);
  return [
    name(cut),
    name(single?.window ?? '-'),
    shown(single?.calls),
    found(single),
    name(single?.outcome ?? 'not driven'),
    pairs(cells.filter(({ second }) => second !== null)),
  ];
}

function found(cell: CrashCell | undefined): string {
  if (cell === undefined || cell.found === null) return '-';
  const { stream, ledger, effect } = cell.found;
  return `${name(stream)}, ${name(ledger)}, ${effect ? 'yes' : 'no'}`;
}

/** `12: 10 completed, 2 failed; calls 0 to 1` */
function pairs(cells: readonly CrashCell[]): string {
  if (cells.length === 0) return '';
  const outcomes = [...new Set(cells.map(({ outcome }) => outcome))].map(
    (outcome) => `${cells.filter((cell) => cell.outcome === outcome).length} ${outcome}`,
  );
  const calls = cells.map((cell) => cell.calls).filter((count) => count !== null);
  const [least, most] = [Math.min(...calls), Math.max(...calls)];
  const range = calls.length === 0 ? '-' : least === most ? `${least}` : `${least} to ${most}`;
  return `${cells.length}: ${outcomes.join(', ')}; calls ${range}`;
}

function unpassed({ points }: CrashMatrix, cuts: readonly string[]): string[] {
  const cut = new Set(cuts.map((each) => each.replace(/@\d+$/u, '')));
  const left = points.filter((point) => !cut.has(point) && !cut.has(point.replace(/@\d+$/u, '')));
  return left.length === 0 ? [] : [`  never cut: ${excerpt(left.join(', '), 6 * NAME_CHARACTERS)}`];
}

function figureLines({ figures }: CrashMatrix): string[] {
  const { cuts, pairs: second, duplicateCalls, lostEvents, medianCycleMs } = figures;
  const median = medianCycleMs === null ? '' : `, median ${Math.round(medianCycleMs)} ms a cycle`;
  return [`  ${cuts} cuts, ${second} pairs, ${duplicateCalls} duplicate calls, ${lostEvents} lost events${median}`];
}

/** Columns as wide as their widest cell, without spaces at a line's end. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
}

function name(text: string): string {
  return excerpt(text, NAME_CHARACTERS);
}

function shown(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : String(value);
}
