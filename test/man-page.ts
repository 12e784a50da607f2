import { readFileSync } from 'node:fs';
import type { Argument, Command, Option } from 'commander';
import { packageFile, packageVersion } from '../src/contract/package-root.ts';
import { buildProgram } from '../src/cli/main.ts';

const ENVIRONMENT = [
  ['OPENWOP_API_KEY', 'The credential of the host under test.'],
  ['GITHUB_STEP_SUMMARY', 'Where --reporter github adds its page.'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'Where serve sends spans.'],
  ['NO_COLOR, FORCE_COLOR', 'Whether standard output has colour where neither --color nor --no-color is given.'],
  ['CI', 'Where it is set and standard error is no terminal, a run says every ten seconds how far it is.'],
] as const;

/** The manual page, in roff's man macros: commands and options from their definitions, exit codes from the README. */
export function manPage(): string {
  const program = buildProgram(() => undefined);
  const run = program.commands.find((command) => command.name() === 'run');
  return [
    String.raw`.\" Made from the definitions of the commands by npx vitest run test/coverage-page.test.ts -u`,
    `.TH OPENWOP\\-CONFORMANCE 1 "" "openwop\\-conformance ${packageVersion()}" "User Commands"`,
    '.SH NAME',
    String.raw`openwop\-conformance \- check whether an OpenWOP host keeps the contract that it advertises`,
    '.SH SYNOPSIS',
    String.raw`.B openwop\-conformance \-\-base\-url`,
    '.I url',
    '[options]',
    '.br',
    String.raw`.B openwop\-conformance`,
    '.I command',
    '[options]',
    '.SH OPTIONS OF A RUN',
    ...(run?.options ?? []).map((option) => entry(option)),
    '.SH COMMANDS',
    ...program.commands.flatMap((command) => commandPart(command, new Set(run?.options.map(({ flags }) => flags)))),
    '.SH EXIT STATUS',
    ...exitCodes().map(([code, meaning]) => `.TP\n.B ${code}\n${roff(meaning)}`),
    '.SH ENVIRONMENT',
    ...ENVIRONMENT.map(([names, text]) => `.TP\n.B ${roff(names)}\n${roff(text)}`),
    '.SH SEE ALSO',
    roff('README.md, docs/index.md and CHANGELOG.md of the package.'),
    '',
  ].join('\n');
}

/** A command and those below it. Options that a run has are named, and described once. */
function commandPart(command: Command, ofRuns: ReadonlySet<string>, path = ''): readonly string[] {
  const name = `${path}${command.name()}`;
  const known = command.options.filter(({ flags }) => name !== 'run' && ofRuns.has(flags));
  const own = command.options.filter(({ flags }) => !ofRuns.has(flags));
  const words = command.registeredArguments.map((argument) => word(argument));
  return [
    `.SS ${roff([name, ...words].join(' '))}`,
    roff(sentence(command.description())),
    ...command.registeredArguments.flatMap((argument) => {
      const text = described(argument.description, argument.argChoices);
      return text === '' ? [] : [`.TP\n.I ${roff(argument.name())}\n${text}`];
    }),
    ...own.map((option) => entry(option)),
    ...(known.length === 0
      ? []
      : ['.PP', roff(`Options as those of a run: ${known.map(({ long }) => long ?? '').join(' ')}`)]),
    ...command.commands.flatMap((each) => commandPart(each, ofRuns, `${name} `)),
  ];
}

function word(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

function entry({ flags, description, argChoices, defaultValue }: Option): string {
  const standard = defaultValue === undefined || typeof defaultValue === 'boolean' ? '' : String(defaultValue);
  return `.TP\n.B ${roff(flags)}\n${described(description, argChoices, standard)}`;
}

function described(description: string, choices: readonly string[] = [], standard = ''): string {
  const more = [
    ...(choices.length === 0 ? [] : [`one of ${choices.join(', ')}`]),
    ...(standard === '' ? [] : [`default: ${standard}`]),
  ];
  if (description === '' && more.length === 0) return '';
  return roff(sentence([description, ...(more.length === 0 ? [] : [`(${more.join('; ')})`])].join(' ').trim()));
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The table of the README. */
function exitCodes(): readonly (readonly [code: string, meaning: string])[] {
  const rows = readFileSync(packageFile('README.md'), 'utf8').matchAll(/^\| (?<code>\d+) +\| (?<meaning>.*?) +\|$/gmu);
  return [...rows].map(({ groups = {} }) => [groups['code'] ?? '', sentence(groups['meaning'] ?? '')] as const);
}

/** Hyphens are to be copied as such, and no line of text is a request. */
function roff(text: string): string {
  return text
    .replaceAll('\\', String.raw`\e`)
    .replaceAll('-', String.raw`\-`)
    .replace(/^(?=[.'])/u, String.raw`\&`);
}
