import { describe, expect, it } from 'vitest';
import { closedAfterEach } from '../../../test/closing.ts';
import { plainHandle } from '../../../test/plain-handle.ts';
import { sendJson, serveHttp, type Received } from '../../../test/local-server.ts';
import type { ServerResponse } from 'node:http';
import { type DebugReading, readDebugStream } from './debug.ts';

const opened = closedAfterEach();

/** Reads run `r` of a host that answers like this; `wantsStream` tells the two ways of asking apart. */
async function read(
  answer: (response: ServerResponse, wantsStream: boolean, received: Received) => void,
): Promise<DebugReading> {
  const server = await serveHttp((received, response) =>
    answer(response, received.headers.accept === 'text/event-stream', received),
  );
  return readDebugStream(opened(plainHandle(opened(server).baseUrl)).handle, 'r');
}

function event(type: string, sequence: number): object {
  return { eventId: `e${sequence}`, type, sequence, payload: {} };
}

/** Sends the head and these messages, and leaves the stream open. */
function stream(response: ServerResponse, messages: readonly string[]): void {
  response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .write(messages.map((each) => `${each}\n\n`).join(''));
}

const EVENTS = [event('replay.diverged', 1), event('run.completed', 2)];
const TYPES = ['replay.diverged', 'run.completed'];

describe('the stream mode debug', () => {
  it('is asked for by name, and left at the end of the run', async () => {
    let url = '';
    const reading = await read((response, _, received) => {
      url = received.url;
      stream(
        response,
        EVENTS.map((each) => `data: ${JSON.stringify(each)}`),
      );
    });
    expect(url).toBe('/v1/runs/r/events?streamMode=debug');
    expect(reading).toMatchObject({ answered: 200, types: TYPES, complete: true });
    expect(reading.events.map(({ type }) => type)).toEqual(TYPES);
  });

  it('may be reduced to types', async () => {
    const reading = await read((response) =>
      stream(response, ['event: replay.diverged\ndata: {"sequence":1}', 'data: {"type":"run.completed"}']),
    );
    expect(reading).toMatchObject({ types: TYPES, events: [], complete: true });
  });

  it('may come as JSON, whether a stream was asked for or not', async () => {
    expect(await read((response) => sendJson(response, { events: EVENTS }))).toMatchObject({
      types: TYPES,
      complete: true,
    });
    const reading = await read((response, wantsStream) =>
      wantsStream ? sendJson(response, {}, 406) : sendJson(response, EVENTS),
    );
    expect(reading).toMatchObject({ answered: 200, types: TYPES, complete: true });
    expect(reading.exchanges).toHaveLength(2);
  });

  it('is resumed behind the last id where it ends before the run, as long as that brings news', async () => {
    const asked: unknown[] = [];
    const parts = (response: ServerResponse, received: Received, most: number) => {
      const last = received.headers['last-event-id'];
      asked.push(last);
      const sequence = Number(last ?? 0) + 1;
      const shown = EVENTS.slice(sequence - 1, Math.min(sequence, most));
      const messages = shown.map((each) => `id: ${sequence}\ndata: ${JSON.stringify(each)}\n\n`);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(messages.join(''));
    };
    const whole = await read((response, _, received) => parts(response, received, 2));
    expect(whole).toMatchObject({ types: TYPES, complete: true });
    expect(whole.exchanges).toHaveLength(2);
    expect(asked).toEqual([undefined, '1']);
    const cut = await read((response, _, received) => parts(response, received, 1));
    expect(cut).toMatchObject({ types: TYPES.slice(0, 1), complete: false });
    expect(asked).toEqual([undefined, '1', undefined, '1']);
  });

  it('may not be there, or end before the run', async () => {
    const nothing = { types: [], events: [], complete: false };
    expect(await read((response) => sendJson(response, {}, 400))).toMatchObject({ answered: 400, ...nothing });
    const cut = await read((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: x\n\n'),
    );
    expect(cut).toMatchObject({ answered: 200, ...nothing });
  });
});
