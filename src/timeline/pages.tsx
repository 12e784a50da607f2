import { Hono, type Context } from 'hono';
import type { HtmlEscapedString } from 'hono/utils/html';
import { present } from '../contract/present.ts';
import { CONTENT_PATH, SCRIPT_PATH, STYLE_PATH } from '../report/view/timeline/links.ts';
import type { ForkDraft, ListQuery } from '../report/view/timeline/model.ts';
import { Comparison } from '../report/view/comparison.tsx';
import { ForkRequest } from '../report/view/timeline/fork-request.tsx';
import { RunList } from '../report/view/timeline/run-list.tsx';
import { TIMELINE_SCRIPT } from '../report/view/timeline/script.ts';
import { Refused, Shell } from '../report/view/timeline/shell.tsx';
import { TIMELINE_STYLE } from '../report/view/timeline/style.ts';
import { text } from '../report/view/text.tsx';
import { Timeline } from '../report/view/timeline/timeline.tsx';
import { buildComparison } from '../report/view/build-comparison.ts';
import { buildTimeline } from './build-timeline.ts';
import type { RunSource } from './source.ts';

export interface PagesOptions {
  /** The runs as the sender of a request may see them. */
  readonly source: (request: Request) => RunSource;
  /** Whether there is a host behind the runs, which takes credentials and forks. */
  readonly isHost: boolean;
  /** Where recorded runs came from. */
  readonly baseUrl?: string;
}

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** What a page says: its title, its content and the status that it is answered with. */
interface Content {
  readonly title: string;
  readonly status: 200 | 400 | 401 | 403 | 404 | 502;
  readonly body: Html;
}

/**
 * The Run Timeline View (replay.md): `/`, `/runs/{runId}`, `/runs/{runId}/events/{event}`. A request that carries a
 * credential gets the whole page; a browser, whose address bar carries none, gets the page without its content, which the
 * script then asks for below /ui. Nothing but GET and HEAD is answered here, so no address of it changes anything.
 */
export function timelinePages(options: PagesOptions): Hono {
  const app = new Hono();
  app.get(STYLE_PATH, (context) => file(context, TIMELINE_STYLE, 'text/css'));
  app.get(SCRIPT_PATH, (context) => file(context, TIMELINE_SCRIPT, 'text/javascript'));
  for (const { path, content, empty } of routes(options)) {
    app.get(path, async (context) => {
      const isOpen = !options.isHost || context.req.header('authorization') !== undefined;
      return page(context, options, isOpen ? await content(context) : { ...empty(context), status: 200 }, isOpen);
    });
    app.get(`${CONTENT_PATH}${path}`, async (context) => {
      const { status, body } = await content(context);
      return html(context, body, status);
    });
  }
  return app;
}

/** Whether an address is one of the view's: all others are the API's. */
export function isTimelinePage({ method, url }: Request): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const { pathname } = new URL(url);
  return pathname === STYLE_PATH || pathname === SCRIPT_PATH || PAGE.test(pathname);
}

const PAGE = /^(?:\/ui)?\/(?:runs\/[^/]+(?:\/events\/[^/]+)?)?$/u;

interface PageRoute {
  readonly path: string;
  readonly content: (context: Context) => Promise<Content>;
  /** What the page shows that says nothing of any run. */
  readonly empty: (context: Context) => Pick<Content, 'title' | 'body'>;
}

function routes({ source, isHost, baseUrl }: PagesOptions): readonly PageRoute[] {
  const fork = (context: Context): Html | null => {
    const draft = forkDraft(context);
    return draft === undefined ? null : <ForkRequest draft={draft} canFork={isHost} baseUrl={baseUrl} />;
  };
  const run = async (context: Context, at: string | undefined): Promise<Content> => {
    const runId = context.req.param('runId') ?? '';
    const runs = source(context.req.raw);
    const against = context.req.query('against') ?? '';
    if (against !== '') return compared(runs, { source: against, replay: runId });
    const found = await runs.read(runId);
    if (!found.ok) return refused(found);
    const draft = forkDraft(context);
    if (draft === undefined && context.req.query('fork') !== undefined) return refused(BAD_FORK);
    const [type, node, kind] = ['type', 'node', 'kind'].map((name) => context.req.query(name) || undefined);
    const from = wholeNumber(context.req.query('from'));
    const timeline = buildTimeline(found.value, {
      filter: present({ type, node, kind }),
      ...present({ at, from: draft?.fromSeq ?? from }),
    });
    return {
      title: `${text(found.value.head.workflowId ?? 'Run', 60)} · Run Timeline`,
      status: 200,
      body: <Timeline timeline={timeline}>{fork(context)}</Timeline>,
    };
  };
  const empty = (context: Context) => ({ title: 'Run Timeline', body: <>{fork(context)}</> });
  return [
    { path: '/', content: async (context) => listed(source(context.req.raw), listQuery(context)), empty },
    { path: '/runs/:runId', content: (context) => run(context, context.req.query('at')?.trim() || undefined), empty },
    { path: '/runs/:runId/events/:event', content: (context) => run(context, context.req.param('event')), empty },
  ];
}

const BAD_FORK = { status: 400, message: 'fork must be replay or branch, and fromSeq a whole number from 0 on.' };

async function listed(runs: RunSource, query: ListQuery): Promise<Content> {
  const list = await runs.list(query);
  if (!list.ok) return refused(list);
  return { title: 'Runs · Run Timeline', status: 200, body: <RunList list={list.value} query={query} /> };
}

async function compared(runs: RunSource, ids: { readonly source: string; readonly replay: string }): Promise<Content> {
  const [source, replay] = await Promise.all([runs.read(ids.source), runs.read(ids.replay)]);
  if (!source.ok) return refused(source);
  if (!replay.ok) return refused(replay);
  const comparison = buildComparison(source.value, replay.value);
  return { title: 'Source and replay · Run Timeline', status: 200, body: <Comparison comparison={comparison} /> };
}

function refused({ status, message }: { readonly status: number; readonly message: string }): Content {
  const shown = status === 400 || status === 401 || status === 403 || status === 404 ? status : 502;
  return { title: 'Run Timeline', status: shown, body: <Refused status={shown} message={text(message, 400)} /> };
}

function listQuery(context: Context): ListQuery {
  const given = ['search', 'status', 'parentRunId', 'before'].flatMap((name) => {
    const value = context.req.query(name)?.trim();
    return value === undefined || value === '' ? [] : [[name, value]];
  });
  return Object.fromEntries(given) as ListQuery;
}

/** The fork that an address names; undefined where it names none, or one that cannot be. */
function forkDraft(context: Context): ForkDraft | undefined {
  const mode = context.req.query('fork');
  const fromSeq = wholeNumber(context.req.query('fromSeq') ?? '0');
  if ((mode !== 'replay' && mode !== 'branch') || fromSeq === undefined) return undefined;
  return { runId: context.req.param('runId') ?? '', mode, fromSeq };
}

function wholeNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,15}$/u.test(value) ? Number(value) : undefined;
}

function page(
  context: Context,
  { isHost }: PagesOptions,
  { title, body, status }: Content,
  isWhole: boolean,
): Response | Promise<Response> {
  const whole = (
    <Shell title={title} needsCredential={isHost} isWhole={isWhole}>
      {body}
    </Shell>
  );
  return html(context, whole, status, '<!doctype html>');
}

async function html(context: Context, body: Html, status: Content['status'], before = ''): Promise<Response> {
  return context.body(before + String(await body), status, { ...HEADERS, 'content-type': 'text/html; charset=utf-8' });
}

function file(context: Context, content: string, type: string): Response {
  return context.body(content, 200, { ...HEADERS, 'content-type': `${type}; charset=utf-8` });
}

/** Nothing but this origin's own files is loaded or asked, and nothing is kept. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};
