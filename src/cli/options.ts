import { type Command, Option } from './commander.ts';
import { baseUrl, listenAddress, listOf, partOf, repeat, reportersOf, wholeNumber } from './arguments.ts';
import type { CrashCuts } from '../runner/scenario.ts';
import { UsageError } from '../contract/usage-error.ts';
import { USUAL_LIMITS } from '../runner/usual-limits.ts';
import type { Shard } from '../runner/shard.ts';
import type { WitnessFlags } from './witness.ts';

/** Forks of one log in a sweep where `--forks` is not given. */
export const DEFAULT_FORKS = 200;

/** Time of a whole run where `--max-time` is not given. */
const DEFAULT_MAX_TIME_MS = 600_000;

/** Options of a run as commander parses them. */
export interface RunFlags extends ScenarioFlags, JudgeFlags, WitnessFlags {
  readonly register?: string;
  readonly typeMap?: string;
  readonly otel?: true;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly apiKeyEnv?: string;
  readonly apiKeyFile?: string;
  readonly baseUrlB?: string;
  readonly apiKeyBEnv?: string;
  readonly tenantBKeyEnv?: string;
  readonly limitedKeyEnv?: string;
  readonly blindKeyEnv?: string;
  readonly restartCommand?: string;
}

export interface ScenarioFlags {
  readonly suite?: readonly string[];
  readonly scenario?: readonly string[];
  readonly requirement?: readonly string[];
  readonly shard?: Shard;
  readonly exclude?: readonly string[];
  readonly lastFailed?: string;
  readonly maxFailures?: number;
  readonly recipe: 'rfc-0041' | 'rfc-0150';
  readonly seed?: number;
  readonly vectors: number;
  readonly forks: number;
  readonly sweep?: number | 'all';
  readonly workflow?: readonly string[];
  readonly crash: CrashCuts;
  readonly concurrency: number;
  readonly timeout: number;
  readonly maxTime: number;
  readonly volatile?: readonly string[];
  readonly evidence?: string;
}

export interface JudgeFlags {
  readonly baseline?: string;
  readonly level?: 'must' | 'should';
  readonly allowInconclusive?: boolean;
  readonly require?: readonly string[];
  readonly reporter?: readonly string[];
  readonly verbose?: true;
  readonly quiet?: true;
  readonly color?: boolean;
}

/** `--recipe`, shared by every command that computes keys. */
export function recipeOption(): Option {
  return new Option('--recipe <name>', 'cache-key recipe').choices(['rfc-0041', 'rfc-0150']).default('rfc-0041');
}

/** `--type-map`, shared by every command that gives definitions to a host. */
export function typeMapOption(): Option {
  return new Option('--type-map <file>', "the host's node kinds in the place of ours, as JSON");
}

/** Adds the options that name the hosts and their credentials. */
export function addTargetOptions(command: Command): Command {
  return command
    .option('--base-url <url>', 'the host under test')
    .option('--api-key-env <name>', 'environment variable with the credential (default: OPENWOP_API_KEY)')
    .option('--api-key-file <file>', 'file with the credential')
    .option('--api-key <value>', 'the credential itself (visible to others in the process list)')
    .option('--base-url-b <url>', 'a second host, for cross-host checks')
    .option('--api-key-b-env <name>', "environment variable with the second host's credential")
    .option('--tenant-b-key-env <name>', "environment variable with a second tenant's credential on the same host")
    .option('--limited-key-env <name>', 'environment variable with a credential that may read runs but not create them')
    .option('--blind-key-env <name>', 'environment variable with a credential that may not read runs')
    .option(
      '--restart-command <command>',
      'shell command that starts the host again after a failpoint killed it',
      restartCommand,
    );
}

function restartCommand(value: string): string {
  if (value.trim() === '') throw new UsageError('--restart-command is empty: how is the host started again?');
  return value;
}

/** Adds the options that put fixtures onto the host before a run. */
function addRegisterOptions(command: Command): Command {
  return command
    .option(
      '--register <url>',
      "register fixtures that the host lacks over its own endpoint, and remove them afterwards ([PUT:]URL, {workflowId} in it is the fixture's id)",
    )
    .addOption(typeMapOption());
}

/** Adds the options of the endpoints that the host under test calls. */
export function addWitnessOptions(command: Command): Command {
  return command
    .option(
      '--witness-listen <host:port>',
      'where the witness listens, port 0: any (default: 127.0.0.1:0)',
      listenAddress,
    )
    .option('--witness-url <url>', 'where the host reaches the witness (default: where it listens)', witnessUrl)
    .option('--otel', 'the host exports its spans to <witness>/v1/traces as OTLP/HTTP JSON');
}

/** Reads the value of `--witness-url`. */
export function witnessUrl(value: string): string {
  return baseUrl('--witness-url', value);
}

/** Adds the options that select and tune scenarios. */
export function addScenarioOptions(command: Command): Command {
  return command
    .option(
      '--suite <name>',
      'only this suite (repeatable; with --scenario or --requirement: what fits both)',
      listOf('--suite'),
    )
    .option('--scenario <id>', 'only this scenario, or the one with this check (repeatable)', listOf('--scenario'))
    .option('--requirement <id>', 'only scenarios that check this requirement (repeatable)', listOf('--requirement'))
    .option(
      '--exclude <id>',
      'without this check, or else suite, scenario or requirement; the verdict says so (repeatable)',
      listOf('--exclude'),
    )
    .option('--shard <i/n>', 'only the i-th of n parts; merge puts their evidence together', partOf('--shard'))
    .option('--last-failed <file>', 'only scenarios that failed in this evidence or JSON report')
    .option(
      '--max-failures <n>',
      'drive nothing more after so many failed checks; what is left then is inconclusive',
      wholeNumber('--max-failures', 1, 100_000),
    )
    .addOption(recipeOption())
    .option('--seed <n>', 'seed of the generated requests', wholeNumber('--seed', 0, 2 ** 31 - 1))
    .option('--vectors <n>', 'number of generated requests', wholeNumber('--vectors', 0, 10_000), 200)
    .option('--forks <n>', 'most forks of one log', wholeNumber('--forks', 1, 10_000), DEFAULT_FORKS)
    .option('--sweep <n>', 'advertised workflows to sweep: N, all, none', sweepSize)
    .option('--workflow <id[=file]>', 'run and sweep this one too, with these inputs', repeat)
    .addOption(
      new Option('--crash <cuts>', 'crashes at failpoints: a chosen set, all and their pairs, or none')
        .choices(['quick', 'full', 'none'])
        .default('quick'),
    )
    .option(
      '--concurrency <n>',
      'requests under way at once',
      wholeNumber('--concurrency', 1, 256),
      USUAL_LIMITS.concurrency,
    )
    .option('--timeout <ms>', 'time-out of one request', wholeNumber('--timeout', 1, 600_000), USUAL_LIMITS.timeout)
    .option(
      '--max-time <ms>',
      'time of the whole run; what is left then is inconclusive',
      wholeNumber('--max-time', 1, 86_400_000),
      DEFAULT_MAX_TIME_MS,
    )
    .option('--volatile <pointer>', 'a documented volatile field of events, as a JSON pointer (repeatable)', repeat);
}

function sweepSize(value: string): number | 'all' {
  if (value === 'all') return value;
  if (value === 'none') return 0;
  if (/^\d+$/u.test(value)) return wholeNumber('--sweep', 0, 10_000)(value);
  throw new UsageError(`--sweep takes a whole number, all or none, not ${JSON.stringify(value)}`);
}

/** Adds the option that keeps what a run recorded. */
export function addEvidenceOption(command: Command): Command {
  return command.option('--evidence <file>', 'write the evidence (NDJSON), - for standard output');
}

/** Adds the options that decide how evidence is judged and shown. */
export function addJudgeOptions(command: Command): Command {
  return command
    .addOption(new Option('--level <level>', 'which levels decide (default: must)').choices(['must', 'should']))
    .option('--allow-inconclusive', 'exit 0 when something passed, nothing failed and the rest is inconclusive')
    .option('--baseline <file>', 'accept what this file knows, and exit 1 for what it says and is not so')
    .option(
      '--require <id>',
      'exit 3 where nothing was decided of this suite or requirement (repeatable)',
      listOf('--require'),
    )
    .option(
      '--reporter <name[=file]>',
      'terminal, json, junit, html, github, sarif, markdown or tap, without a file to standard output, but html needs one (repeatable; default: terminal)',
      reportersOf,
    )
    .option(
      '--verbose',
      'also list each check, what does not apply, what is noted and which checks rest on each failed one',
    )
    .addOption(new Option('--quiet', 'the verdict and what failed, nothing else').conflicts('verbose'))
    .option('--color', 'colour even into a pipe')
    .option('--no-color', 'no colour');
}

/** Adds all options of a run against one host. */
export function addRunOptions(command: Command): Command {
  return addJudgeOptions(
    addEvidenceOption(addScenarioOptions(addWitnessOptions(addRegisterOptions(addTargetOptions(command))))),
  );
}

/** Options of a run against many hosts. */
export interface TargetsFlags extends RunFlags {
  readonly targets?: string;
  readonly reports?: string;
  readonly jobs?: number;
}

/** Adds the options of a run against many hosts. */
export function addTargetsOptions(command: Command): Command {
  return command
    .option('--targets <file>', 'many hosts instead, each with its options (schemas/targets.schema.json)')
    .option('--reports <dir>', 'where the reports of many hosts go, and index.html with all of them')
    .option('--jobs <n>', 'hosts that are judged at once (default: 4)', wholeNumber('--jobs', 1, 64));
}
