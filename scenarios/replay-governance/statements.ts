import { pointerToken } from '../../src/protocol/json-pointer.ts';
import { wordsOf } from './mentions.ts';

/** A text or a number of a host's own document, and where it stands. */
export interface Statement {
  readonly pointer: string;
  readonly text: string;
}

/** Values that are looked at, statements that are kept, and characters of each, at most. */
const [MOST, KEPT, LENGTH] = [100_000, 100, 400] as const;

const DELETION = /\b(?:delet|eras|redact|purg|forg[eo]t)/u;
const FORKS = /\b(?:replay|fork|branch)/u;

/** What stands at or below these places, in their order. */
export function statementsAt(document: unknown, pointers: readonly string[]): readonly Statement[] {
  const all = leavesOf(document);
  const found = pointers.flatMap((pointer) =>
    all.filter((leaf) => leaf.pointer === pointer || leaf.pointer.startsWith(`${pointer}/`)),
  );
  // A place may stand below another one of them.
  return [...new Set(found)].slice(0, KEPT);
}

/** What a document says of deletion and of forks in one breath. */
export function statementsOfDeletion(document: unknown): readonly Statement[] {
  return leavesOf(document)
    .filter((leaf) => DELETION.test(saidIn(leaf)) && FORKS.test(saidIn(leaf)))
    .slice(0, KEPT);
}

/** The words of a statement and of the names that lead to it; paths and methods of an API say nothing themselves. */
export function saidIn(statement: Statement): string {
  return `${namesIn(statement)} ${wordsOf(statement.text).join(' ')}`;
}

/** The words of the names that lead to a statement. */
export function namesIn({ pointer }: Statement): string {
  if (pointer.startsWith('/paths/')) return '';
  return wordsOf(pointer.replace(/^(?:\/capabilities)?\/replay\/retention(?=\/|$)/u, '')).join(' ');
}

function leavesOf(document: unknown): readonly Statement[] {
  const found: Statement[] = [];
  const open: [pointer: string, value: unknown][] = [['', document]];
  for (let next = 0; next < Math.min(MOST, open.length); next += 1) {
    const [pointer, value] = open[next] ?? ['', null];
    if (typeof value === 'string' || typeof value === 'number') {
      found.push({ pointer, text: String(value).slice(0, LENGTH) });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) open.push([`${pointer}/${pointerToken(key)}`, inner]);
    }
  }
  return found;
}
