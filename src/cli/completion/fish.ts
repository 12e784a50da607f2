import { type CompletedCommand, type CompletedOption, listsOf, type Values, withAll } from './words.ts';

/** The script for fish: a line for each command, option and list. `__openwop_at COMMAND` is true where words are that command's. */
export function fishCompletion(program: CompletedCommand): string {
  const commands = withAll(program);
  const known = commands.flatMap(({ path }) => (path === '' ? [] : [path]));
  return [
    '# fish completion of openwop-conformance: put it into ~/.config/fish/completions',
    'function __openwop_at',
    "  set -l at ''",
    '  for word in (commandline -opc)[2..-1]',
    '    switch (string trim "$at $word")',
    `      case ${known.map(quoted).join(' ')}`,
    '        set at (string trim "$at $word")',
    '    end',
    '  end',
    '  test "$at" = "$argv[1]"',
    'end',
    ...[...listsOf(program)].map(([list, words]) => `set -g __openwop_${list} ${words.join(' ')}`),
    'complete -c openwop-conformance -f',
    ...commands.flatMap((command) => linesOf(command)),
    '',
  ].join('\n');
}

function linesOf({ path, options, positions, commands }: CompletedCommand): readonly string[] {
  const start = `complete -c openwop-conformance -n ${quoted(`__openwop_at ${quoted(path)}`)}`;
  return [
    ...commands.map((each) => `${start} -a ${each.name} -d ${quoted(each.description)}`),
    ...options.map((option) => `${start}${flagsOf(option)} -d ${quoted(option.description)}`),
    ...positions.map(({ values }) => `${start}${answerOf(values)}`),
  ];
}

function flagsOf({ names, values }: CompletedOption): string {
  const flags = names.map((name) => (name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`));
  return `${flags.join('')}${values === undefined ? '' : ` ${values === 'file' ? '-r' : '-x'}${answerOf(values)}`}`;
}

function answerOf(values: Values): string {
  if (typeof values === 'object') return ` -a '$__openwop_${values.list}'`;
  return { file: ' -F', folder: " -a '(__fish_complete_directories)'", free: '' }[values];
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/gu, String.raw`\$&`)}'`;
}
