import { excerpt } from './escape.ts';

/** Characters of one text where nothing else is said. */
const TEXT_CHARACTERS = 600;

/** A text as code on one line, cut to `limit` characters. */
export function code(text: string, limit = TEXT_CHARACTERS): string {
  const safe = excerpt(text, limit);
  if (safe === '') return '';
  const marks = '`'.repeat(longestRun(safe) + 1);
  return safe.includes('`') ? `${marks} ${safe} ${marks}` : `${marks}${safe}${marks}`;
}

export function fenced(safe: string, language: string): string {
  const marks = '`'.repeat(Math.max(3, longestRun(safe) + 1));
  return `${marks}${language}\n${safe}\n${marks}`;
}

/** How many backticks stand together at most. */
function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/gu), ([run]) => run.length));
}

/** A row of a table: a pipe ends no cell, not even behind a backslash of a host's own. */
export function tableRow(cells: readonly (string | number)[]): string {
  const written = cells.map((cell) =>
    String(cell)
      .replace(/(?<!\\)\\+(?=\|)/gu, (run) => String.raw`\u{5c}`.repeat(run.length))
      .replaceAll('|', String.raw`\|`),
  );
  return `| ${written.join(' | ')} |`;
}

/** A text of our own with nothing in it that counts as markup, should a file have been tampered with. */
export function plain(text: string): string {
  return excerpt(text, TEXT_CHARACTERS).replace(/[!-&*+/:-@[-`{-~]|^-/gu, String.raw`\$&`);
}
