import type { JsonObject } from '../../reference-host/json.ts';
import { isObject } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';
import { isEventStream, onWire, rewritingText } from './wire.ts';

/** Every other number is used, the first one is 3: a client has to learn the numbers from the log. */
const [FIRST, STEP] = [3, 2];

function wide(sequence: number): number {
  return FIRST + STEP * sequence;
}

/** The host's own number for a public one: the next one that is not below it. */
function narrow(sequence: number): number {
  return Math.ceil((sequence - FIRST) / STEP);
}

/** The number from which a fork was made, on its span. */
const START = 'openwop.replay.from_seq';

/** Logs are numbered with gaps. */
export const gapsInNumbers: Variant = {
  id: 'gaps-in-numbers',
  parts: (conformant) => ({
    ...onWire((shown) => ({
      ...shown,
      sequence: wide(Number(shown['sequence'])),
      payload: withPublicPlace(shown['payload']),
    }))(conformant),
    sideResources: {
      ...conformant.sideResources,
      report: (report) => ({
        ...report,
        fromSeq: wide(report.fromSeq),
        firstDivergenceSeq: report.firstDivergenceSeq === null ? null : wide(report.firstDivergenceSeq),
      }),
    },
    span: (attributes) => {
      const shown = conformant.span(attributes);
      const start = shown[START];
      return typeof start === 'number' ? { ...shown, [START]: wide(start) } : shown;
    },
    middleware: (next) => async (request) => {
      const response = await next(await withOwnNumbers(request));
      if (response.status === 201) return withPublicStart(response);
      if (isAboutExpiry(request, response)) return withPublicBoundary(response);
      if (isEventStream(response)) {
        return rewritingText(response, (text) =>
          text.replaceAll(/^id: (\d+)$/gm, (_, id: string) => `id: ${wide(Number(id))}`),
        );
      }
      return response;
    },
  }),
};

/** A report about a replay names a number of the source's log. */
function withPublicPlace(payload: unknown): unknown {
  const at = isObject(payload) ? payload['atSequence'] : undefined;
  return typeof at === 'number' ? { ...Object(payload), atSequence: wide(at) } : payload;
}

/** The answer to a fork names the number that was asked for. */
async function withPublicStart(response: Response): Promise<Response> {
  const { status, headers } = response;
  const answer: unknown = await response.json();
  const start = isObject(answer) ? answer['fromSeq'] : undefined;
  const changed = typeof start === 'number' ? { ...Object(answer), fromSeq: wide(start) } : answer;
  return Response.json(changed, { status, headers });
}

/** The request with the host's own numbers in its cursors and in the body of a fork. */
async function withOwnNumbers(request: Request): Promise<Request> {
  const url = new URL(request.url);
  const { method, signal } = request;
  const headers = new Headers(request.headers);
  const last = headers.get('last-event-id');
  if (last !== null) headers.set('last-event-id', String(narrow(Number(last))));
  const cursor = url.searchParams.get('lastSequence');
  if (cursor !== null) url.searchParams.set('lastSequence', String(narrow(Number(cursor))));
  if (method === 'GET' && (last !== null || cursor !== null)) return new Request(url, { headers, signal });
  const name = url.pathname.endsWith(':fork') ? 'fromSeq' : isExpiry(url) ? 'beforeSeq' : undefined;
  if (name === undefined) return request;
  return new Request(url, { method, headers, signal, body: withOwnNumber(await request.text(), name) });
}

function withOwnNumber(text: string, name: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const given = isObject(body) ? body[name] : undefined;
    if (!isObject(body) || typeof given !== 'number' || !Number.isInteger(given)) return text;
    const own = given < 0 ? given : Math.max(0, narrow(given));
    return JSON.stringify({ ...body, [name]: own } satisfies JsonObject);
  } catch {
    return text;
  }
}

function isExpiry({ pathname }: URL): boolean {
  return pathname.endsWith('/retention/expire');
}

/** The seam's answer, and refusals of forks from below a retention boundary. */
function isAboutExpiry({ url }: Request, { status }: Response): boolean {
  const place = new URL(url);
  return (isExpiry(place) && status === 200) || (place.pathname.endsWith(':fork') && status === 410);
}

async function withPublicBoundary(response: Response): Promise<Response> {
  const { status, headers } = response;
  const answer: unknown = await response.json();
  const changed = isObject(answer) ? { ...answer, details: withPublicNumbers(answer['details']) } : answer;
  return Response.json(withPublicNumbers(changed), { status, headers });
}

function withPublicNumbers(members: unknown): unknown {
  if (!isObject(members)) return members;
  const names = ['boundary', 'fromSeq', 'retentionBoundary'].filter((name) => typeof members[name] === 'number');
  return { ...members, ...Object.fromEntries(names.map((name) => [name, wide(Number(members[name]))])) };
}
