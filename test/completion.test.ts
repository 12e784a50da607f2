import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { completed, withAll } from '../src/cli/completion/words.ts';
import { buildProgram } from '../src/cli/main.ts';
import { runMain } from './run-main.ts';

const PROGRAM = completed(buildProgram(() => undefined));

/** Calls what the script registers as bash does, once for each line: the last word is the one under the cursor. */
const ASK = `
[[ $(complete -p openwop-conformance) == *'-F _openwop_conformance'* ]] || exit 1
while IFS= read -r line; do
  IFS='|' read -ra COMP_WORDS <<< "$line"
  [[ $line == *'|' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  _openwop_conformance
  echo "\${COMPREPLY[*]}"
done`;

/** What bash offers for each line; its words are cut at | as readline cuts them. */
async function offered(lines: readonly string[]): Promise<readonly (readonly string[])[]> {
  const { stdout } = await runMain(['completion', 'bash']);
  const asked = lines.map((line) => `openwop-conformance|${line}\n`).join('');
  // One argument of a program is 128 KiB long at most, which the script is not.
  const input = `${stdout}${ASK} <<'LINES'\n${asked}LINES\n`;
  const printed = execFileSync('bash', ['--norc', '-u'], { input, encoding: 'utf8' });
  return printed
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' ').filter((word) => word !== ''));
}

describe('completion bash', () => {
  it('offers commands, options, values of a list and names', async () => {
    const cases: Readonly<Record<string, readonly string[]>> = {
      se: ['self-test', 'serve'],
      'baseline|': ['init', 'check', 'prune', 'update'],
      'baseline|init|--f': ['--force'],
      'run|--suite|re': ['replay-determinism', 'refusal-divergence', 'replay-governance'],
      '--suite|=|disc': ['discovery'],
      '--level|': ['must', 'should'],
      'serve|--region|': ['a', 'b'],
      'run|--base-url|http|:|//127.0.0.1|:|80|--crash|': ['quick', 'full', 'none'],
      'explain|fork.created.ev': ['fork.created.every-sequence'],
      'explain|nfc-app': ['nfc-applied'],
      'mutants|fork-ok-not-created|fork-ok': ['fork-ok-not-created'],
      'replay-check|evidence.ndjson|fork.created.own': ['fork.created.own-id'],
      'compare|a|b|--reporter|m': ['markdown'],
      'compare|a|b|--reporter|j': ['json'],
      'report|e|--reporter|j': ['json', 'junit'],
      'completion|': ['bash', 'zsh', 'fish'],
      // Files are readline's.
      'judge|': [],
      'run|--evidence|': [],
      'run|--reporter|json|=|re': [],
      'no-command|x': [],
    };
    const answers = await offered(Object.keys(cases));
    expect(Object.fromEntries(Object.keys(cases).map((line, index) => [line, answers[index]]))).toEqual(cases);
  });

  it('offers each option of each command', async () => {
    const commands = withAll(PROGRAM);
    const lines = commands.map(({ path }) => [...path.split(' '), '-'].filter((word) => word !== '').join('|'));
    const names = commands.map(({ options }) => options.flatMap((option) => option.names));
    expect(await offered(lines)).toEqual(names);
  });
});

describe('what can be completed', () => {
  const places = withAll(PROGRAM).flatMap(({ options, positions }) => [...options, ...positions]);

  it('is one list for each name', () => {
    const lists = places.flatMap(({ values }) => (typeof values === 'object' ? [values] : []));
    const differing = lists.filter(({ list, words }) =>
      lists.some((other) => other.list === list && other.words.join(' ') !== words.join(' ')),
    );
    expect(differing).toEqual([]);
    const words = lists.flatMap((list) => [list.list, ...list.words]);
    expect(words.filter((word) => !/^[a-zA-Z][\w.-]*$/u.test(word))).toEqual([]);
  });

  it('is what compare takes', async () => {
    const { stderr } = await runMain(['compare', 'a', 'b', '--reporter', 'unknown']);
    expect(stderr).toContain('(terminal, json, markdown, html)');
  });

  it.each(['zsh', 'fish'])('stands in the script for %s', async (shell) => {
    const { stdout, exitCode } = await runMain(['completion', shell]);
    expect(exitCode).toBe(0);
    const words = withAll(PROGRAM).flatMap(({ path, options }) => [
      path.split(' ').at(-1) ?? '',
      ...options.flatMap(({ names }) => names.map((name) => (shell === 'zsh' ? name : name.replace(/^-+/u, '')))),
    ]);
    expect(words.filter((word) => !stdout.includes(word))).toEqual([]);
    for (const name of ['replay-governance', 'fork.created.own-id', 'nfc-applied', 'fork-ok-not-created', 'sarif']) {
      expect(stdout).toContain(` ${name}`);
    }
  });

  it('is printed for three shells alone', async () => {
    const { exitCode, stderr } = await runMain(['completion', 'csh']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Allowed choices are bash, zsh, fish');
  });
});
