import { member } from '../contract/discovery.ts';
import { present } from '../contract/present.ts';
import type { CheckReport, Shown } from '../contract/report.ts';
import { findRequirement } from '../contract/requirements/index.ts';
import type { Judgement } from '../contract/verdict.ts';
import { CREDENTIAL_VARIABLES, curlCommand, shellWord } from '../evidence/curl.ts';
import type { ExchangeRecord, Json, RunRecord } from '../evidence/types.ts';
import { isOnce } from '../protocol/paths.ts';
import type { Evidence } from './evidence-index.ts';
import type { Check, Need, Scenario } from './scenario.ts';
import { USUAL_LIMITS } from './usual-limits.ts';

/** What people paste at once; no report cuts a command. */
const PASTED_CHARACTERS = 4000;
/** Evidence ids that a report lists for one check. */
const LISTED_EVIDENCE = 20;

interface Context {
  readonly evidence: Evidence;
  readonly durationMs: number;
  /** All scenarios of the run: a check may fail by what another one of them recorded. */
  readonly scenarios: readonly Scenario[];
}

/** One line of the report: a check with its requirement, its verdict and, where it failed, how to see that again. */
export function reportCheck(scenario: Scenario, check: Check, judgement: Judgement, context: Context): CheckReport {
  const requirement = findRequirement(check.requirement);
  if (requirement === undefined) throw new Error(`${check.id}: no requirement ${check.requirement}`);
  const { verdict, restsOn, remedies = [] } = judgement;
  const { evidence, reproduce, ...told } = showing(scenario, judgement, context);
  const further = judgement.further?.map((one) => showing(scenario, { ...one, check: check.id, verdict }, context));
  return {
    id: check.id,
    suite: scenario.suite,
    scenario: scenario.id,
    requirement: requirement.id,
    level: requirement.level,
    verdict,
    title: check.title,
    ...told,
    ...present({ restsOn, further }),
    ...(remedies.length === 0 ? {} : { remedies }),
    evidence,
    ...present({ reproduce }),
    durationMs: context.durationMs,
  };
}

/** What is said of a verdict; of a failure, how to see it again, too. */
function showing(scenario: Scenario, judgement: Judgement, context: Context): Shown {
  const { expected, actual, places, apart, differs, diagnosis, verdict, evidence } = judgement;
  const reason = verdict === 'fail' ? withRun(judgement, context.evidence) : judgement.reason;
  const reproduce = verdict === 'fail' ? reproduction(scenario, judgement, context) : undefined;
  const told = present({ expected, actual, places, apart, differs, reason, diagnosis });
  return { ...told, evidence: evidence.slice(0, LISTED_EVIDENCE), ...present({ reproduce }) };
}

/** The reason of a failure; where nothing that is said of it names a run that it was seen in, with the first of these. */
function withRun({ expected, actual, reason, evidence: all }: Judgement, evidence: Evidence): string | undefined {
  const runs = all.flatMap((id) => {
    const seen = evidence.observationById.get(id)?.observation;
    const [runId, role] = [member(seen, 'runId'), member(seen, 'role')];
    return typeof runId === 'string' && runId !== '' ? [{ runId, role }] : [];
  });
  const [first] = runs;
  const said = [expected, actual, reason].join('\n');
  if (first === undefined || runs.some(({ runId }) => said.includes(runId))) return reason;
  const { runId, role } = first;
  const seen = `seen in ${typeof role === 'string' ? `the ${role} ` : ''}${runId}`;
  return reason === undefined ? seen : `${reason}; ${seen}`;
}

/**
 * The command that shows the failure again: its requests, one after the other, where each is all that stands behind a line
 * of evidence, can be pasted and repeated, and the host is still there, and no second one is compared with it; else this scenario, with the one that recorded it.
 */
function reproduction(
  scenario: Scenario,
  { evidence: all, steps }: Judgement,
  { evidence, scenarios }: Context,
): string {
  const [first] = all;
  const lines = steps ?? (first === undefined ? [] : [first]);
  const isApart = steps === undefined && meetsBothHosts(all, evidence);
  const commands = isApart || isGone(evidence.run) ? [] : lines.map((line) => requestAgain(line, evidence));
  const pasted = commands.join(' && ');
  if (pasted !== '' && pasted.length <= PASTED_CHARACTERS && !commands.includes(undefined)) return pasted;
  const { scenario: recordedBy, observation } = evidence.observationById.get(first ?? '') ?? {};
  // A doubled id shows in the answers that two scenarios got.
  const among = observation?.type === 'run-id-again' ? member(observation, 'scenarios') : [];
  const seenIn: readonly unknown[] = [recordedBy, ...(Array.isArray(among) ? among : [])];
  const others = scenarios.filter(({ id }) => seenIn.includes(id) && id !== scenario.id);
  return scenarioCommand(scenario, evidence.run, others);
}

/** Whether lines of evidence tell of both hosts: a request to one of them does not show that they differ. */
function meetsBothHosts(lines: readonly string[], { run, exchanges, observationById }: Evidence): boolean {
  const { baseUrl, baseUrlB } = run.target;
  if (baseUrlB === undefined) return false;
  const ids = lines.flatMap((line) => observationById.get(line)?.observation.exchanges ?? [line]);
  const urls = ids.flatMap((id) => exchanges.get(id)?.request.url ?? []);
  // One of the addresses may lie within the other one.
  const isSecond = (url: string): boolean =>
    isWithin(url, baseUrlB) && !(baseUrl.length > baseUrlB.length && isWithin(url, baseUrl));
  return urls.some(isSecond) && !urls.every(isSecond);
}

function isWithin(url: string, base: string): boolean {
  return url.startsWith(base.endsWith('/') ? base : `${base}/`);
}

function requestAgain(line: string, evidence: Evidence): string | undefined {
  const exchange = onlyExchange(line, evidence);
  return exchange === undefined || isOnce(exchange.request.url) ? undefined : curlCommand(exchange, evidence.run);
}

/** The exchange behind a line of evidence; undefined where that line tells of several, such as a run's whole way. */
function onlyExchange(first: string, evidence: Evidence): ExchangeRecord | undefined {
  const [name, second] = evidence.observationById.get(first)?.observation.exchanges ?? [first];
  return name === undefined || second !== undefined ? undefined : evidence.exchanges.get(name);
}

/** Whether the recorded host is gone with its runs, so that only a scenario shows the same again. */
function isGone({ options }: Pick<RunRecord, 'options'>): boolean {
  return options['command'] === 'self-test' || isInProcess({ options });
}

/** Whether the host was called within the process that tested it, where no command of a shell reaches it. */
function isInProcess({ options }: Pick<RunRecord, 'options'>): boolean {
  return options['command'] === 'in-process';
}

function librarySnippet(scenarios: readonly Scenario[], { options: { seed } }: RunRecord): string {
  const ids = scenarios.map(({ id }) => `'${id}'`).join(', ');
  return `await runConformance({ target, scenarios: [${ids}], seed: ${JSON.stringify(seed)} })`;
}

/** One command that drives a scenario again, and others that it judges with, with the options of a recorded run. */
export function scenarioCommand(scenario: Scenario, run: RunRecord, others: readonly Scenario[] = []): string {
  const scenarios = [scenario, ...others];
  if (isInProcess(run)) return librarySnippet(scenarios, run);
  const { options } = run;
  const words = ['npx', 'openwop-conformance'];
  words.push(...(isGone(run) ? ['self-test', ...named(scenarios)] : whom(scenarios, run)));
  for (const name of ['seed', 'vectors', 'forks', 'recipe']) {
    const value = options[name];
    if (typeof value === 'string' || typeof value === 'number') words.push(`--${name}`, shellWord(String(value)));
  }
  for (const [name, usual] of Object.entries({ ...USUAL_LIMITS, level: 'must' })) {
    const value = options[name];
    if (typeof value === typeof usual && value !== usual)
      words.push(`--${name}`, shellWord(`${value as typeof usual}`));
  }
  if (asking(scenarios, 'crash')) words.push(...crashes(options));
  words.push(...workflowsRun(scenarios, options));
  const { volatile } = options;
  const declared = Array.isArray(volatile) ? volatile.filter((each) => typeof each === 'string') : [];
  return [...words, ...declared.flatMap((pointer) => ['--volatile', shellWord(pointer)])].join(' ');
}

function named(scenarios: readonly Scenario[]): readonly string[] {
  return scenarios.flatMap(({ id }) => ['--scenario', id]);
}

/** Whether one of the scenarios has such a need. */
function asking(scenarios: readonly Scenario[], ...kinds: readonly Need['kind'][]): boolean {
  return scenarios.some(({ needs }) => needs.some(({ kind }) => kinds.includes(kind)));
}

/** Which workflows count as advertised and how many are swept, where it was said and matters to one of the scenarios. */
function workflowsRun(scenarios: readonly Scenario[], { sweep, workflows }: RunRecord['options']): readonly string[] {
  const runsAny = scenarios.some(({ documentOnly }) => documentOnly !== true);
  const added = runsAny && Array.isArray(workflows) ? workflows : [];
  const sweepsAny = scenarios.some(({ sweeps }) => sweeps === true);
  return [
    ...(sweepsAny && typeof sweep === 'number' ? ['--sweep', String(sweep)] : []),
    ...added.flatMap((each: Json) => {
      const [workflowId, file] = [textIn(each, 'workflowId'), textIn(each, 'file')];
      if (workflowId === undefined) return [];
      return ['--workflow', shellWord(file === undefined ? workflowId : `${workflowId}=${file}`)];
    }),
  ];
}

/** The host and the scenarios, with the addresses and credentials that these need. */
function whom(scenarios: readonly Scenario[], { target, options }: RunRecord): readonly string[] {
  const asks = (...kinds: readonly Need['kind'][]): boolean => asking(scenarios, ...kinds);
  const variable = (which: keyof typeof CREDENTIAL_VARIABLES): string =>
    shellWord(textIn(options['credentialVariables'], which) ?? CREDENTIAL_VARIABLES[which]);
  const words = ['--base-url', shellWord(target.baseUrl), ...named(scenarios)];
  const { apiKeyFile, register, typeMap } = options;
  if (typeof apiKeyFile === 'string') words.push('--api-key-file', shellWord(apiKeyFile));
  if (variable('apiKey') !== CREDENTIAL_VARIABLES.apiKey) words.push('--api-key-env', variable('apiKey'));
  if (typeof register === 'string') words.push('--register', shellWord(register));
  if (typeof typeMap === 'string') words.push('--type-map', shellWord(typeMap));
  if (asks('second-tenant')) words.push('--tenant-b-key-env', variable('tenantBKey'));
  if (asks('limited-credential')) words.push('--limited-key-env', variable('limitedKey'));
  if (asks('blind-credential')) words.push('--blind-key-env', variable('blindKey'));
  if (asks('spans')) words.push('--otel');
  const witnessHelps = scenarios.some((each) => each.witnessHelps === true);
  if (asks('witness', 'spans') || witnessHelps) words.push(...witness(options['witnessAddress']));
  if (asks('second-host') && target.baseUrlB !== undefined) {
    words.push('--base-url-b', shellWord(target.baseUrlB));
    const keyB = textIn(options['credentialVariables'], 'apiKeyB');
    if (keyB !== undefined) words.push('--api-key-b-env', shellWord(keyB));
  }
  return words;
}

/** Where the host was told that the witness is. */
function witness(address: Json | undefined): readonly string[] {
  const [listen, url] = [textIn(address, 'listen'), textIn(address, 'url')];
  return [
    ...(listen === undefined ? [] : ['--witness-listen', shellWord(listen)]),
    ...(url === undefined ? [] : ['--witness-url', shellWord(url)]),
  ];
}

function textIn(value: Json | undefined, name: string): string | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  const found: unknown = Reflect.get(value, name);
  return typeof found === 'string' ? found : undefined;
}

function crashes({ crash, restartCommand }: RunRecord['options']): readonly string[] {
  return [
    ...(crash === 'full' ? ['--crash', 'full'] : []),
    ...(typeof restartCommand === 'string' ? ['--restart-command', shellWord(restartCommand)] : []),
  ];
}
