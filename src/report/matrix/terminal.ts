import { Chalk } from 'chalk';
import { excerpt } from '../escape.ts';
import { conclusionOf, figuresOf, redRows, type MatrixRow, type TargetMatrix } from './matrix.ts';

const TEXT_CHARACTERS = 300;
/** Requirements that are listed; the page has all. */
const LISTED = 30;

/** Renders a matrix for a terminal: a line for each host, then what failed and where, then the conclusion. */
export function renderMatrix(matrix: TargetMatrix, { color, page }: { color: boolean; page: string }): string {
  const ink = new Chalk({ level: color ? 1 : 0 });
  const { targets, exitCode, interrupted } = matrix;
  const paint = (verdict: string): ((text: string) => string) =>
    verdict === 'conformant' ? ink.green : verdict === 'inconclusive' ? ink.yellow : ink.red;
  const width = Math.max(...targets.map(({ name }) => name.length));
  const red = redRows(matrix);
  return [
    ...targets.map((target) => {
      const { name, verdict } = target;
      return `  ${safe(name).padEnd(width)}  ${paint(verdict)(verdict.padEnd(14))}  ${safe(figuresOf(target))}`.trimEnd();
    }),
    ...(red.length === 0 ? [] : ['', 'failed:']),
    ...red.slice(0, LISTED).map((row) => `  ${safe(row.id)} (${row.level}): ${failedOn(row)}`),
    ...(red.length > LISTED ? [`  and ${red.length - LISTED} more`] : []),
    '',
    `all of it: ${safe(page)}`,
    `${conclusionOf(matrix)}${interrupted === undefined ? '' : `, interrupted by ${interrupted}`} (exit code ${exitCode})`,
    '',
  ].join('\n');
}

function failedOn({ cells }: MatrixRow): string {
  const named = Object.entries(cells).flatMap(([name, cell]) => {
    if (cell === 'fail') return [name];
    return cell === 'known' || cell === 'error' ? [`${name} (${cell})`] : [];
  });
  return safe(named.join(', '));
}

function safe(text: string): string {
  return excerpt(text, TEXT_CHARACTERS);
}
