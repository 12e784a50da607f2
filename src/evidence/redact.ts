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
 * Whether a credential is a short plain word (`key`, `test`). Such a one is removed from credential headers only: searched
 * for everywhere it would deface the evidence that verdicts are made from.
 */
export function isOrdinaryWord(secret: string): boolean {
  return secret.length < SUBSTRING_LENGTH && /^[A-Za-z]*$/u.test(secret);
}

/**
 * Makes the redactor for a run's credentials. Each is found as it is, with any of its characters JSON-escaped,
 * percent-encoded or written as a character reference, and in hexadecimal, base64 and base64url, alone or inside a longer
 * encoded text (`Bearer …`), so that a host which echoes a credential in another spelling does not carry it into evidence.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = [...new Set(secrets)].filter((secret) => !isOrdinaryWord(secret)).flatMap(spellings);
  if (forms.length === 0) return (text) => text;
  const longestFirst = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  const expression = new RegExp(longestFirst.map(pattern).join('|'), 'gu');
  const shortest = longestFirst.at(-1)?.length ?? 0;
  const mayHold = (text: string): boolean =>
    text.length >= shortest &&
    (text.includes('%') ||
      text.includes('\\') ||
      text.includes('&#') ||
      longestFirst.some((form) => text.includes(form)));
  return (text) => (mayHold(text) ? text.replace(expression, MARK) : text);
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    bytes.toString('base64'),
    bytes.toString('base64url'),
    ...(secret.length < SUBSTRING_LENGTH ? [] : [bytes.toString('hex'), bytes.toString('hex').toUpperCase()]),
    ...[0, 1, 2].flatMap((at) => cores(bytes, at)),
  ];
}

/** What is the same in every base64 text that holds these bytes at a position that leaves `at` when divided by three. */
function cores(bytes: Buffer, at: number): string[] {
  const padded = Buffer.concat([Buffer.alloc(at), bytes]);
  const [first, end] = [Math.ceil((at * 8) / 6), Math.floor((padded.length * 8) / 6)];
  return (['base64', 'base64url'] as const)
    .map((encoding) => padded.toString(encoding).slice(first, end))
    .filter((core) => core.length >= SUBSTRING_LENGTH);
}

function pattern(form: string): string {
  const units = Array.from(form, unitPattern).join('');
  return form.length >= SUBSTRING_LENGTH ? units : `(?<![\\w-])${units}(?![\\w-])`;
}

/**
 * One character as itself, behind a backslash, as a JSON escape, as percent-encoded UTF-8 or as a character
 * reference, in either case.
 */
function unitPattern(character: string): string {
  const literal = character.replace(/[\\^$.*+?()[\]{}|/]/u, String.raw`\$&`);
  const json = Array.from({ length: character.length }, (_, at) =>
    character.charCodeAt(at).toString(16).padStart(4, '0'),
  );
  const percent = Array.from(Buffer.from(character), (byte) => byte.toString(16).padStart(2, '0'));
  const point = character.codePointAt(0) ?? 0;
  const entity = `&#(?:0*${point}|[xX]0*${hex('', [point.toString(16)])});`;
  const short = /["\\/]/u.test(character) ? [`\\\\${literal}`] : [];
  return `(?:${[...short, literal, hex(String.raw`\\u`, json), hex('%', percent), entity].join('|')})`;
}

function hex(mark: string, groups: readonly string[]): string {
  return groups.map((group) => mark + group.replace(/[a-f]/gu, eitherCase)).join('');
}

function eitherCase(digit: string): string {
  return `[${digit}${digit.toUpperCase()}]`;
}

/** A credential header that names an environment variable instead of a value. */
const NAMED_CREDENTIAL = /^Bearer \$[A-Za-z_]\w*$/u;

/**
 * Redacts headers: credential headers lose their whole value unless it is a variable's name, all others are searched,
 * names too. Names come out in lower case.
 */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redact: Redactor,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lower = name.toLowerCase();
      const hidden = CREDENTIAL_HEADERS.has(lower) && !NAMED_CREDENTIAL.test(value);
      return [redact(lower), hidden ? MARK : redact(value)];
    }),
  );
}

/** Redacts every string and every key of a JSON value. */
export function redactJson(value: Json, redact: Redactor): Json {
  if (typeof value === 'string') return redact(value);
  if (value === null || typeof value !== 'object') return value;
  if (isArray(value)) return value.map((item) => redactJson(item, redact));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [redact(key), redactJson(item, redact)]));
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
