import { NAMED_CREDENTIAL } from './redact.ts';
import type { BodyRecord, ExchangeRecord, Json, RunRecord } from './types.ts';

/** The variables that hold the credentials where no others were named. */
export const CREDENTIAL_VARIABLES = {
  apiKey: 'OPENWOP_API_KEY',
  tenantBKey: 'OPENWOP_TENANT_B_KEY',
  limitedKey: 'OPENWOP_LIMITED_KEY',
  blindKey: 'OPENWOP_BLIND_KEY',
  apiKeyB: 'OPENWOP_API_KEY_B',
} as const;

/** Request headers that curl sends by itself or that only serve the harness. */
const LEFT_OUT = new Set(['accept-encoding', 'user-agent', 'content-length', 'connection']);

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
  // Nothing else may stand unquoted for the shell to expand.
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
