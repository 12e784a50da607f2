/** An element's start tag, or its end tag, which has no attributes. */
export interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: ReadonlyMap<string, string>;
}

/** What an HTML document says without any script: its tags in order, and its text without them. */
export interface Markup {
  readonly tags: readonly Tag[];
  readonly text: string;
  readonly hasScript: boolean;
}

/** Characters of a document that are read, and tags. */
const MOST_CHARACTERS = 2_000_000;
const MOST_TAGS = 100_000;
const ATTRIBUTE = /[\s/]*([^\s=>/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?|[\s/"']+/y;
/** Elements whose content is no markup, and says nothing to a reader. */
const OPAQUE = new Set(['script', 'style', 'template']);

/** Reads HTML as a reader without scripts has it, in one pass: no tree is made, and nothing that is wrong with it matters. */
export function readMarkup(html: string): Markup {
  const source = html.slice(0, MOST_CHARACTERS);
  const lower = source.toLowerCase();
  const tags: Tag[] = [];
  const texts: string[] = [];
  let hasScript = false;
  let at = 0;
  while (at < source.length && tags.length < MOST_TAGS) {
    const next = source.indexOf('<', at);
    texts.push(source.slice(at, next === -1 ? undefined : next));
    if (next === -1) break;
    if (source.startsWith('<!--', next)) {
      at = behind(source, '-->', next);
      continue;
    }
    const name = /^<(\/?)([a-zA-Z][^\s/>]*)/.exec(source.slice(next, next + 60));
    if (name === null) {
      texts.push(source.startsWith('<!', next) ? '' : '<');
      at = source.startsWith('<!', next) ? behind(source, '>', next) : next + 1;
      continue;
    }
    const read = readTag(source, next + name[0].length, {
      name: (name[2] ?? '').toLowerCase(),
      isEnd: name[1] === '/',
    });
    tags.push(read.tag);
    at = read.end;
    if (read.tag.isEnd || !OPAQUE.has(read.tag.name)) continue;
    hasScript ||= read.tag.name === 'script';
    const end = lower.indexOf(`</${read.tag.name}`, at);
    at = end === -1 ? source.length : end;
  }
  return { tags, text: decodeEntities(texts.join('')), hasScript };
}

/** The place behind the next occurrence of a text; the end where there is none. */
function behind(source: string, text: string, from: number): number {
  const found = source.indexOf(text, from);
  return found === -1 ? source.length : found + text.length;
}

function readTag(
  source: string,
  from: number,
  { name, isEnd }: Pick<Tag, 'name' | 'isEnd'>,
): { readonly tag: Tag; readonly end: number } {
  const attributes = new Map<string, string>();
  let at = from;
  while (at < source.length && source.charAt(at) !== '>') {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(source);
    at = found === null ? at + 1 : ATTRIBUTE.lastIndex;
    const [, attribute, double, single, bare] = found ?? [];
    if (attribute === undefined || attributes.has(attribute.toLowerCase())) continue;
    attributes.set(attribute.toLowerCase(), decodeEntities(double ?? single ?? bare ?? ''));
  }
  return { tag: { name, isEnd, attributes }, end: at + 1 };
}

const NAMED: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  apos: "'",
  lt: '<',
  gt: '>',
  colon: ':',
  nbsp: ' ',
};

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,5}));/g, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return NAMED[name] ?? whole;
    const point = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
    return point <= 0x10_ffff ? String.fromCodePoint(point) : whole;
  });
}
