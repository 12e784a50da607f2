import { pointerToken } from '../../src/protocol/json-pointer.ts';

/** A place in a document that speaks of how long something is kept. */
export interface Mention {
  readonly pointer: string;
  /** `documented` says what is kept; a `hint` only that it may be said elsewhere. */
  readonly kind: 'documented' | 'hint';
}

const RETENTION = /retention|retain/iu;
/** Names of other times of life: they count where they belong to what a replay needs. */
const LIFETIME = /^(?:ttl|expire|expires|expired|expiry|expiration|expiring|lifetime)$/u;
const ABOUT_RUNS = /replay|run|event|log|snapshot|fork|invocation|response|history/iu;
const LINK_NAME = /doc|help|support|polic|terms|legal|manual|reference|about|home|site|info|contact/iu;
const URL_TEXT = /https?:\/\/[^\s"]+/u;
/** What an OpenAPI document says of refusals and test seams documents no policy. */
const PASSED_OVER = new Set(['responses', 'parameters']);
const SEAM = /\/host\/sample\//u;

/** Places that are looked at, at most. */
const MOST = 100_000;

/** The mentions of a host's own document: members by their names, texts by what they say. */
export function mentionsIn(document: unknown): readonly Mention[] {
  const found: Mention[] = [];
  const open: [pointer: string, name: string, value: unknown][] = [['', '', document]];
  for (let next = 0; next < Math.min(MOST, open.length); next += 1) {
    const [pointer, name, value] = open[next] ?? ['', '', null];
    const kind = kindOf(pointer, name, value);
    if (kind !== undefined) found.push({ pointer, kind });
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!PASSED_OVER.has(key) && !SEAM.test(key)) open.push([`${pointer}/${pointerToken(key)}`, key, inner]);
    }
  }
  return found;
}

function kindOf(pointer: string, name: string, value: unknown): Mention['kind'] | undefined {
  const isText = typeof value === 'string';
  const names = RETENTION.test(name) ? 'retention' : wordsOf(name).some((word) => LIFETIME.test(word)) ? 'other' : '';
  if (names === 'retention' || (names === 'other' && ABOUT_RUNS.test(pointer))) {
    return saysSomething(value) ? 'documented' : 'hint';
  }
  if (isText && RETENTION.test(value)) return 'documented';
  if (names === 'other' && saysSomething(value)) return 'hint';
  return isText && URL_TEXT.test(value) && LINK_NAME.test(name) ? 'hint' : undefined;
}

/** A flag, null and what is empty say nothing of how long anything is kept. */
function saysSomething(value: unknown): boolean {
  if (typeof value === 'number') return true;
  if (typeof value === 'string') return value.trim() !== '';
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => saysSomething(inner));
}

/** A name or a text as its words, in lower case: camel case is taken apart. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/u);
}
