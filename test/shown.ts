import { readdirSync, readFileSync } from 'node:fs';
import { packageFile } from '../src/contract/package-root.ts';

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  readonly language: string;
  readonly text: string;
  /** What the comment before it says: `host: MUTANT`, `host: python3 FILE`, `file: NAME` or `shows: FORMAT`. */
  readonly note: string;
}

/** A command of a console block, and what the block shows of its output. */
export interface Shown {
  readonly command: string;
  readonly output: string;
}

/** The pages that people write, by their path in the package. */
export const PAGES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(packageFile('docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

export function textOf(page: string): string {
  return readFileSync(packageFile(page), 'utf8');
}

export function blocksOf(page: string): readonly Block[] {
  const found = textOf(page).matchAll(
    /(?:^<!-- (?<note>(?:host|file|shows): [^\n]*?) -->\n\n)?^(?<fence>`{3,})(?<language>\w*)\n(?<text>.*?)^\k<fence>$/gmsu,
  );
  return [...found].map(({ groups: { note = '', language = '', text = '' } = {} }) => ({ page, language, text, note }));
}

/** The commands of a console block, each with what follows it. */
export function shownIn({ text }: Block): readonly Shown[] {
  return text
    .split(/^\$ /mu)
    .slice(1)
    .map((part) => {
      const [, command = '', output = ''] = /^(?<command>(?:[^\n]*\\\n)*[^\n]*)\n(?<output>.*)$/su.exec(part) ?? [];
      return { command, output };
    });
}

/** The command lines of this tool in a page: those of its blocks, and those that a sentence names in full. */
export function commandLinesOf(page: string): readonly string[] {
  const inBlocks = blocksOf(page)
    .filter(({ language }) => ['sh', 'bash', 'console', 'yaml', ''].includes(language))
    .flatMap(({ language, text }) =>
      text
        .replaceAll(/\\\n\s*/gu, ' ')
        .split('\n')
        .filter((line) => language !== 'console' || line.startsWith('$ ')),
    );
  const prose = textOf(page).replaceAll(/^(`{3,}).*?^\1$/gmsu, '');
  const inSentences = [...prose.matchAll(/`(?:npx )?openwop-conformance [^`]+`/gu)].map(([span]) => span.slice(1, -1));
  return [...inBlocks, ...inSentences].filter((line) => /(?:^|[ (])openwop-conformance(?: |$)/u.test(line));
}

/** The arguments of each call of this tool in a line, as a shell would pass them. */
export function callsIn(line: string): readonly (readonly string[])[] {
  const tokens = [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/gu)].map(([token]) => token);
  const calls: string[][] = [];
  let call: string[] | undefined;
  for (const token of tokens) {
    if (/^(?:[<$]?\()?openwop-conformance$/u.test(token)) {
      call = [];
      calls.push(call);
    } else if (/^(?:#.*|[&|;]+|[0-9]?>.*|<)$/u.test(token)) call = undefined;
    else call?.push(token.replaceAll(/'([^']*)'|"([^"]*)"/gu, '$1$2').replace(/\)$/u, ''));
  }
  return calls;
}
