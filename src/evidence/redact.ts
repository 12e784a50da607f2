import { createNeedles, joined, PIECE } from './needles.ts';
import { plainText, withoutEscapes, type PlainText, type Span } from './plain-text.ts';
import type { Json } from './types.ts';

/**
 * Replaces every occurrence of a credential in a text. A text that was `cut` may begin or end with a part of one; in
 * `pieces` of other texts, such as a parser's message, a part may stand anywhere.
 */
export type Redactor = (text: string, kind?: 'cut' | 'pieces') => string;

export const MARK = '[redacted]';
const CREDENTIAL_HEADERS = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-access-token',
]);

/**
 * Whether a credential is a short plain word (`key`, `test`). Such a one is removed from credential headers only: searched
 * for everywhere it would deface the evidence that verdicts are made from.
 */
export function isOrdinaryWord(secret: string): boolean {
  return secret.length < PIECE && /^[A-Za-z]*$/u.test(secret);
}

/** Escapes may be escaped in another manner: a URL in JSON in HTML, with colours in it. */
const MOST_LAYERS = 4;
/** What may stand behind a part of a credential at a cut: half of the next character's escape, or a sign that it was cut. */
const HALF_ESCAPE = /^(?:u\{?[\da-f]{0,6}|x[\da-f]?|[0-7]{1,2}|%(?:25)?[\da-f]?|&(?:amp;)?#?[\da-z]{0,8}|…|\.\.\.)?$/u;
const LONGEST_HALF = 14;

/**
 * Makes the redactor for a run's credentials. Each is found in either case, with any of its characters escaped (JSON,
 * URL, HTML; see `plainText`) or characters between them that nobody sees, and in hexadecimal, base64 and base64url, alone
 * or inside a longer encoded text (`Bearer …`), so that a host which echoes a credential in another spelling does not carry
 * it into evidence. Takes time that grows with the text's length only.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const forms = [...new Set([...new Set(secrets)].filter((secret) => !isOrdinaryWord(secret)).flatMap(spellings))];
  if (forms.length === 0) return (text) => text;
  const needles = createNeedles(forms.filter(({ length }) => length >= PIECE));
  const words = wordSearch(forms.filter(({ length }) => length < PIECE));
  const find = (text: string, kind: 'cut' | 'pieces' | undefined): readonly Span[] => [
    ...needles.in(text),
    ...words(text),
    ...(kind === 'pieces' ? needles.piecesIn(text, 0, text.length) : []),
    ...(kind === 'cut' ? edges(text) : []),
  ];
  // Most texts neither begin nor end with a piece: only where one does, the whole of it is looked for.
  const atStart = (text: string): readonly Span[] =>
    needles.piecesIn(text, 0, PIECE).length === 0
      ? []
      : needles.piecesIn(text, 0, needles.longest).filter(({ start }) => start === 0);
  const atEnd = (text: string): readonly Span[] =>
    needles.piecesIn(text, text.length - LONGEST_HALF - PIECE, text.length).length === 0
      ? []
      : needles
          .piecesIn(text, text.length - needles.longest - LONGEST_HALF, text.length)
          .filter(({ end }) => end >= text.length - LONGEST_HALF && HALF_ESCAPE.test(text.slice(end)))
          .map(({ start }) => ({ start, end: text.length }));
  const edges = (text: string): readonly Span[] => [...atStart(text), ...atEnd(text)];
  const search: Redactor = (text, kind) => {
    let layer: string | undefined = folded(text);
    for (let depth = 0; depth <= MOST_LAYERS && layer !== undefined; depth += 1) {
      if (find(layer, kind).length > 0) return replaced(text, (each) => find(each, kind));
      const plain = withoutEscapes(layer);
      layer = plain === undefined ? undefined : folded(plain);
    }
    return text;
  };
  return remembering(search);
}

/** Characters of a text up to which it is worth remembering: names of headers and members, their usual values. */
const SHORT = 64;
const REMEMBERED = 4096;

/** The same, for which most short texts are old acquaintances: those in which nothing was found are not searched again. */
function remembering(search: Redactor): Redactor {
  const clean = new Set<string>();
  return (text, kind) => {
    if (kind !== undefined || text.length > SHORT) return search(text, kind);
    if (clean.has(text)) return text;
    const found = search(text);
    if (found !== text) return found;
    if (clean.size >= REMEMBERED) clean.clear();
    clean.add(text);
    return text;
  };
}

const inPlace: PlainText['back'] = (span) => span;

/** The text with everything replaced that is found in it, in it without its escapes, and so on. */
function replaced(text: string, find: (text: string) => readonly Span[]): string {
  const spans: Span[] = [];
  let layer = folded(text);
  let back: PlainText['back'] = inPlace;
  for (let depth = 0; depth <= MOST_LAYERS; depth += 1) {
    for (const span of joined(find(layer))) spans.push(back(span));
    if (withoutEscapes(layer) === undefined) break;
    const [plain, outer] = [plainText(layer), back];
    back = (span) => outer(plain.back(span));
    layer = folded(plain.text);
  }
  if (spans.length === 0) return MARK;
  const parts: string[] = [];
  let kept = 0;
  for (const { start, end } of joined(spans)) {
    parts.push(text.slice(kept, start), MARK);
    kept = end;
  }
  return parts.join('') + text.slice(kept);
}

/** In lower case, each character where it stood. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replaceAll('\u0130', 'i').toLowerCase();
}

/** Shorter secrets are only found as whole words: as substrings they would hit ordinary text. */
function wordSearch(words: readonly string[]): (text: string) => readonly Span[] {
  if (words.length === 0) return () => [];
  const literal = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`));
  const expression = new RegExp(`(?<![\\w-])(?:${literal.join('|')})(?![\\w-])`, 'gu');
  return (text) =>
    Array.from(text.matchAll(expression), ({ index, 0: word }) => ({ start: index, end: index + word.length }));
}

/** What a credential may be written as when escapes are read and all is in lower case. */
function spellings(secret: string): string[] {
  const swapped = Array.from(secret, (unit) => (unit === unit.toLowerCase() ? unit.toUpperCase() : unit.toLowerCase()));
  const inAnyCase = [secret, secret.toLowerCase(), secret.toUpperCase(), swapped.join('')];
  const plain = withoutEscapes(secret) ?? secret;
  return [
    secret,
    ...(plain.length >= PIECE ? [plain] : []),
    ...(Buffer.byteLength(secret) > secret.length ? [Buffer.from(secret).toString('latin1')] : []),
    ...inAnyCase.flatMap((each) => encodings(Buffer.from(each))),
  ].map(folded);
}

function encodings(bytes: Buffer): string[] {
  return [
    bytes.toString('base64'),
    bytes.toString('base64url'),
    ...(bytes.length < PIECE ? [] : [bytes.toString('hex')]),
    ...[0, 1, 2].flatMap((at) => cores(bytes, at)),
  ];
}

/** What is the same in every base64 text that holds these bytes at a position that leaves `at` when divided by three. */
function cores(bytes: Buffer, at: number): string[] {
  const padded = Buffer.concat([Buffer.alloc(at), bytes]);
  const [first, end] = [Math.ceil((at * 8) / 6), Math.floor((padded.length * 8) / 6)];
  return (['base64', 'base64url'] as const)
    .map((encoding) => padded.toString(encoding).slice(first, end))
    .filter((core) => core.length >= PIECE);
}

/** A credential header that names an environment variable instead of a value. */
export const NAMED_CREDENTIAL = /^Bearer \$[A-Za-z_]\w*$/u;

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

/** What a drive cuts it keeps at least so much of: a shorter text is whole, and a part of a credential in it an accident. */
const SHORTEST_CUT = 64;

/** Redacts every string and every key of a JSON value; a long string may have been cut. What is clean stays the same value. */
export function redactJson(value: Json, redact: Redactor): Json {
  if (typeof value === 'string') return value.length < SHORTEST_CUT ? redact(value) : redact(value, 'cut');
  if (value === null || typeof value !== 'object') return value;
  return isArray(value) ? redactItems(value, redact) : redactMembers(value, redact);
}

function redactItems(items: readonly Json[], redact: Redactor): readonly Json[] {
  let changed: Json[] | undefined;
  for (const [index, item] of items.entries()) {
    const safe = redactJson(item, redact);
    if (safe !== item) (changed ??= [...items])[index] = safe;
  }
  return changed ?? items;
}

function redactMembers(members: { readonly [key: string]: Json }, redact: Redactor): { readonly [key: string]: Json } {
  let changed: (readonly [key: string, value: Json])[] | undefined;
  for (const [index, key] of Object.keys(members).entries()) {
    const value = members[key] ?? null;
    const [safeKey, safe] = [redact(key), redactJson(value, redact)];
    if (changed === undefined && (safeKey !== key || safe !== value)) changed = Object.entries(members).slice(0, index);
    changed?.push([safeKey, safe]);
  }
  return changed === undefined ? members : Object.fromEntries(changed);
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
