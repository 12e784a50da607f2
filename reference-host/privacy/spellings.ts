import type { SpellingKind } from '../policies/governance.ts';
export interface Spelling {
  readonly kind: SpellingKind;
  readonly text: string;
}

/** Spellings in which the case of letters says nothing. */
export const ANY_CASE: readonly SpellingKind[] = ['percent', 'hex'];

/** Every text by which a secret can be told inside another one. A spelling that is the secret itself counts as plain. */
export function spellingsOf(secret: string): readonly Spelling[] {
  const escaped = jsonEscapes(secret);
  const written = [secret, ...escaped];
  const all: Spelling[] = [
    { kind: 'plain', text: secret },
    ...escaped.map((text) => ({ kind: 'json', text }) as const),
    ...written.flatMap(base64).map((text) => ({ kind: 'base64', text }) as const),
    ...written.flatMap(percent).map((text) => ({ kind: 'percent', text }) as const),
    ...written.map((text) => ({ kind: 'hex', text: bytes(text).toString('hex') }) as const),
  ];
  return [...new Map(all.toReversed().map((each) => [each.text, each])).values()].toReversed();
}

function bytes(text: string): Buffer {
  return Buffer.from(text, 'utf8');
}

/** Inside JSON text, and inside JSON text that stands in JSON text; with a slash or anything but ASCII escaped, or not. */
function jsonEscapes(text: string): string[] {
  const once = inJson(text);
  const forms = [once, once.replaceAll('/', String.raw`\/`), asciiOnly(once), inJson(once), inJson(asciiOnly(once))];
  return [...new Set(forms)].filter((form) => form !== text);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function asciiOnly(text: string): string {
  return [...text.matchAll(/[\s\S]/g)]
    .map(([unit]) => (unit < '\u0080' ? unit : String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`))
    .join('');
}

/**
 * The whole text in base64, and what of it does not depend on its neighbours when it stands at each of the three places
 * within a group of three bytes; in both alphabets.
 */
function base64(text: string): string[] {
  const content = bytes(text);
  const aligned = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), content])
      .toString('base64')
      .replace(/=+$/, '');
    const isCut = (offset + content.length) % 3 !== 0;
    return encoded.slice(offset === 0 ? 0 : offset + 1, isCut ? -1 : undefined);
  });
  const forms = [content.toString('base64'), content.toString('base64').replace(/=+$/, ''), ...aligned];
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

/** As in a path or a query, as in a form, and with every byte written out. */
function percent(text: string): string[] {
  const encoded = encodeURIComponent(text.toWellFormed());
  const strict = encoded.replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const every = bytes(text).toString('hex').replaceAll(/../g, '%$&');
  return [encoded, strict, encoded.replaceAll('%20', '+'), every];
}
