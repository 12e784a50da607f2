import type { BodyRecord, ExchangeRecord, RunRecord } from '../evidence/types.ts';
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
export function curlCommand(exchange: ExchangeRecord): string | undefined {
  const { request } = exchange;
  const body = request.body === undefined ? '' : pasteable(request.body);
  if (body === undefined) return undefined;
  const words = ['curl', '-sS', '-i', '-X', request.method, shellWord(request.url)];
  for (const [name, value] of Object.entries(request.headers)) {
    if (!LEFT_OUT.has(name)) words.push('-H', headerWord(name, value));
  }
  if (request.body !== undefined) words.push('--data-raw', shellWord(body));
  return words.join(' ');
}

/** One command that drives a scenario again with the options of a recorded run. */
export function scenarioCommand(scenario: Scenario, { target, options }: RunRecord): string {
  const words = ['openwop-conformance', '--base-url', shellWord(target.baseUrl), '--scenario', scenario.id];
  for (const need of scenario.needs) words.push(...(FLAGS[need.kind] ?? []));
  if (scenario.needs.some(({ kind }) => kind === 'second-host')) words.push(...secondHost(target.baseUrlB));
  for (const name of ['seed', 'vectors', 'forks', 'recipe']) {
    const value = options[name];
    if (typeof value === 'string' || typeof value === 'number') words.push(`--${name}`, shellWord(String(value)));
  }
  if (scenario.needs.some(({ kind }) => kind === 'crash')) words.push(...crashes(options));
  const { volatile } = options;
  const declared = Array.isArray(volatile) ? volatile.filter((each) => typeof each === 'string') : [];
  return [...words, ...declared.flatMap((pointer) => ['--volatile', shellWord(pointer)])].join(' ');
}

/** What a scenario needs from the command line, by its needs. */
const FLAGS: Readonly<Partial<Record<Need['kind'], readonly string[]>>> = {
  'second-tenant': ['--tenant-b-key-env', 'OPENWOP_TENANT_B_KEY'],
  'limited-credential': ['--limited-key-env', 'OPENWOP_LIMITED_KEY'],
  spans: ['--otel'],
};

function secondHost(baseUrl: string | undefined): readonly string[] {
  return baseUrl === undefined ? [] : ['--base-url-b', shellWord(baseUrl), '--api-key-b-env', 'OPENWOP_API_KEY_B'];
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

function headerWord(name: string, value: string): string {
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
