/** A part of a text, `[start, end)` in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text with its escapes read; `back` says where a part of it stands in the text that it was made from. */
export interface PlainText {
  readonly text: string;
  back(span: Span): Span;
}

/** What a terminal obeys and does not show, such as a colour; else a character that nobody sees. */
const HIDDEN = String.raw`(?:(?:\u001b\[|\u009b)(?:[\d;:?]+[A-Za-z]|m)|[\p{Cc}\p{Default_Ignorable_Code_Point}])+`;
/** The soft line break of a mail, whose line end may be escaped itself. */
const SOFT = String.raw`=(?:\r|\\+(?:r|u000[dD]))?(?:\n|\\+(?:n|u000[aA]))`;
const CODED = [
  SOFT,
  String.raw`\\+(?:[uU](?:0{4})?[\dA-Fa-f]{4}|u\{0*[\dA-Fa-f]{1,6}\}|x[\dA-Fa-f]{2}|[0-3][0-7]{2}|[0-7]{1,2}|[bfnrtv])?`,
  String.raw`%(?:25)*(?:u[\dA-Fa-f]{4}|[\dA-Fa-f]{2})?`,
  String.raw`=(?:[\dA-Fa-f]{2})?`,
  String.raw`&(?:amp;)*(?:#0*\d{1,7}(?:;|(?!\d))|#[xX]0*[\dA-Fa-f]{1,6}(?:;|(?![\dA-Fa-f]))|[A-Za-z]{2,8};)?`,
].join('|');

/**
 * An escape of JSON, JavaScript, a URL, HTML or a mail (quoted-printable), however often it was itself escaped, or characters that nobody sees. At
 * each of the characters that one begins with it matches something, so that no text is looked through twice.
 */
const ESCAPE = new RegExp(`${CODED}|${HIDDEN}`, 'gu');
/** Escapes that stand for a character. */
const CODES = new RegExp(CODED, 'gu');
/** What goes without anything in its place, the backslash of `\"` too: with nothing to compute that is quick. */
const SILENT = new RegExp(String.raw`${SOFT}|\\+(?:[bfnrtv]|(?![uUx0-7]))|${HIDDEN}`, 'gu');
const MAY_HOLD_ESCAPES = /[\\%&=\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

const LARGEST_CODE_POINT = 0x10ffff;

/** The characters between space and tilde that HTML has names for. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ['excl', '!'],
  ['quot', '"'],
  ['num', '#'],
  ['dollar', '$'],
  ['percnt', '%'],
  ['amp', '&'],
  ['apos', "'"],
  ['lpar', '('],
  ['rpar', ')'],
  ['ast', '*'],
  ['midast', '*'],
  ['plus', '+'],
  ['comma', ','],
  ['period', '.'],
  ['sol', '/'],
  ['colon', ':'],
  ['semi', ';'],
  ['lt', '<'],
  ['equals', '='],
  ['gt', '>'],
  ['quest', '?'],
  ['commat', '@'],
  ['lsqb', '['],
  ['lbrack', '['],
  ['bsol', '\\'],
  ['rsqb', ']'],
  ['rbrack', ']'],
  ['hat', '^'],
  ['lowbar', '_'],
  ['underbar', '_'],
  ['grave', '`'],
  ['lcub', '{'],
  ['lbrace', '{'],
  ['verbar', '|'],
  ['vert', '|'],
  ['rcub', '}'],
  ['rbrace', '}'],
  ['hyphen', '-'],
  ['dash', '-'],
]);

/** The text with its escapes read and what nobody sees left out; undefined where there is nothing of the kind in it. */
export function withoutEscapes(text: string): string | undefined {
  if (!MAY_HOLD_ESCAPES.test(text)) return undefined;
  const heard = text.replace(SILENT, '');
  const plain = /[\\%&=]/u.test(heard) ? replacedInParts(heard) : heard;
  return plain === text ? undefined : plain;
}

/** Matches of one part are held at once: of megabytes full of escapes they would be far larger than the text. */
const PART = 65_536;

function replacedInParts(text: string): string {
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = start + PART < text.length ? cutAfter(text, start + PART) : text.length;
    parts.push(text.slice(start, end).replace(CODES, meant));
    start = end;
  }
  return parts.join('');
}

/** The next place, from here on, at which an escape begins: none goes on behind it. */
function cutAfter(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const unit = text[at];
    if (unit === '%' || unit === '&' || unit === '=' || (unit === '\\' && text[at - 1] !== '\\')) return at;
  }
  return text.length;
}

/** The same, with the way back. Takes longer: it notes every escape. */
export function plainText(text: string): PlainText {
  const parts: string[] = [];
  // Where each literal part or meant character begins: in the plain text, in the source, and where the escape ends.
  const at: number[] = [];
  const from: number[] = [];
  const to: number[] = [];
  let length = 0;
  let read = 0;
  const add = (part: string, start: number, end: number): void => {
    at.push(length);
    from.push(start);
    to.push(end);
    parts.push(part);
    length += part.length;
  };
  for (const match of text.matchAll(ESCAPE)) {
    const [whole] = match;
    if (match.index > read) add(text.slice(read, match.index), read, match.index);
    read = match.index + whole.length;
    const character = meant(whole);
    if (character !== '') add(character, match.index, read);
  }
  if (read < text.length) add(text.slice(read), read, text.length);
  const place = (index: number, last: boolean): number => {
    const found = partAt(at, index);
    const [start, end, begins] = [from[found] ?? 0, to[found] ?? 0, at[found] ?? 0];
    const literal = end - start === (parts[found] ?? '').length;
    return literal ? start + index - begins + (last ? 1 : 0) : last ? end : start;
  };
  return {
    text: parts.join(''),
    back: ({ start, end }) => ({ start: place(start, false), end: place(end - 1, true) }),
  };
}

/** What an escape stands for; '' for what nobody sees. */
function meant(escape: string): string {
  switch (escape.charAt(0)) {
    case '\\':
      return backslashed(escape.slice(escape.lastIndexOf('\\') + 1));
    case '%':
      return escape.length === 1 ? '%' : visible(Number.parseInt(escape.slice(escape.includes('u') ? -4 : -2), 16));
    case '=':
      return escape.length === 1
        ? '='
        : /^=[^\da-f]/iu.test(escape)
          ? ''
          : visible(Number.parseInt(escape.slice(1), 16));
    case '&':
      return referenced(escape.replace(/^&(?:amp;)*/u, ''));
    default:
      return '';
  }
}

/** What stands behind the backslashes, as a character. */
function backslashed(code: string): string {
  const digits = code.replace(/^[uUx]\{?/u, '');
  if (digits === '' || /^[bfnrtv]/u.test(code)) return '';
  return visible(Number.parseInt(digits, digits === code ? 8 : 16));
}

/** What stands behind the ampersand, as a character; an ampersand and what it was where that is no character's name. */
function referenced(name: string): string {
  if (name.startsWith('#')) return visible(Number(name.slice(1).replace(';', '').replace(/^[xX]/u, '0x')));
  return NAMED.get(name.slice(0, -1).toLowerCase()) ?? `&${name}`;
}

function visible(point: number): string {
  if (point > LARGEST_CODE_POINT) return '';
  const character = String.fromCodePoint(point);
  // What a terminal obeys begins so: that goes with the next layer.
  if (character === '\u001b' || character === '\u009b') return character;
  return /[\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(character) ? '' : character;
}

/** The last part that begins at or before the index. */
function partAt(starts: readonly number[], index: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}
