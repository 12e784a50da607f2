/** Control characters, bidirectional overrides, invisible formatting and lone surrogates: what a terminal would obey. */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Makes a host's text safe to print on one line: what a terminal would obey is shown as `\u{…}`. */
export function escapeTerminal(text: string): string {
  return text.replace(UNSAFE, (unit) => `\\u{${unit.charCodeAt(0).toString(16)}}`);
}

/** The same, cut to `limit` characters with the number of those left out. */
export function excerpt(text: string, limit: number): string {
  const safe = escapeTerminal(text);
  if (safe.length <= limit) return safe;
  const kept = safe.slice(0, limit).replace(/[\ud800-\udbff]$/u, '');
  return `${kept}… (${safe.length - kept.length} more characters)`;
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

/** What XML and JSON may hold as it is, but a terminal that shows such a file would obey or hide. */
const UNSEEN = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** The same JSON document with every character that a terminal would obey or hide written as an escape. */
export function escapeJson(json: string): string {
  return json.replace(UNSEEN, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Escapes a text for XML 1.0 content and attributes; characters that XML cannot hold become U+FFFD, those that a
 * terminal would obey or hide become references.
 */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_XML, '\ufffd')
    .replace(/[&<>"'\t\n\r]/gu, (character) => XML_ENTITIES[character] ?? character)
    .replace(UNSEEN, (unit) => `&#${unit.charCodeAt(0)};`);
}
