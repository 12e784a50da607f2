import { Argument, Command, CommanderError, Option } from './commander.ts';
import {
  addEvidenceOption,
  addJudgeOptions,
  addRunOptions,
  addScenarioOptions,
  addTargetOptions,
  addTargetsOptions,
  addWitnessOptions,
  recipeOption,
  type RunFlags,
  type TargetsFlags,
  typeMapOption,
  witnessUrl,
} from './options.ts';
import { listOf, partOf, repeat, reportersOf, wholeNumber } from './arguments.ts';
import { PIPELINES } from '../baseline/gate-script.ts';
import type { InitFlags } from './commands/baseline.ts';
import type { AuditFlags } from './commands/audit.ts';
import type { CacheKeyFlags } from './commands/cache-key.ts';
import type { CertifyFlags } from './commands/certify.ts';
import type { CompareFlags } from './commands/compare.ts';
import type { Shell } from './commands/completion.ts';
import type { DiffFlags } from './commands/diff.ts';
import type { ExportFlags } from './commands/fixtures.ts';
import type { ListFlags } from './commands/list.ts';
import type { MutantsFlags } from './commands/mutants.ts';
import type { PlanFlags } from './commands/plan.ts';
import type { ServeFlags } from './commands/serve.ts';
import { LostError } from './kept.ts';
import { print, printError, printMessage } from './printer.ts';
import { reportInternal } from './process-guard.ts';
import { unknownName } from '../contract/nearest.ts';
import { UsageError } from '../contract/usage-error.ts';

export { guardProcess } from './process-guard.ts';

/**
 * Runs the command line and returns the exit code: 0 conformant, 1 a check failed, 2 wrong usage, 3 inconclusive,
 * 4 the harness itself failed.
 */
export async function main(argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  try {
    const asked = argv[2] === 'help' ? [...argv.slice(0, 2), ...argv.slice(3), '--help'] : argv;
    refuseUnknownCommand(program, asked[2]);
    await program.parseAsync([...asked]);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof UsageError) {
      printMessage(error.message);
      return 2;
    }
    if (error instanceof LostError) {
      printMessage(error.message);
      return 4;
    }
    reportInternal(error);
    return 4;
  }
}

/** The definition of the command line; `exit` gets the exit code of what is run. */
export function buildProgram(exit: (code: number) => void): Command {
  const program = new Command('openwop-conformance')
    .description('Checks whether an OpenWOP host keeps the contract that it advertises.')
    .option('-V, --version', 'print the version')
    .usage('[options] [command]')
    .enablePositionalOptions()
    .exitOverride()
    // As wide on every terminal: the page is made once, by the build.
    .configureOutput({ writeOut: print, writeErr: printError, getOutHelpWidth: () => 80, getErrHelpWidth: () => 80 })
    .showHelpAfterError('(openwop-conformance --help says more)')
    .addHelpText('after', AFTER_HELP);
  addRunOptions(program.argument('[command]').helpCommand(false)).action(
    async (word: string | undefined, flags: RunFlags) => {
      refuseUnknownCommand(program, word);
      if (flags.baseUrl === undefined) {
        program.outputHelp({ error: true });
        return exit(2);
      }
      exit(await (await import('./commands/run.ts')).run(flags));
    },
  );
  addTargetsOptions(addRunOptions(program.command('run')))
    .description('run against a host (the default command), or against many')
    .action(async (flags: TargetsFlags, command: Command) => {
      const given = command.options.map((option) => option.attributeName());
      const named = given.filter((name) => command.getOptionValueSource(name) === 'cli');
      exit(await (await import('./commands/run.ts')).runOneOrMany(flags, named));
    });
  addJudgeOptions(addEvidenceOption(addScenarioOptions(program.command('self-test'))))
    .description('run against the bundled reference host on a free loopback port')
    .action(async (flags: RunFlags) => exit(await (await import('./commands/self-test.ts')).selfTest(flags)));
  program.hook('preSubcommand', (_, command) => refuseOptionsBefore(program, command));
  addInspection(program, exit);
  addOffline(program, exit);
  addBaseline(program, exit);
  addCertificates(program, exit);
  addFixtures(program, exit);
  addHost(program, exit);
  program
    .command('completion')
    .description('print what completes this command line in a shell')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: Shell) => exit((await import('./commands/completion.ts')).completion(program, shell)));
  return program;
}

/** Before what stands behind it is read: that would be called wrong for the default command. */
function refuseUnknownCommand(program: Command, word: string | undefined): void {
  if (word === undefined || word.startsWith('-')) return;
  const names = program.commands.map((command) => command.name());
  if (!names.includes(word)) throw new UsageError(`${unknownName('command', word, names)} (--help lists them)`);
}

/** They would be read as the default command's, and ignored. */
function refuseOptionsBefore(program: Command, command: Command): void {
  const given = program.options.filter((option) => program.getOptionValueSource(option.attributeName()) === 'cli');
  if (given.length > 0) {
    const names = given.map(({ long, short }) => long ?? short).join(' ');
    throw new UsageError(`${names} stands before the command: put it behind ${command.name()}`);
  }
}

function addInspection(program: Command, exit: (code: number) => void): void {
  program
    .command('list')
    .description('list scenarios and checks, and validate the tables')
    .option('--requirements', 'the requirement register and the checks of each row')
    .option('--mutants', 'the mutants and the checks that they must turn red')
    .option('--json', 'as JSON')
    .action(async (flags: ListFlags) => exit(await (await import('./commands/list.ts')).list(flags)));
  program
    .command('explain')
    .description('explain a requirement, check, scenario, diagnosis or mutant')
    .argument('<id>')
    .action(async (id: string) => exit(await (await import('./commands/explain.ts')).explain(id)));
  addScenarioOptions(addWitnessOptions(addTargetOptions(program.command('plan'))))
    .description(
      'say which scenarios apply to a host, and why (asks it: may create one run of conformance-noop and fork it)',
    )
    .option('--json', 'as JSON')
    .action(async (flags: PlanFlags) => exit(await (await import('./commands/plan.ts')).plan(flags)));
}

function addOffline(program: Command, exit: (code: number) => void): void {
  program
    .command('cache-key')
    .description('canonical form and cache key of a request, an NDJSON of requests or a vector file')
    .argument('<file>', 'a file, or - for standard input')
    .addOption(recipeOption())
    .option('--json', 'one JSON line a request: {cacheKey, canonical}')
    .option('--diagnose <key>', 'name the rule that gives this key')
    .action(async (file: string, flags: CacheKeyFlags) =>
      exit(await (await import('./commands/cache-key.ts')).cacheKey(file, flags)),
    );
  program
    .command('diff')
    .description('compare two recorded event logs: first divergence, determinism score')
    .argument(
      '<source>',
      "the source run's log: NDJSON, a JSON array or the events endpoint's answer, - for standard input",
    )
    .argument('<replay>', "the replay's log, the same")
    .option('--json', "as JSON, the shape of a host's :diff with class, pointer, normalisation and score")
    .option('--volatile <pointer>', 'a documented volatile field of the event, as a JSON pointer (repeatable)', repeat)
    .action(async (source: string, replay: string, flags: DiffFlags) =>
      exit(await (await import('./commands/diff.ts')).diff(source, replay, flags)),
    );
  program
    .command('open')
    .description('show recorded runs as timelines in a browser, without a host')
    .argument('<file>', 'an evidence file, or a recorded event log')
    .argument('[replay]', "the log of a replay of that log's run, to be shown beside it")
    .option('--json', 'print one JSON line')
    .action(async (file: string, replay: string | undefined, flags: { json?: true }) =>
      exit(await (await import('./commands/open.ts')).open(file, replay, flags)),
    );
  program
    .command('compare')
    .description('say what became of each check between two runs')
    .argument('<before>', "a run's evidence or JSON report")
    .argument('<after>', 'that of another host, version or day')
    .option('--reporter <name[=file]>', 'terminal, json, markdown or html (repeatable; default: terminal)', reportersOf)
    .option('--color', 'colour even into a pipe')
    .option('--no-color', 'no colour')
    .action(async (before: string, after: string, flags: CompareFlags) =>
      exit(await (await import('./commands/compare.ts')).compare(before, after, flags)),
    );
  addJudgeOptions(addWitnessOptions(addTargetOptions(program.command('replay-check'))))
    .description("drive a recorded check's scenario again, and say what was found then and now")
    .argument('<evidence>', 'the evidence of the run')
    .argument('<check>', 'the check, or its scenario')
    .option('--timeout <ms>', 'time-out of one request', wholeNumber('--timeout', 1, 600_000), 10_000)
    .option('--max-time <ms>', 'time of the whole run', wholeNumber('--max-time', 1, 86_400_000), 600_000)
    .option('--concurrency <n>', 'requests under way at once', wholeNumber('--concurrency', 1, 256), 8)
    .action(async (file: string, check: string, flags: RunFlags) =>
      exit(await (await import('./commands/replay-check.ts')).replayCheck(file, check, flags)),
    );
  program
    .command('merge')
    .description('put the evidence of all shards of one run together')
    .argument('<files...>', 'the evidence of each shard')
    .option('--evidence <file>', 'where it goes', '-')
    .action(async (files: readonly string[], flags: { evidence: string }) =>
      exit(await (await import('./commands/merge.ts')).merge(files, flags)),
    );
  program
    .command('audit')
    .description('replay runs of a host, or compare recorded pairs, and say which diverged')
    .option('--pairs <path>', 'recorded logs: a folder of pairs, or a file that lists them')
    .option('--runs <file>', 'ids of runs of the host, one a line, - for standard input')
    .option('--base-url <url>', 'the host of these runs')
    .option('--api-key-env <name>', 'environment variable with the credential (default: OPENWOP_API_KEY)')
    .option('--api-key-file <file>', 'file with the credential')
    .option('--output <file>', 'where the lines go (default: standard output)')
    .option('--resume <file>', 'go on with the lines of an audit that was interrupted')
    .option('--html <file>', 'also write a page for browsers')
    .option('--shard <i/n>', 'the i-th of n parts', partOf('--shard'))
    .option('--sample <n>', 'only so many, chosen by the seed', wholeNumber('--sample', 1, 10_000_000))
    .option('--seed <n>', 'seed of the sample (default: 1)', wholeNumber('--seed', 0, 2 ** 31 - 1))
    .option('--volatile <pointer>', 'a documented volatile field of the event, as a JSON pointer (repeatable)', repeat)
    .option('--concurrency <n>', 'runs that are replayed at once (default: 8)', wholeNumber('--concurrency', 1, 256))
    .option('--timeout <ms>', 'time-out of one request (default: 10000)', wholeNumber('--timeout', 1, 600_000))
    .action(async (flags: AuditFlags) => exit(await (await import('./commands/audit.ts')).audit(flags)));
  for (const [name, description] of [
    ['judge', 'judge recorded evidence again'],
    ['report', 'render recorded evidence again'],
  ] as const) {
    addJudgeOptions(program.command(name))
      .description(description)
      .argument('<evidence>', 'an evidence file (NDJSON), - for standard input')
      .action(async (file: string, flags: RunFlags) =>
        exit(await (await import('./commands/judge.ts')).judge(file, flags)),
      );
  }
}

function addCertificates(program: Command, exit: (code: number) => void): void {
  program
    .command('certify')
    .description('sign what recorded evidence shows')
    .argument('<evidence>', 'an evidence file')
    .requiredOption('--key <file>', 'Ed25519 private key (PEM)')
    .option('--output <file>', 'the certificate', 'certificate.json')
    .option('--days <n>', 'how long it holds', wholeNumber('--days', 1, 3650), 90)
    .option('--badge <file>', 'also write a badge (SVG)')
    .option('--endpoint <file>', 'also write the badge as JSON')
    .action(async (file: string, flags: CertifyFlags) =>
      exit(await (await import('./commands/certify.ts')).certify(file, flags)),
    );
  program
    .command('verify')
    .description('check a certificate, and make its verdicts again')
    .argument('<certificate>', 'what certify wrote')
    .argument('[evidence]', 'the evidence that it is about')
    .option('--public-key <file>', 'the key of whom you trust (PEM)')
    .action(async (file: string, evidence: string | undefined, flags: { publicKey?: string }) =>
      exit(await (await import('./commands/certify.ts')).verify(file, evidence, flags)),
    );
}

function addBaseline(program: Command, exit: (code: number) => void): void {
  const baseline = program.command('baseline').description('what a host is known to lack, for --baseline');
  const file = ['<file>', 'the baseline'] as const;
  const result = "the run's evidence or JSON report";
  baseline
    .command('init')
    .description('write the baseline of a run')
    .argument(...file)
    .argument('[result]', result)
    .addOption(new Option('--ci <pipeline>', 'print the script of a gate').choices(PIPELINES))
    .option('--force', 'replace the file')
    .action(async (path: string, run: string | undefined, flags: InitFlags) =>
      exit(await (await import('./commands/baseline.ts')).initBaseline(path, run, flags)),
    );
  for (const [name, description] of [
    ['check', 'say what the baseline says and is not so'],
    ['prune', 'take out what holds no longer'],
    ['update', 'make it that of this run, reasons and links kept'],
  ] as const) {
    baseline
      .command(name)
      .description(description)
      .argument(...file)
      .argument('<result>', result)
      .action(async (path: string, run: string) =>
        exit(await (await import('./commands/baseline.ts'))[name](path, run)),
      );
  }
}

function addFixtures(program: Command, exit: (code: number) => void): void {
  const fixtures = program.command('fixtures').description('the workflows that the tests run');
  fixtures
    .command('export')
    .description('write the definitions into a folder, a file each, for hosts that load files')
    .argument('<dir>')
    .addOption(typeMapOption())
    .option('--witness-url <url>', 'where the host will reach the witness: what $(witnessUrl) stands for', witnessUrl)
    .option('--force', 'replace files that hold something else')
    .action(async (folder: string, flags: ExportFlags) =>
      exit((await import('./commands/fixtures.ts')).exportFixtures(folder, flags)),
    );
}

function addHost(program: Command, exit: (code: number) => void): void {
  program
    .command('mutants')
    .description('run the suites against each mutant of the reference host and print the kill matrix')
    .argument('[ids...]', 'only these mutants')
    .option(
      '--suite <name>',
      'only these suites and the mutants that they have to kill (repeatable)',
      listOf('--suite'),
    )
    .option('--changed [ref]', 'only what has changed since a commit touches (default: what is not committed)')
    .option(
      '--pairs <n>',
      'instead, n hosts with two defects: a broken foundation and another one',
      wholeNumber('--pairs', 1, 1_000_000),
    )
    .option(
      '--sample <n>',
      'each against the scenarios of the checks that it names, and n others that it reaches (default: all of them)',
      wholeNumber('--sample', 0, 1_000_000),
    )
    .option('--shard <i/n>', 'only the i-th of n parts of the mutants', partOf('--shard'))
    .option('--bare', 'instead, hosts with the public workflows and seams alone')
    .option('--json', 'as JSON')
    .action(async (ids: readonly string[], flags: MutantsFlags) =>
      exit(await (await import('./commands/mutants.ts')).mutants(ids, flags)),
    );
  program
    .command('serve')
    .description('start the reference host')
    .option('--port <n>', 'port (default: a free one)', wholeNumber('--port', 0, 65_535), 0)
    .option('--host <name>', 'address to listen on', '127.0.0.1')
    .option('--data <file>', 'keep the event log in this file (default: in memory)')
    .addOption(
      new Option('--region <name>', 'one of two processes that serve the same --data file').choices(['a', 'b']),
    )
    .option(
      '--otlp-endpoint <url>',
      'where spans go, as OTLP/HTTP JSON (default: OTEL_EXPORTER_OTLP_[TRACES_]ENDPOINT)',
    )
    .option('--enable-test-seams', 'expose the test seams')
    .option('--enable-registration', 'take workflows at POST /v1/host/sample/workflows')
    .option('--share-responses', "let a tenant's runs share the responses of models")
    .option('--only-public-workflows', 'have the workflows of public hosts alone')
    .option(
      '--retention <seconds>',
      'let events expire after this time (default: never)',
      wholeNumber('--retention', 1, 3_000_000_000),
    )
    .option('--no-ui', 'answer no browser: without the Run Timeline View')
    .option('--until-stdin-ends', 'end when standard input does, as it does when the process that holds it is gone')
    .option('--json', 'print one JSON line')
    .action(async (flags: ServeFlags) => exit(await (await import('./commands/serve.ts')).serve(flags)));
}

const AFTER_HELP = `
Exit codes: 0 conformant, 1 a check failed, 2 wrong usage, 3 inconclusive, 4 the harness itself failed,
129, 130 or 143 interrupted by SIGHUP, SIGINT or SIGTERM.

Examples:
  openwop-conformance --base-url https://host.example
  openwop-conformance self-test
  openwop-conformance --base-url http://localhost:8080 --suite cache-key-portable --reporter junit=report.xml`;
