import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/closing.ts';
import { type Handler, json, serveHttp } from '../../../test/hosts/fake-host.ts';
import { plainHandle } from '../../../test/plain-handle.ts';
import { readNow } from './now.ts';

const opened = closedAfterEach();

async function read(handle: Handler) {
  const server = opened(await serveHttp(handle));
  return readNow(opened(plainHandle(server.baseUrl)).handle, 'r', ({ type }) => type === 'b');
}

const event = (sequence: number, type: string) => ({
  eventId: `e${sequence}`,
  runId: 'r',
  type,
  sequence,
  payload: {},
});
const events = [event(0, 'a'), event(1, 'b')];

/** Sends the events and leaves the stream open, as for a run that goes on. */
function stream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const each of events) response.write(`id: ${each.sequence}\ndata: ${JSON.stringify(each)}\n\n`);
}

const types = (log: Awaited<ReturnType<typeof read>>): readonly string[] | undefined =>
  log.events?.map(({ type }) => type);

describe('readNow', () => {
  it('reads the log as JSON', async () => {
    expect(types(await read((_, response) => json(response, 200, events)))).toEqual(['a', 'b']);
  });

  it('polls where a stream is the answer to a request for JSON', async () => {
    const log = await read(({ url = '' }, response) => {
      if (!url.includes('/poll')) stream(response);
      else json(response, 200, { events: url.includes('?') ? [] : events, isComplete: false });
    });
    expect(types(log)).toEqual(['a', 'b']);
  });

  it('reads a stream up to the event that is looked for, where there is nothing else', async () => {
    const log = await read(({ url = '' }, response) =>
      url.includes('/poll') ? json(response, 404, {}) : stream(response),
    );
    expect(types(log)).toEqual(['a', 'b']);
    expect(log.exchanges).toHaveLength(3);
  });

  it('gives no log where none can be read', async () => {
    expect((await read((_, response) => json(response, 404, {}))).events).toBeUndefined();
  });
});
