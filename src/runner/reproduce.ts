import type { BodyRecord, ExchangeRecord, Json, RunRecord } from '../evidence/types.ts';
import type { Need, Scenario } from './scenario.ts';

/** Request headers that curl sends by itself or that only serve the harness. */
const LEFT_OUT = new Set(['accept-encoding', 'user-agent', 'content-length', 'connection']);

/** The credential as evidence names it; nothing else may stand unquoted for the shell to expand. */
const NAMED_CREDENTIAL = /^Bearer \$[A-Za-z_]\w*$/u;

/**
 * One command that sends a recorded request again, for a POSIX shell. The credential is read from the environment
 * variable that the evidence names. Undefined where the recorded body was cut, or is no JSON and has characters that a
 * terminal would change: pasted, it would not be the same request.
 */
export function curlCommand({ request }: ExchangeRecord, { options }: Pick<RunRecord, 'options'>): string | undefined {
  const body = request.body === undefined ? '' : pasteable(request.body);
  if (body === undefined) return undefined;
  const words = ['curl', '-sS', '-i', '-X', request.method, shellWord(request.url)];
  for (const [name, value] of Object.entries(request.headers)) {
    if (!LEFT_OUT.has(name)) words.push('-H', headerWord(name, value, options['apiKeyFile']));
  }
  if (request.body !== undefined) words.push('--data-raw', shellWord(body));
  return words.join(' ');
}

/** Whether the recorded host is gone with its runs, so that only a scenario shows the same again. */
export function isGone({ options }: Pick<RunRecord, 'options'>): boolean {
  return options['command'] === 'self-test' || isInProcess({ options });
}

/** Whether the host was called within the process that tested it, where no command of a shell reaches it. */
function isInProcess({ options }: Pick<RunRecord, 'options'>): boolean {
  return options['command'] === 'in-process';
}

function librarySnippet(scenario: Scenario, { options: { seed } }: RunRecord): string {
  return `await runConformance({ target, scenarios: ['${scenario.id}'], seed: ${JSON.stringify(seed)} })`;
}

/** One command that drives a scenario again with the options of a recorded run. */
export function scenarioCommand(scenario: Scenario, run: RunRecord): string {
  if (isInProcess(run)) return librarySnippet(scenario, run);
  const { options } = run;
  const words = ['npx', 'openwop-conformance'];
  words.push(...(isGone(run) ? ['self-test', '--scenario', scenario.id] : whom(scenario, run)));
  for (const name of ['seed', 'vectors', 'forks', 'recipe']) {
    const value = options[name];
    if (typeof value === 'string' || typeof value === 'number') words.push(`--${name}`, shellWord(String(value)));
  }
  if (scenario.needs.some(({ kind }) => kind === 'crash')) words.push(...crashes(options));
  words.push(...swept(scenario, options));
  const { volatile } = options;
  const declared = Array.isArray(volatile) ? volatile.filter((each) => typeof each === 'string') : [];
  return [...words, ...declared.flatMap((pointer) => ['--volatile', shellWord(pointer)])].join(' ');
}

/** Which workflows are swept, where the scenario sweeps any and it was said. */
function swept({ sweeps }: Scenario, { sweep, workflows }: RunRecord['options']): readonly string[] {
  if (sweeps !== true) return [];
  const added = Array.isArray(workflows) ? workflows : [];
  return [
    ...(typeof sweep === 'number' ? ['--sweep', String(sweep)] : []),
    ...added.flatMap((each: Json) => {
      const [workflowId, file] = [textIn(each, 'workflowId'), textIn(each, 'file')];
      if (workflowId === undefined) return [];
      return ['--workflow', shellWord(file === undefined ? workflowId : `${workflowId}=${file}`)];
    }),
  ];
}

/** The host and the scenario, with the addresses and credentials that the scenario needs. */
function whom(scenario: Scenario, { target, options }: RunRecord): readonly string[] {
  const asks = (...kinds: readonly Need['kind'][]): boolean => scenario.needs.some(({ kind }) => kinds.includes(kind));
  const variable = (which: keyof typeof CREDENTIAL_VARIABLES): string =>
    shellWord(textIn(options['credentialVariables'], which) ?? CREDENTIAL_VARIABLES[which]);
  const words = ['--base-url', shellWord(target.baseUrl), '--scenario', scenario.id];
  const { apiKeyFile, register, typeMap } = options;
  if (typeof apiKeyFile === 'string') words.push('--api-key-file', shellWord(apiKeyFile));
  if (variable('apiKey') !== CREDENTIAL_VARIABLES.apiKey) words.push('--api-key-env', variable('apiKey'));
  if (typeof register === 'string') words.push('--register', shellWord(register));
  if (typeof typeMap === 'string') words.push('--type-map', shellWord(typeMap));
  if (asks('second-tenant')) words.push('--tenant-b-key-env', variable('tenantBKey'));
  if (asks('limited-credential')) words.push('--limited-key-env', variable('limitedKey'));
  if (asks('blind-credential')) words.push('--blind-key-env', variable('blindKey'));
  if (asks('spans')) words.push('--otel');
  if (asks('witness', 'spans') || scenario.witnessHelps === true) words.push(...witness(options['witnessAddress']));
  if (asks('second-host') && target.baseUrlB !== undefined) {
    words.push('--base-url-b', shellWord(target.baseUrlB), '--api-key-b-env', variable('apiKeyB'));
  }
  return words;
}

/** The variables that hold the credentials where no others were named. */
export const CREDENTIAL_VARIABLES = {
  apiKey: 'OPENWOP_API_KEY',
  tenantBKey: 'OPENWOP_TENANT_B_KEY',
  limitedKey: 'OPENWOP_LIMITED_KEY',
  blindKey: 'OPENWOP_BLIND_KEY',
  apiKeyB: 'OPENWOP_API_KEY_B',
} as const;

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

/** A text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w./:=@-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A header for curl; the credential under test comes from where the run had it. */
function headerWord(name: string, value: string, apiKeyFile: Json | undefined): string {
  if (
    name === 'authorization' &&
    value === `Bearer $${CREDENTIAL_VARIABLES.apiKey}` &&
    typeof apiKeyFile === 'string'
  ) {
    return `"authorization: Bearer $(cat ${shellWord(apiKeyFile)})"`;
  }
  if (name === 'authorization' && NAMED_CREDENTIAL.test(value)) return `"authorization: ${value}"`;
  return shellWord(value === '' ? `${name};` : `${name}: ${value}`);
}

/** What a terminal would obey, hide or, in a shell's history, reinterpret. */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]/u;

/**
 * A body that survives a terminal, or undefined where it was cut, is no UTF-8, or is no JSON and would not survive. In JSON, control
 * characters stand between tokens only and go; all that is not ASCII is written as JSON escapes, since a clipboard may
 * normalise it, so the value stays the same.
 */
function pasteable(body: BodyRecord): string | undefined {
  if (body.truncated || Buffer.byteLength(body.text) !== body.bytes) return undefined;
  if (!isJson(body.text)) return UNSAFE.test(body.text) ? undefined : body.text;
  return body.text
    .replace(/[\t\r\n]+ */gu, '')
    .replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
