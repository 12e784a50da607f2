import type { HostParts } from '../../reference-host/index.ts';
import { isObject, type JsonObject } from '../../reference-host/json.ts';
import { isEventStream, rewritingText } from '../variants/wire.ts';

/** What stands in a log between its first event and the others. */
export interface Padding {
  readonly count: number;
  readonly event: (index: number) => { readonly type: string; readonly payload: unknown; readonly nodeId?: string };
}

/**
 * The reference host with events of another kind in all of its logs, forks too: honest ones make an honest host with long
 * logs. They stand behind the first event and have numbers as all others, which move up.
 */
export function padded({ count, event }: Padding): Pick<HostParts, 'middleware'> {
  const wide = (sequence: number): number => (sequence <= 0 ? sequence : sequence + count);
  const narrow = (sequence: number): number => (sequence <= count ? Math.min(sequence, 1) : sequence - count);
  /** The padding behind a cursor. */
  const padsAfter = (runId: string, cursor: number): readonly JsonObject[] =>
    Array.from({ length: Math.max(0, count - cursor) }, (_, index) => ({
      eventId: `${runId}-${cursor + index + 1}`,
      runId,
      sequence: cursor + index + 1,
      timestamp: '2026-01-01T00:00:00.000Z',
      ...event(cursor + index),
    }));
  const shown = (each: JsonObject): JsonObject => {
    const { payload } = each;
    const at = isObject(payload) ? payload['atSequence'] : undefined;
    const place = typeof at === 'number' ? { payload: { ...Object(payload), atSequence: wide(at) } } : {};
    return { ...each, sequence: wide(Number(each['sequence'])), ...place };
  };
  const withPads = (events: readonly unknown[], runId: string, cursor: number | undefined): readonly JsonObject[] => {
    const own = events.filter(isObject);
    if (cursor !== undefined) return [...padsAfter(runId, cursor), ...own.map(shown)];
    const [first, ...rest] = own;
    return first === undefined ? [] : [shown(first), ...padsAfter(runId, 0), ...rest.map(shown)];
  };
  return {
    middleware: (next) => async (request) => {
      const url = new URL(request.url);
      if (url.pathname.endsWith(':fork')) {
        const text = await request.text();
        const { method, headers, signal } = request;
        const response = await next(new Request(url, { method, headers, signal, body: withOwnNumber(text, narrow) }));
        return response.status === 201 ? withRequestedNumber(response, text) : response;
      }
      const runId = /^\/v1\/runs\/([^/]+)\/events(?:\/poll)?$/u.exec(url.pathname)?.[1];
      if (runId === undefined || request.method !== 'GET') return next(request);
      const { headers, signal } = request;
      const [last, since] = [headers.get('last-event-id'), url.searchParams.get('lastSequence')];
      const cursor = last === null && since === null ? undefined : Number(last ?? since);
      const own = new Headers(headers);
      // The event behind the first one is asked for from the first one on: the padding stands between the two.
      const before = cursor === undefined ? '' : String(cursor < count ? 0 : narrow(cursor));
      if (last !== null) own.set('last-event-id', before);
      if (since !== null) url.searchParams.set('lastSequence', before);
      const response = await next(new Request(url, { headers: own, signal }));
      if (response.status !== 200) return response;
      if (isEventStream(response)) {
        let resumed = cursor === undefined ? '' : frames(padsAfter(runId, cursor));
        return rewritingText(response, (text) => {
          const start = resumed;
          resumed = '';
          return (
            start +
            text.replaceAll(/^id: (\d+)\n(?:.+\n)*\n/gmu, (frame, id: string) => {
              const widened = frame
                .replace(/^id: \d+/u, `id: ${wide(Number(id))}`)
                .replace(
                  /(?<=^|\n)data: ([^\n]+)/u,
                  (_, data: string) => `data: ${JSON.stringify(shown(asObject(data)))}`,
                );
              return cursor === undefined && id === '0' ? widened + frames(padsAfter(runId, 0)) : widened;
            })
          );
        });
      }
      const body: unknown = await response.json();
      const events = isObject(body) && Array.isArray(body['events']) ? body['events'] : [];
      return Response.json(
        { ...Object(body), events: withPads(events, runId, cursor) },
        { headers: { 'content-type': 'application/json' } },
      );
    },
  };
}

function frames(events: readonly JsonObject[]): string {
  return events
    .map((each) => `id: ${String(each['sequence'])}\nevent: ${String(each['type'])}\ndata: ${JSON.stringify(each)}\n\n`)
    .join('');
}

function asObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : {};
}

function withOwnNumber(text: string, narrow: (sequence: number) => number): string {
  const given = fromSeqIn(text);
  return given === undefined ? text : JSON.stringify({ ...asObject(text), fromSeq: narrow(given) });
}

/** The answer to a fork names the number that was asked for. */
async function withRequestedNumber(response: Response, asked: string): Promise<Response> {
  const { status, headers } = response;
  const answer: unknown = await response.json();
  const fromSeq = fromSeqIn(asked);
  return Response.json({ ...Object(answer), ...(fromSeq === undefined ? {} : { fromSeq }) }, { status, headers });
}

function fromSeqIn(text: string): number | undefined {
  try {
    const fromSeq = asObject(text)['fromSeq'];
    return typeof fromSeq === 'number' && Number.isInteger(fromSeq) && fromSeq >= 0 ? fromSeq : undefined;
  } catch {
    return undefined;
  }
}
