import type { JsonObject } from '../../reference-host/json.ts';
import { isObject } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';
import { isEventStream, rewritingText } from './wire.ts';

/** Every other number is used, the first one is 3: a client has to learn the numbers from the log. */
const [FIRST, STEP] = [3, 2];

function wide(sequence: number): number {
  return FIRST + STEP * sequence;
}

/** The host's own number for a public one: the next one that is not below it. */
function narrow(sequence: number): number {
  return Math.ceil((sequence - FIRST) / STEP);
}

/** Logs are numbered with gaps. */
export const gapsInNumbers: Variant = {
  id: 'gaps-in-numbers',
  oneRegion: true,
  parts: ({ sideResources }) => ({
    sideResources: {
      ...sideResources,
      report: (report) => ({
        ...report,
        fromSeq: wide(report.fromSeq),
        firstDivergenceSeq: report.firstDivergenceSeq === null ? null : wide(report.firstDivergenceSeq),
      }),
    },
    eventOnWire: (event) => ({ ...event, sequence: wide(event.sequence), payload: withPublicPlace(event.payload) }),
    middleware: (next) => async (request) => {
      const response = await next(await withOwnNumbers(request));
      if (response.status === 201) return withPublicStart(response);
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
  const told = typeof start === 'number' ? { ...Object(answer), fromSeq: wide(start) } : answer;
  return Response.json(told, { status, headers });
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
  if (!url.pathname.endsWith(':fork')) return request;
  const text = await request.text();
  return new Request(url, { method, headers, signal, body: ownFork(text) });
}

function ownFork(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (!isObject(body) || typeof body['fromSeq'] !== 'number' || !Number.isInteger(body['fromSeq'])) return text;
    const fromSeq = body['fromSeq'] < 0 ? body['fromSeq'] : Math.max(0, narrow(body['fromSeq']));
    return JSON.stringify({ ...body, fromSeq } satisfies JsonObject);
  } catch {
    return text;
  }
}
