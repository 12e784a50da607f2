import { type CompletedCommand, type CompletedOption, listsOf, type Values, withAll } from './words.ts';

/** The script for zsh: a file called \`_openwop-conformance\` in \`fpath\`, or sourced behind \`compinit\`. A function for each command. */
export function zshCompletion(program: CompletedCommand): string {
  return [
    '#compdef openwop-conformance',
    '# zsh completion of openwop-conformance: put it into a folder of $fpath as _openwop-conformance',
    ...[...listsOf(program)].map(
      ([list, words]) => `_openwop_conformance_list_${list}() { compadd -- ${words.join(' ')} }`,
    ),
    ...withAll(program).map((command) => functionOf(command)),
    'if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _openwop-conformance "$@"',
    'else compdef _openwop-conformance openwop-conformance; fi',
    '',
  ].join('\n');
}

function functionOf(command: CompletedCommand): string {
  const below = command.commands;
  const specs = [
    ...command.options.map((option) => optionSpec(option)),
    ...command.positions.map(({ name, values, repeats }, index) =>
      quoted(`${repeats ? '*' : index + 1}:${name}:${action(values)}`),
    ),
    ...(below.length === 0 ? [] : [quoted('1:command:->command'), quoted('*::argument:->argument')]),
  ];
  const cases = below.map((each) => `    ${each.name}) ${nameOf(each)} ;;`);
  const named = below.map((each) => quoted(`${each.name}:${each.description}`));
  return [
    `${nameOf(command)}() {`,
    '  local curcontext=$curcontext state line',
    '  typeset -A opt_args',
    `  _arguments -C ${below.length === 0 ? '' : "-A '-*' "}${specs.join(' \\\n    ')}`,
    ...(below.length === 0
      ? []
      : [
          `  local commands=(${named.join(' ')})`,
          '  case $state in',
          '  command) _describe command commands ;;',
          '  argument) case $words[1] in',
          ...cases,
          '    esac ;;',
          '  esac',
        ]),
    '}',
  ].join('\n');
}

/** `_arguments` reads brackets and colons of a description unless they are escaped. */
function optionSpec({ names, description, values, repeats }: CompletedOption): string {
  const text = `[${description.replaceAll(/[[\]:\\]/gu, String.raw`\$&`)}]`;
  const value = values === undefined ? text : `=${text}:${names.at(-1)?.slice(2)}:${action(values)}`;
  if (repeats) return names.map((name) => quoted(`*${name}${value}`)).join(' ');
  const only = names.length === 1 ? '' : quoted(`(${names.join(' ')})`);
  return names.map((name) => `${only}${quoted(`${name}${value}`)}`).join(' ');
}

function action(values: Values): string {
  if (typeof values === 'object') return `_openwop_conformance_list_${values.list}`;
  return { file: '_files', folder: '_files -/', free: ' ' }[values];
}

function nameOf({ path }: CompletedCommand): string {
  return path === '' ? '_openwop-conformance' : `_openwop_conformance_${path.replaceAll(/\W/gu, '_')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
