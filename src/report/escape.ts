import { cut } from '../evidence/cut.ts';

/** What a terminal obeys or hides: controls, bidirectional overrides, invisible characters, tags, lone surrogates, the blank of braille. */
const UNSEEN = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`;

/**
 * Where a pipeline's command may begin: `::name::` of GitHub, `##[name]` and `##vso[…]` of Azure, `##teamcity[…]`. Two
 * colons of an IPv6 address in a URL are left alone, so that a command with one can be pasted.
 */
const COMMAND = String.raw`(?<!\/\/\[[\d.A-Fa-f:]{0,38})::|::(?![\d.A-Fa-f:]{0,38}\])|##(?=[\w.-]*\[)`;

const UNSAFE = new RegExp(`${UNSEEN}|${COMMAND}`, 'gu');

/**
 * Makes a host's text safe to print on one line: what a terminal would hide or obey is shown as `\u{…}`, and so is the
 * second character of what a pipeline's runner would take for a command. What is safe already stays as it is.
 */
export function escapeTerminal(text: string): string {
  return text.replace(UNSAFE, (found) =>
    found === '::' || found === '##' ? found.charAt(0) + visible(found.charAt(1)) : visible(found),
  );
}

function visible(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const HIDDEN = new RegExp(UNSEEN, 'gu');

/** Shows what a page would hide or obey as `\u{…}`: for HTML, whose renderer escapes the markup. */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, visible);
}

const COLOUR = /(\u001b\[\d+(?:;\d+)*m)/u;

/**
 * Makes a whole page safe to print: its lines and the colours that a renderer gave them stay, all else is escaped. A
 * renderer has to escape the host's texts itself, before it puts them into lines.
 */
export function escapePage(page: string): string {
  return page
    .split('\n')
    .map((line) =>
      line
        .split(COLOUR)
        .map((part, index) => (index % 2 === 1 ? part : escapeTerminal(part)))
        .join(''),
    )
    .join('\n');
}

/** The same as `escapeTerminal`, cut to `limit` characters with the number of those left out. */
export function excerpt(text: string, limit: number): string {
  const first = cut(text, limit);
  const safe = escapeTerminal(first);
  if (safe.length <= limit && first.length === text.length) return safe;
  const kept = cut(safe, limit);
  return `${kept}… (${safe.length - kept.length + text.length - first.length} more characters)`;
}

/** A fact of a check, as an excerpt; a command, which has to be pasted, whole. */
export function factText(name: string, text: string, limit: number): string {
  return excerpt(text, name === 'reproduce' ? Infinity : limit);
}

/** What JSON and XML may hold as it is, but a terminal or a runner that is shown such a file would hide or obey. */
const UNSAFE_IN_FILES = new RegExp(String.raw`(?![\t\n\r])${UNSEEN}|(?<=:):|(?<=#)#(?=[\w.-]*\[)`, 'gu');

/** The same JSON document with every character that a terminal or a runner would obey or hide written as an escape. */
export function escapeJson(json: string): string {
  return json.replace(UNSAFE_IN_FILES, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/**
 * Escapes a text for XML 1.0 content and attributes; characters that XML cannot hold become U+FFFD, those that a
 * terminal or a runner would obey or hide become references.
 */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"']/gu, (character) => XML_ENTITIES[character] ?? character)
    .replace(UNSAFE_IN_FILES, (character) => `&#${character.codePointAt(0) ?? 0};`)
    .replace(/[\t\n\r]/gu, (character) => XML_ENTITIES[character] ?? character);
}
