import type { Json } from './types.ts';

/** Replaces every occurrence of a credential in a text. */
export type Redactor = (text: string) => string;

const MARK = '[redacted]';
const CREDENTIAL_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
]);
/** Shorter secrets are only replaced as whole words: as substrings they would hit ordinary text. */
const SUBSTRING_LENGTH = 8;

/**
 * Makes the redactor for a run's credentials. Each is found as it is, JSON-escaped, percent-encoded and in base64 and
 * base64url, so that a host which echoes a credential in another spelling does not carry it into evidence.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const patterns = [...new Set(secrets)].filter((secret) => secret !== '').flatMap(spellings);
  if (patterns.length === 0) return (text) => text;
  const expression = new RegExp(patterns.toSorted((a, b) => b.length - a.length).join('|'), 'gu');
  return (text) => text.replace(expression, MARK);
}

function spellings(secret: string): string[] {
  const forms = new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ]);
  return [...forms].map((form) => {
    const escaped = form.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
    return form.length >= SUBSTRING_LENGTH ? escaped : `(?<![\\w-])${escaped}(?![\\w-])`;
  });
}

/** A credential header that names an environment variable instead of a value. */
const NAMED_CREDENTIAL = /^Bearer \$[A-Za-z_]\w*$/u;

/** Redacts headers: credential headers lose their whole value unless it is a variable's name, all others are searched. Names come out in lower case. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redact: Redactor,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lower = name.toLowerCase();
      const hidden = CREDENTIAL_HEADERS.has(lower) && !NAMED_CREDENTIAL.test(value);
      return [lower, hidden ? MARK : redact(value)];
    }),
  );
}

/**
 * Redacts every string and key of a JSON value, but keeps strings in a member called `request`: they are the harness's
 * own material, and a key is recomputed from their exact bytes.
 */
export function redactJson(value: Json, redact: Redactor): Json {
  if (typeof value === 'string') return redact(value);
  if (value === null || typeof value !== 'object') return value;
  if (isArray(value)) return value.map((item) => redactJson(item, redact));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) =>
      key === 'request' && typeof item === 'string' ? [key, item] : [redact(key), redactJson(item, redact)],
    ),
  );
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
