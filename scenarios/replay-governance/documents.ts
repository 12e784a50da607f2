import { member } from '../../src/contract/discovery.ts';
import { type Outcome, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Exchange } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { pointerToken } from '../../src/protocol/json-pointer.ts';
import { OPENAPI_PATH } from '../../src/protocol/paths.ts';
import { isAbsent } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { isLink, isPlaceholder } from '../shared/still-to-be-said.ts';

/** A place in a document that speaks of how long something is kept. */
interface Mention {
  readonly pointer: string;
  /** `documented` says what is kept; a `placeholder` that it is still to be said; a `hint` only that it may be said elsewhere. */
  readonly kind: 'documented' | 'placeholder' | 'hint';
}

const RETENTION = /retention|retain/iu;
/** Names of other times of life: they count where they belong to what a replay needs. */
const LIFETIME = /^(?:ttl|expire|expires|expired|expiry|expiration|expiring|lifetime)$/u;
const ABOUT_RUNS = /replay|run|event|log|snapshot|fork|invocation|response|history/iu;
/** What a text about retention speaks of, as words; one outside the descriptions of routes may speak of everything. */
const RUN_WORDS = /\b(?:replay|run|event|log|snapshot|fork|branch|invocation|response|histor)/u;
const EVERYTHING = /\b(?:everything|all (?:data|records))\b/u;
const LINK_NAME = /doc|help|support|polic|terms|legal|manual|reference|about|home|site|info|contact/iu;
/** Places whose links lead to documentation, by a whole name on the way there; those of a licence do not. */
const LINK_PLACE = /^(?:external_?docs?|docs?|documentation|_?links?|help|polic\w*|terms\w*|legal|contact|info)$/iu;
const LICENCE = /^licen[cs]e$/iu;
const URL_TEXT = /https?:\/\/[^\s"]+/u;
/** What an OpenAPI document says of refusals and test seams documents no policy, and no more do the forms of what is sent. */
const PASSED_OVER = new Set(['responses', 'parameters']);
const FORMS = new Set(['schemas', 'schema', 'properties', 'enum', 'examples', 'example']);
const SEAM = /\/host\/sample\//u;
const SEAM_PATH = /^\S*\/host\/sample\/\S*$/u;

/** What is said of how long something is kept, in words in lower case. */
const DURATION =
  /\bpt?\d|\b\d+ ?(?:m?s|secs?|mins?|h|hrs?|d|w|wks?|mo|y|yrs?)\b|\b(?:second|minute|hour|day|week|month|year|forever|permanent|indefinite|never|unlimited|until|as long as)/u;
/** What a policy does with what it is about. */
const POLICY = /\b(?:keep|kept|retain|stor|expir|delet|eras|remov|purg|prun|discard|archiv)/u;
/** The statuses of answers: no number of days. */
const STATUS = /\b[1-5]\d\d\b(?! (?:second|minute|hour|day|week|month|year))/gu;

/** Whether words in lower case say how long something is kept; beside a name that says so a number does. */
export function saysHowLong(words: string): boolean {
  return DURATION.test(words) || /\d/u.test(words.replaceAll(STATUS, ''));
}

/** Places that are looked at, at most, and characters of the names that lead to one. */
const [MOST, MOST_NAMES] = [100_000, 2000] as const;

/** The mentions of a host's own document: members by their names, texts by what they say. */
export function mentionsIn(document: unknown): readonly Mention[] {
  const found: Mention[] = [];
  const isOpenApi = member(document, 'openapi') !== undefined || member(document, 'swagger') !== undefined;
  const open: [pointer: string, name: string, value: unknown][] = [['', '', document]];
  for (let next = 0; next < Math.min(MOST, open.length); next += 1) {
    const [pointer, name, value] = open[next] ?? ['', '', null];
    const kind = kindOf(pointer, name, value);
    if (kind !== undefined) found.push({ pointer, kind });
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      const place = `${pointer}/${pointerToken(key)}`;
      if (!isPassedOver(key, inner, isOpenApi) && place.length <= MOST_NAMES) open.push([place, key, inner]);
    }
  }
  return found;
}

/** Whether a member is no statement: it is about a refusal, a form of what is sent, or a test seam. */
function isPassedOver(key: string, value: unknown, isOpenApi: boolean): boolean {
  return PASSED_OVER.has(key) || SEAM.test(key) || (isOpenApi && FORMS.has(key)) || isSeam(value);
}

/** The path of a test seam, or an entry about one. */
function isSeam(value: unknown): boolean {
  if (typeof value === 'string') return SEAM_PATH.test(value);
  return isRecord(value) && Object.values(value).some((each) => typeof each === 'string' && SEAM_PATH.test(each));
}

function kindOf(pointer: string, name: string, value: unknown): Mention['kind'] | undefined {
  const isText = typeof value === 'string';
  const names = RETENTION.test(name) ? 'retention' : wordsOf(name).some((word) => LIFETIME.test(word)) ? 'other' : '';
  if (names === 'retention' && isStillToBeSaid(value)) return 'placeholder';
  if (names === 'retention' || (names === 'other' && ABOUT_RUNS.test(pointer))) {
    if (isEmpty(value)) return undefined;
    const isElsewhere = pointer.startsWith('/paths/') && !isAboutRuns(pointer, '');
    return saysSomething(value) && !isElsewhere && (!isText || isPolicy(value)) ? 'documented' : 'hint';
  }
  if (isText && RETENTION.test(value)) {
    return DURATION.test(wordsOf(value).join(' ')) && isAboutRuns(pointer, value) ? 'documented' : 'hint';
  }
  if (names === 'other' && saysSomething(value)) return 'hint';
  return isText && URL_TEXT.test(value) && (LINK_NAME.test(name) || isLinkPlace(pointer)) ? 'hint' : undefined;
}

/** Whether a text beside a name for times of life says one, or what is done when it is over. */
function isPolicy(text: string): boolean {
  const words = wordsOf(text).join(' ');
  return saysHowLong(words) || POLICY.test(words);
}

/** How long a host keeps invoices is no policy of what replays need. */
function isAboutRuns(pointer: string, text: string): boolean {
  const [place, said] = [pointer.replaceAll(/~[01]/gu, ' '), text].map((each) => wordsOf(each).join(' ')) as [
    string,
    string,
  ];
  return RUN_WORDS.test(place) || RUN_WORDS.test(said) || (!pointer.startsWith('/paths/') && EVERYTHING.test(said));
}

function isLinkPlace(pointer: string): boolean {
  const names = pointer.split('/');
  return names.some((name) => LINK_PLACE.test(name)) && !names.some((name) => LICENCE.test(name));
}

/** Whether a policy has places, and in all of those that hold something stands that it is still to be said. */
function isStillToBeSaid(value: unknown): boolean {
  if (saysSomething(value)) return false;
  const leaves = leavesOf(value).filter(({ text }) => text.trim() !== '');
  return leaves.length > 0;
}

/** A flag, null, what is empty and placeholders say nothing of how long anything is kept. */
function saysSomething(value: unknown): boolean {
  if (typeof value === 'number') return true;
  if (typeof value === 'string') return !isPlaceholder(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => saysSomething(inner));
}

/** An object or a list without anything in it neither says something nor points to where it is said. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** A name or a text as its words, in lower case: camel case is taken apart. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z\d])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/u);
}

/** A text or a number of a host's own document, and where it stands. */
export interface Statement {
  readonly pointer: string;
  readonly text: string;
}

/** Values that are looked at, statements that are kept, and characters of each, at most. */
const [MOST_TEXT, MOST_STATEMENTS, LENGTH] = [100_000, 100, 400] as const;

const DELETION = /\b(?:delet|eras|redact|forg[eo]t)/u;
/** What is purged may be what is kept of answers: then the next replay asks again, and no data is deleted. */
const [PURGE, OF_ANSWERS] = [/\bpurg/u, /\b(?:cache|response)/u] as const;
const FORKS = /\b(?:replay|fork|branch)/u;

/** What stands at or below these places, in their order. */
export function statementsAt(document: unknown, pointers: readonly string[]): readonly Statement[] {
  const all = leavesOf(document);
  const found = pointers.flatMap((pointer) =>
    all.filter((leaf) => leaf.pointer === pointer || leaf.pointer.startsWith(`${pointer}/`)),
  );
  // A place may stand below another one of them.
  return [...new Set(found)].slice(0, MOST_STATEMENTS);
}

/** What a document says of deletion and of forks in one breath. */
export function statementsOfDeletion(document: unknown): readonly Statement[] {
  return leavesOf(document)
    .filter((leaf) => isOfDeletion(saidIn(leaf)) && FORKS.test(saidIn(leaf)))
    .slice(0, MOST_STATEMENTS);
}

function isOfDeletion(words: string): boolean {
  return DELETION.test(words) || (PURGE.test(words) && !OF_ANSWERS.test(words));
}

/** The words of a statement and of the names that lead to it; paths and methods of an API say nothing themselves. */
export function saidIn(statement: Statement): string {
  return `${namesIn(statement)} ${wordsOf(statement.text).join(' ')}`;
}

/** The words of the names that lead to a statement; blocks about replays, or of a vendor, are no names of what is kept. */
export function namesIn({ pointer }: Statement): string {
  if (pointer.startsWith('/paths/')) return '';
  return wordsOf(
    pointer.replace(/^(?:\/capabilities)?(?:\/replay(?:\/retention)?|\/extensions\/[^/]+)(?=\/|$)/u, ''),
  ).join(' ');
}

function leavesOf(document: unknown): readonly Statement[] {
  const found: Statement[] = [];
  const open: [pointer: string, value: unknown][] = [['', document]];
  for (let next = 0; next < Math.min(MOST_TEXT, open.length); next += 1) {
    const [pointer, value] = open[next] ?? ['', null];
    if (typeof value === 'string' || typeof value === 'number') {
      found.push({ pointer, text: String(value).slice(0, LENGTH) });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        const place = `${pointer}/${pointerToken(key)}`;
        if (!SEAM.test(key) && !isSeam(inner) && place.length <= MOST_NAMES) open.push([place, inner]);
      }
    }
  }
  return found;
}

/** What one of the host's own documents says about what is kept, and about what is deleted. */
export interface DocumentObservation extends Observation {
  readonly type: 'document';
  readonly name: string;
  /** Places that speak of how long something is kept, and links to where they may. */
  readonly mentions: readonly Mention[];
  /** What stands there; absent in older evidence. */
  readonly retention?: readonly Statement[];
  /** What is said about deleted data and forks; absent in older evidence. */
  readonly deletion?: readonly Statement[];
  /** Why it could not be read; null where it was, and where the host has none. */
  readonly problem: string | null;
}

/** A document as judges see it. */
export type RecordedDocument = Recorded<DocumentObservation>;

/** Mentions of one document that are kept. */
const KEPT = 20;

/** Reads the documents that a host publishes about itself. */
export async function readDocuments(probe: Probe): Promise<readonly DocumentObservation[]> {
  const openapi = await probe.host.exchange({ method: 'GET', path: OPENAPI_PATH, anonymous: true });
  return [observe('the discovery document', probe.discoveryExchange), observe('the OpenAPI document', openapi)];
}

function observe(name: string, exchange: Exchange): DocumentObservation {
  const nothing = { mentions: [], retention: [], deletion: [] };
  const base = { type: 'document', name, ...nothing, exchanges: [exchange.id] } as const;
  if (exchange.kind === 'failure') return { ...base, problem: exchange.reason };
  if (isAbsent(exchange.status)) return { ...base, problem: null };
  if (exchange.status !== 200) return { ...base, problem: `it was answered with ${exchange.status}` };
  if (!exchange.json.ok) return { ...base, problem: exchange.json.message };
  const { value } = exchange.json;
  const mentions = mentionsIn(value);
  const documented = mentions.filter(isDocumented);
  const order = [...documented, ...mentions.filter((each) => !isDocumented(each))];
  const pointers = documented.slice(0, KEPT).map(({ pointer }) => pointer);
  return {
    ...base,
    mentions: order.slice(0, KEPT),
    retention: statementsAt(value, pointers),
    deletion: statementsOfDeletion(value),
    problem: null,
  };
}

/** Whether a mention says what is kept. */
export function isDocumented({ kind }: Mention): boolean {
  return kind === 'documented';
}

/** The outcome of older evidence, which holds places alone; undefined where what stands there was recorded. */
export function leftUnrecorded(
  documents: readonly RecordedDocument[],
  what: 'retention' | 'deletion',
): Outcome | undefined {
  if (documents.every((each) => each[what] !== undefined)) return undefined;
  return undecided(
    `what the documents say of ${what} was not recorded, as older versions did not: run it again`,
    documents,
  );
}

/** The outcome that is left where a document could not be read, or points elsewhere; undefined where all was seen. */
export function leftUnread(documents: readonly RecordedDocument[], what: string): Outcome | undefined {
  const unread = documents.find(({ problem }) => problem !== null);
  if (unread !== undefined) {
    return undecidedUntil(
      'answer the request for it with 200 and JSON, or with 404',
      `${unread.name} was not read: ${unread.problem ?? ''}`,
      documents,
    );
  }
  const [hint] = documents.flatMap(({ name, mentions, retention = [], deletion = [] }) =>
    [
      ...mentions.filter(({ kind }) => kind === 'hint'),
      ...[...retention, ...deletion].filter(({ text }) => isLink(text)),
    ].map(({ pointer }) => `${name}, ${pointer}`),
  );
  if (hint === undefined) return undefined;
  return undecidedUntil(`name ${what} in replay/retention`, `it may be documented where ${hint} points to`, documents);
}
