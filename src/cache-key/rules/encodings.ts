import { createHash, getHashes } from 'node:crypto';
import { BREAKS, finishing, replacing, rule, type Hints, type Rule, type Variant } from './rule.ts';

function encoded(label: string, change: (key: string, digest: Buffer) => string): Variant {
  return {
    label,
    apply: (steps) => ({ ...steps, encode: (digest) => change(steps.encode(digest), digest) }),
  };
}

function unpadded(text: string): string {
  return text.replace(/=+$/, '');
}

function lengths({ key }: Pick<Hints, 'key'>): readonly number[] {
  return key.length >= 8 && key.length < 64 ? [key.length] : [];
}

const longestPrefix = 40;

const longestDigest = 64;

/** What stands before the digest; undefined where nothing does, or no digest is to be found. */
function prefixOf(key: string): string | undefined {
  if (key.length > longestPrefix + longestDigest || /^[0-9a-fA-F]{64}$/.test(key)) return undefined;
  return /^(.+?)([0-9a-fA-F]{64}|[0-9a-fA-F]{40}|[A-Za-z0-9+/_-]{43}=?)$/s.exec(key)?.[1];
}

function prefixes({ key }: Hints): readonly Variant[] {
  const found = prefixOf(key);
  return found === undefined ? [] : [encoded(JSON.stringify(found), (text) => found + text)];
}

/** All that the rules read of a key: of keys with the same form they have the same variants. */
export function formOf(hints: Pick<Hints, 'key'>): string {
  return JSON.stringify([lengths(hints), prefixOf(hints.key)]);
}

const available: ReadonlySet<string> = new Set(getHashes().map((name) => name.toLowerCase()));

function hashes(): readonly Variant[] {
  return ['sha1', 'md5', 'sha512', 'sha384', 'sha224', 'sha512-256', 'sha3-256', 'blake2s256', 'blake2b512']
    .filter((name) => available.has(name))
    .map((name) => replacing(name, { hash: (bytes) => createHash(name).update(bytes).digest() }));
}

function twice(label: string, form: (digest: Buffer) => Buffer | string): Variant {
  return {
    label,
    apply: (steps) => ({ ...steps, hash: (bytes) => steps.hash(form(steps.hash(bytes))) }),
  };
}

function layout(label: string, comma: string, colon: string, indent: number): Variant {
  return replacing(label, { layout: { comma, colon, indent } });
}

/** Rules about the text as a whole, before it is hashed. */
export const textRules: readonly Rule[] = [
  rule('whitespace', 'the hashed text holds white space between its tokens', BREAKS.nothing, [
    layout('after commas and colons', ', ', ': ', 0),
    layout('after colons', ',', ': ', 0),
    layout('after commas', ', ', ':', 0),
    layout('lines indented by 2', ',', ': ', 2),
    layout('lines indented by 4', ',', ': ', 4),
  ]),
  rule('trailing-newline', 'the hashed text has an end that does not belong to it', BREAKS.nothing, [
    finishing('a line feed after the hashed text', (text) => text + '\n'),
    finishing('a carriage return and a line feed after the hashed text', (text) => text + '\r\n'),
    finishing('a zero character after the hashed text', (text) => text + '\0'),
    finishing('a space after the hashed text', (text) => text + ' '),
  ]),
];

const upperCase = rule('uppercase-hex', 'the digest is written in upper-case hexadecimal', BREAKS.hex, [
  encoded('', (key) => key.toUpperCase()),
]);

/** What is said of keys some of whose letters alone are in upper case: no rule tells which ones. */
export const partlyUpperCase = {
  codes: [upperCase.code],
  message: `${upperCase.message}: in part`,
  breaks: upperCase.breaks,
};

/** Rules about how the digest is made and written. */
export const keyRules: readonly Rule[] = [
  rule('other-hash', 'the text is not hashed with SHA-256 once', BREAKS.nothing, [
    ...hashes(),
    replacing('the first half of sha512', {
      hash: (bytes) => createHash('sha512').update(bytes).digest().subarray(0, 32),
    }),
    twice('but twice, the second time over the digest', (digest) => digest),
    twice('but twice, the second time over the hexadecimal digest', (digest) => digest.toString('hex')),
  ]),
  upperCase,
  rule('base64', 'the digest is written in base64', BREAKS.hex, [
    encoded('', (_, digest) => digest.toString('base64')),
    encoded('without padding', (_, digest) => unpadded(digest.toString('base64'))),
    encoded('with the alphabet for URLs', (_, digest) => digest.toString('base64url')),
    encoded('with the alphabet for URLs and padding', (_, digest) => `${digest.toString('base64url')}=`),
    encoded('of its hexadecimal form', (key) => Buffer.from(key).toString('base64')),
  ]),
  rule('zeros-dropped', 'zeros of the hexadecimal digest are not written', BREAKS.hex, [
    encoded('those that it begins with', (key) => key.replace(/^0+/u, '')),
    encoded('the first one of each byte', (_, digest) => Array.from(digest, (byte) => byte.toString(16)).join('')),
  ]),
  {
    code: 'truncated',
    message: 'only a part of the digest is kept',
    breaks: BREAKS.hex,
    variants: (hints) =>
      lengths(hints).flatMap((length) => [
        encoded(`the first ${length} characters`, (key) => key.slice(0, length)),
        encoded(`the last ${length} characters`, (key) => key.slice(-length)),
      ]),
  },
  rule('trailing-newline', 'a line end stands after the key', BREAKS.hex, [
    encoded('a line feed', (key) => `${key}\n`),
    encoded('a carriage return and a line feed', (key) => `${key}\r\n`),
  ]),
  { code: 'algorithm-prefix', message: 'something stands before the digest', breaks: BREAKS.hex, variants: prefixes },
];

const MOST_CHARACTERS = 256;

/**
 * Whether a wrong rule could give this key at all: digests of any known hash in hexadecimal or base64, whole or cut to no less
 * than eight characters, with something before them or a line end after them (rules/encodings.ts).
 */
export function isPossibleKey(key: string): boolean {
  return key.length <= MOST_CHARACTERS && /[A-Za-z0-9+/_-]{8}=*(?:\r?\n)?$/u.test(key);
}
