/** The narrowest page that is worth wrapping. */
const LEAST_COLUMNS = 40;
/** A colour that a renderer gave; all other controls were escaped before. */
const COLOUR = /\u001b\[\d+(?:;\d+)*m/gu;
/** A row of a failure: its name, and spaces up to where its text stands. */
const ROW = /^ {2}[a-z]+: +/u;
/** A command stays on one line, so that it can be pasted. */
const COMMAND = /^ {2}reproduce: /u;
/** What takes two columns: ideographs, syllables of Korean, full-width forms, pictographs. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const COMBINING = /\p{M}/u;

/** How many columns a text takes on a terminal; colours take none. The text is escaped already. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text.replace(COLOUR, '')) {
    columns += COMBINING.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  }
  return columns;
}

/**
 * Breaks the lines of an escaped page at spaces, so that each takes at most `width` columns; what goes on stands below the
 * text of its row, or two columns further in. A word that is wider than the page stays whole, and so does a command to paste.
 */
export function wrapPage(page: string, width: number): string {
  const most = Math.max(width, LEAST_COLUMNS);
  return page
    .split('\n')
    .flatMap((line) => (COMMAND.test(line) || columnsOf(line) <= most ? [line] : wrapLine(line, most)))
    .join('\n');
}

function wrapLine(line: string, most: number): readonly string[] {
  const indent = /^ */u.exec(line)?.[0] ?? '';
  const head = ROW.exec(line)?.[0] ?? indent;
  const hang = ' '.repeat(head === indent ? indent.length + 2 : head.length);
  const lines: string[] = [];
  let [current, columns, isEmpty] = [head, head.length, true];
  for (const [, gap = '', word = ''] of line.slice(head.length).matchAll(/(?<gap> *)(?<word>[^ ]+)/gu)) {
    const wide = gap.length + columnsOf(word);
    if (isEmpty || columns + wide <= most) {
      [current, columns] = [current + gap + word, columns + wide];
    } else {
      lines.push(current);
      [current, columns] = [hang + word, hang.length + wide - gap.length];
    }
    isEmpty = false;
  }
  return [...lines, current];
}
