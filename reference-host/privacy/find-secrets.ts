import { isObject, parseJson, stringMember, type JsonObject } from '../json.ts';

const SENSITIVE =
  /(?:password|passwd|passphrase|secret|token|apikey|authorization|privatekey|accesskey|secretkey|signingkey|encryptionkey|credential|cookie)s?$/;

/** The name of a member as the list compares it: case and separators do not matter. */
function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Whether what a member of this name holds is a secret, such as `apiKey`, `db_password` or `X-Auth-Token`. */
export function isSensitiveName(name: string): boolean {
  return SENSITIVE.test(bare(name));
}

/** Whether only text under the name is a secret: an object there has names of its own, and a number counts something. */
function holdsOnlyText(name: string): boolean {
  return /(?:credentials?|s)$/.test(bare(name));
}

/** What stands in the place of a secret. */
export const REDACTED = '[REDACTED]';

/** What stands in the place of deleted data. */
export const DELETED = '[DELETED]';

/**
 * The texts of all secrets in a value: what members with a sensitive name hold, in JSON inside texts as well. A variable or
 * channel with such a name counts as such a member.
 */
export function* secretsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* inText(value);
  else if (Array.isArray(value)) for (const each of value) yield* secretsIn(each);
  else if (isObject(value)) {
    for (const [name, held] of Object.entries(value)) {
      const sensitive = sensitiveName(value, name);
      if (sensitive !== undefined) yield* textsOf(held, holdsOnlyText(sensitive));
      yield* secretsIn(held);
    }
  }
}

/** The sensitive name of what an object's member holds, if it has one; that of `value` is the text beside it in `name`. */
export function sensitiveName(object: JsonObject, memberName: string): string | undefined {
  const name = memberName === 'value' ? (stringMember(object, 'name') ?? memberName) : memberName;
  return isSensitiveName(name) ? name : undefined;
}

function* textsOf(held: unknown, onlyText: boolean): Generator<string> {
  if (typeof held === 'string') yield* textAndToken(held);
  else if (typeof held === 'number' && !onlyText) yield String(held);
  else if (Array.isArray(held)) for (const each of held) yield* textsOf(each, onlyText);
  else if (isObject(held) && !onlyText) for (const each of Object.values(held)) yield* textsOf(each, false);
}

/** What follows the scheme of an Authorization header is a secret of its own. */
function* textAndToken(text: string): Generator<string> {
  if (text === '' || text === REDACTED || text === DELETED) return;
  yield text;
  const token = /^(?:Bearer|Basic|Digest|Token) +(\S.*)$/i.exec(text)?.[1];
  if (token !== undefined) yield token;
}

const PAIR = /"((?:[^"\\]|\\.){1,64})"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)/g;

/** JSON as a whole text, or single members of JSON within one. */
function* inText(text: string): Generator<string> {
  if (!text.includes('"')) return;
  const reading = /^\s*[[{"]/.test(text) ? parseJson(text) : undefined;
  if (reading?.ok === true) return yield* secretsIn(reading.value);
  for (const [, name = '', written = ''] of text.matchAll(PAIR)) {
    const held = isSensitiveName(name) ? parseJson(written) : undefined;
    if (held?.ok === true) yield* textsOf(held.value, holdsOnlyText(name));
  }
}
