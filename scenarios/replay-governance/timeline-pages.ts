import { member, readPart } from '../../src/contract/discovery.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Exchange } from '../../src/host/client.ts';
import { answerText, answeredWith, jsonIn } from '../../src/host/exchanged.ts';
import type { Probe } from '../../src/host/probe.ts';
import { RUNS_PATH, runPath } from '../../src/protocol/paths.ts';
import { type Markup, readMarkup } from './markup.ts';

/** A fork request that a page names. */
export interface NamedRequest {
  readonly mode: string;
  readonly fromSeq: number;
}

/** A page of the Run Timeline View as its markup has it, before any script runs. */
export interface PageObservation extends Observation {
  readonly type: 'timeline-page';
  /** `fork`: the deep link; `run` and `event`: the pages of the run and of an event of it; in older evidence where no deep link is advertised. */
  readonly link: 'fork' | 'run' | 'event';
  readonly runId: string;
  /** What the deep link was made for; null for a run's page. */
  readonly wanted: NamedRequest | null;
  /** Where it stands below the base URL; null where what is advertised cannot be followed. */
  readonly path: string | null;
  /** Why there is no page; null where there is one. */
  readonly problem: string | null;
  readonly answered: number | null;
  /** Whether the fork endpoint of this run stands anywhere in it. */
  readonly namesEndpoint: boolean;
  /** The requests in its texts, attributes and forms. */
  readonly requests: readonly NamedRequest[];
  readonly hasScript: boolean;
  /** Whether an event of the run stands in it, by its id. */
  readonly showsEvent: boolean;
  /** Whether it links to another page about the run or the event, and to one that is named after forks; absent in older evidence. */
  readonly linksOn?: boolean;
  readonly linksToFork?: boolean;
}

/** The runs of the host's list that name the source as their parent. */
export interface ListedObservation extends Observation {
  readonly type: 'timeline-list';
  readonly runId: string;
  /** Why there is no list; null where there is one. */
  readonly problem: string | null;
  readonly children: readonly string[];
}

type Template = 'run' | 'event' | 'fork' | 'runs';

/** The address that a template gives, below the base URL; undefined where it is not advertised, null where it leads elsewhere. */
export function timelinePath(
  probe: Pick<Probe, 'discovery' | 'host'>,
  template: Template,
  values: Readonly<Record<string, string>>,
): string | null | undefined {
  const advertised = member(readPart(probe.discovery, 'timeline')?.value, template);
  if (typeof advertised !== 'string' || advertised === '' || advertised.length > 500) return undefined;
  const filled = advertised.replaceAll(/\{(\w+)\}/gu, (whole, name: string) =>
    Object.hasOwn(values, name) ? encodeURIComponent((values[name] ?? '').toWellFormed()) : whole,
  );
  const base = new URL(probe.host.baseUrl);
  const url = URL.canParse(filled, `${base.origin}/`) ? new URL(filled, `${base.origin}/`) : undefined;
  if (url === undefined || url.origin !== base.origin || url.username !== '' || /[{}]|%7[bd]/iu.test(url.href))
    return null;
  // A path is meant below the base URL, a whole URL as it stands.
  const folder = base.pathname.replace(/\/$/u, '');
  if (filled.startsWith('/') && !filled.startsWith('//')) return `${url.pathname}${url.search}`;
  return url.pathname.startsWith(`${folder}/`) ? `${url.pathname.slice(folder.length)}${url.search}` : null;
}

/** The fork that a deep link is made for, in the words of an address. */
export interface Linked {
  readonly runId: string;
  readonly mode: string;
  readonly fromSeq: string;
}

/** The page of a run and that of a deep link, by their names, as far as they are advertised and can be followed. */
export function pagesAbout(
  probe: Pick<Probe, 'discovery' | 'host'>,
  { runId, mode, fromSeq }: Linked,
): readonly { readonly name: string; readonly path: string }[] {
  return PAGES.flatMap(({ name, template }) => {
    const path = timelinePath(probe, template, { runId, mode, fromSeq });
    return typeof path === 'string' ? [{ name, path }] : [];
  });
}

const PAGES = [
  { name: 'its page in the Timeline View', template: 'run' },
  { name: 'a deep link of the Timeline View', template: 'fork' },
] as const;

interface Wanted {
  readonly link: PageObservation['link'];
  readonly runId: string;
  readonly eventId: string;
  readonly wanted: NamedRequest | null;
}

/** Asks for a page, with the credential, as a browser asks for HTML. */
export async function readPage(probe: Probe, { link, runId, eventId, wanted }: Wanted): Promise<PageObservation> {
  const values = { runId, eventId, ...(wanted === null ? {} : { mode: wanted.mode, fromSeq: String(wanted.fromSeq) }) };
  const path = timelinePath(probe, link, values) ?? null;
  const none = { namesEndpoint: false, requests: [], hasScript: false, showsEvent: false };
  const common = { type: 'timeline-page', link, runId, wanted, path } as const;
  if (path === null) {
    const problem = `what is advertised as ${link} is no address below the base URL`;
    return { ...common, ...none, problem, answered: null, exchanges: [] };
  }
  const exchange = await probe.host.exchange({ method: 'GET', path, headers: { accept: 'text/html' } });
  const answered = answeredWith(exchange);
  const exchanges = [exchange.id];
  if (exchange.kind === 'failure' || exchange.status !== 200 || !isHtml(exchange)) {
    const what = exchange.kind === 'response' && exchange.status === 200 ? '200 and no HTML' : answerText(exchange);
    return { ...common, ...none, problem: `GET ${path} answered ${what}`, answered, exchanges };
  }
  const facts = factsOf(readMarkup(exchange.text), { runId, eventId, path });
  return { ...common, ...facts, problem: null, answered, exchanges };
}

function isHtml({ headers }: Extract<Exchange, { kind: 'response' }>): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/iu.test(headers['content-type'] ?? '');
}

/** Asks for the host's list of the forks of a run. */
export async function readForkList(probe: Probe, runId: string): Promise<ListedObservation | undefined> {
  const path = timelinePath(probe, 'runs', { runId });
  if (path === undefined) return undefined;
  const common = { type: 'timeline-list', runId } as const;
  const none = { ...common, children: [], exchanges: [] };
  if (path === null) return { ...none, problem: 'what is advertised as runs is no address below the base URL' };
  const separator = path.includes('?') ? '&' : '?';
  const exchange = await probe.host.exchange({
    method: 'GET',
    path: `${path}${separator}parentRunId=${encodeURIComponent(runId.toWellFormed())}`,
  });
  const exchanges = [exchange.id];
  const runs = member(jsonIn(exchange, 200), 'runs');
  if (!Array.isArray(runs))
    return { ...none, problem: `GET ${path} gave no list of runs (${answerText(exchange)})`, exchanges };
  const children = runs
    .filter((run: unknown) => member(run, 'parentRunId') === runId)
    .map((run: unknown) => member(run, 'runId'))
    .filter((id) => typeof id === 'string');
  return { ...common, problem: null, children: [...new Set(children)].slice(0, MOST_CHILDREN), exchanges };
}

const MOST_CHILDREN = 100;

interface About {
  readonly runId: string;
  readonly eventId: string;
  readonly path: string;
}

type Facts = Pick<
  PageObservation,
  'namesEndpoint' | 'requests' | 'hasScript' | 'showsEvent' | 'linksOn' | 'linksToFork'
>;

/** What a page's markup names. */
export function factsOf(markup: Markup, { runId, eventId, path }: About): Facts {
  const { tags, text, hasScript } = markup;
  const values = tags.flatMap(({ attributes }) => [...attributes.values()]);
  const holds = (wanted: (each: string) => boolean): boolean => wanted(text) || values.some(wanted);
  const isEndpoint = endpointOf(runId);
  const requests = [...requestsIn(text), ...values.flatMap(requestsIn), ...requestsInForms(markup, isEndpoint)];
  const links = linksIn(markup, path);
  const ids = [runId, eventId].filter((each) => each !== '').flatMap((each) => [each, encoded(each)]);
  const different = new Map(requests.map((request) => [`${request.mode} ${request.fromSeq}`, request]));
  return {
    namesEndpoint: holds(isEndpoint),
    requests: [...different.values()].slice(0, MOST_REQUESTS),
    hasScript,
    showsEvent: eventId !== '' && holds((each) => each.includes(eventId)),
    linksOn: links.some((link) => ids.some((each) => link.includes(each))),
    linksToFork: links.some((link) => /fork|replay/iu.test(link)),
  };
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** The addresses that a page leads to, as far as they are not its own. */
function linksIn({ tags }: Markup, path: string): readonly string[] {
  const page = `http://page.invalid${path}`;
  return tags
    .filter(({ name }) => ['a', 'area', 'form'].includes(name))
    .flatMap(({ attributes }) => ['href', 'action'].map((name) => attributes.get(name) ?? ''))
    .filter((href) => href !== '' && href.length < LONGEST && URL.canParse(href, page))
    .map((href) => new URL(href, page))
    .map(({ pathname, search }) => `${pathname}${search}`)
    .filter((link) => !link.endsWith(path));
}

const MOST_REQUESTS = 100;

/** Whether a text holds the path of the run's fork endpoint, its colon written out or encoded. */
function endpointOf(runId: string): (text: string) => boolean {
  const runs = [runPath(runId), `${RUNS_PATH}/${runId}`];
  const forms = runs.flatMap((run) => [':', '%3A', '%3a'].map((colon) => `${run}${colon}fork`));
  return (text) => forms.some((form) => text.includes(form));
}

const NEEDLE = 'fromSeq';
/** Places of a text that are looked at, and characters of a JSON object around one. */
const MOST_PLACES = 200;
const LONGEST = 4000;

/** The fork requests that stand in a text as JSON. */
function requestsIn(text: string): readonly NamedRequest[] {
  const found: NamedRequest[] = [];
  let place = text.indexOf(NEEDLE);
  for (let looked = 0; place !== -1 && looked < MOST_PLACES; looked += 1) {
    const request = requestAround(text, place);
    if (request !== undefined) found.push(request);
    place = text.indexOf(NEEDLE, place + NEEDLE.length);
  }
  return found;
}

/** The object around a place: from one of the braces before it to one of those behind it. */
function requestAround(text: string, place: number): NamedRequest | undefined {
  let start = place;
  for (let opening = 0; opening < 3; opening += 1) {
    start = text.lastIndexOf('{', start - 1);
    if (start === -1 || place - start > LONGEST) return undefined;
    let end = place;
    for (let closing = 0; closing < 4; closing += 1) {
      end = text.indexOf('}', end + 1);
      if (end === -1 || end - start > LONGEST) break;
      const request = requestOf(parsed(text.slice(start, end + 1)));
      if (request !== undefined) return request;
    }
    if (start === 0) return undefined;
  }
  return undefined;
}

function requestOf(value: unknown): NamedRequest | undefined {
  const [mode, fromSeq] = [member(value, 'mode'), member(value, NEEDLE)];
  return typeof mode === 'string' && mode.length < 50 && typeof fromSeq === 'number' ? { mode, fromSeq } : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The fork requests of forms that lead to the endpoint, by the names of their fields. */
function requestsInForms({ tags }: Markup, isEndpoint: (text: string) => boolean): readonly NamedRequest[] {
  const found: NamedRequest[] = [];
  let fields: Map<string, string[]> | undefined;
  for (const { name, isEnd, attributes } of tags) {
    if (name === 'form') {
      fields = isEnd || ![...attributes.values()].some(isEndpoint) ? undefined : new Map();
      continue;
    }
    const field = attributes.get('name');
    if (fields === undefined || field === undefined || !['input', 'button'].includes(name)) continue;
    fields.set(field, [...(fields.get(field) ?? []), attributes.get('value') ?? '']);
    if (field !== 'mode' && field !== NEEDLE) continue;
    for (const mode of fields.get('mode') ?? []) {
      for (const fromSeq of fields.get(NEEDLE) ?? []) {
        if (/^\d{1,15}$/u.test(fromSeq) && mode.length < 50) found.push({ mode, fromSeq: Number(fromSeq) });
      }
    }
  }
  return found;
}
