/** An entry of a table of mutants: its id, and where it stands in its file, in lines from 1. */
export interface MutantEntry {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly text: string;
}

/** An entry begins with its id and ends with a brace, both indented as members of the table, or on the line that it begins in. */
const BEGIN = /^ {2}'?(?<id>[a-z0-9-]+)'?: (?:\{|[a-zA-Z]+\()/u;
const END = /^ {2}[\])}]/u;
const ONE_LINE = /[)}],$/u;

/** The entries of a table of mutants, as its source has them. */
export function mutantEntries(source: string): readonly MutantEntry[] {
  const lines = source.split('\n');
  const entries: MutantEntry[] = [];
  for (const [index, line] of lines.entries()) {
    const id = BEGIN.exec(line)?.groups?.['id'];
    if (id === undefined) continue;
    const more = ONE_LINE.test(line) ? 0 : lines.slice(index + 1).findIndex((each) => END.test(each)) + 1;
    const length = more + 1;
    const text = lines.slice(index, index + length).join('\n');
    entries.push({ id, first: index + 1, last: index + length, text });
  }
  return entries;
}
