import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { answered, handleOf, probeOf, unanswered } from '../../../test/answers.ts';
import { closedAfterEach } from '../../../test/closing.ts';
import { sendJson, serveHttp, type Received } from '../../../test/local-server.ts';
import { useFastClock } from '../../../test/fast-clock.ts';
import { createRecorder, type Recorder } from '../../evidence/recorder.ts';
import { createRedactor } from '../../evidence/redact.ts';
import type { Exchange, HostHandle } from '../client.ts';
import { KEPT_EVENTS } from './event-log.ts';
import { followRun, followUntil, type AwaitedRun, type FollowedRun } from './follow.ts';
import { createHostClient } from '../undici-client.ts';
import { createStandstill } from './standstill.ts';
import type { Standstill } from '../probe.ts';

const opened = closedAfterEach();

interface Wire {
  readonly eventId: string;
  readonly type: string;
  readonly sequence: number;
  readonly payload: unknown;
}

/** A log of `length` events, the last of which ends the run. */
function log(length: number): readonly Wire[] {
  return Array.from({ length }, (_, sequence) => ({
    eventId: `e${sequence}`,
    type: sequence === length - 1 ? 'run.completed' : 'node.started',
    sequence,
    payload: { at: sequence },
  }));
}

function sse(event: object, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(event)}\n\n`;
}

type Answer = (received: Received, response: ServerResponse) => void;

/** A log as a document. */
function listing(events: readonly Wire[]): Answer {
  return (_, response) => sendJson(response, { events, isComplete: true });
}

interface Host {
  readonly stream?: Answer;
  readonly json?: Answer;
  readonly poll?: Answer;
}

function route(host: Host, received: Received, response: ServerResponse): void {
  const wantsStream = received.headers.accept === 'text/event-stream';
  const isPoll = received.url.includes('/events/poll');
  const answer = isPoll ? host.poll : wantsStream ? (host.stream ?? host.json) : host.json;
  if (answer === undefined) sendJson(response, { error: 'not_found', message: 'no' }, 404);
  else answer(received, response);
}

interface Followed {
  readonly run: FollowedRun;
  readonly requests: readonly Received[];
  readonly recorder: Recorder;
}

async function follow(host: Host, timeoutMs = 20_000, runId = 'r'): Promise<Followed> {
  const { probe, requests, recorder } = await connect(host, timeoutMs);
  return { run: await followRun(probe, probe.host, runId), requests, recorder };
}

/** Follows a run until an event, the second one. */
async function toSecond(host: Host, until = 1): Promise<AwaitedRun> {
  const { probe } = await connect(host, 2000);
  return followUntil(probe, probe.host, { runId: 'r', until: ({ sequence }) => sequence === until });
}

async function connect(host: Host, timeoutMs: number) {
  const requests: Received[] = [];
  const { baseUrl } = opened(
    await serveHttp((received, response) => {
      requests.push(received);
      route(host, received, response);
    }),
  );
  const recorder = createRecorder(createRedactor([]));
  const limits = { timeoutMs, maxBodyBytes: 16_000_000, maxLogBytes: 16_000_000, maxHeaderBytes: 16_384 };
  const client = opened(createHostClient(limits, recorder, 4));
  const { signal } = new AbortController();
  const handle = client.handle({ baseUrl, credential: 'c', variable: 'K', scenario: 's', signal });
  return { probe: probeOf(handle, { timeoutMs, signal }), requests, recorder };
}

function sequences(run: FollowedRun): readonly number[] {
  return run.kind === 'ended' ? run.events.map((event) => event.sequence) : [];
}

function streaming(write: (received: Received, response: ServerResponse) => void): Answer {
  return (received, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    write(received, response);
  };
}

describe('followRun by SSE', () => {
  it('reads a whole stream and leaves an open connection at the terminal event', async () => {
    const { run, requests } = await follow({
      stream: streaming((_, response) => {
        response.write(
          `: hello\n\n${log(3)
            .map((event) => sse(event, event.sequence))
            .join('')}`,
        );
      }),
    });
    expect(run).toMatchObject({ kind: 'ended', status: 'completed', transport: 'sse', exchanges: ['x1'] });
    expect(sequences(run)).toEqual([0, 1, 2]);
    expect(requests).toHaveLength(1);
  });

  it('resumes a dropped connection after the last id, and keeps no event twice', async () => {
    const events = log(6);
    const resumed: unknown[] = [];
    const { run } = await follow({
      stream: streaming((received, response) => {
        const last = received.headers['last-event-id'];
        resumed.push(last);
        const from = last === undefined ? 0 : Number(last);
        const part = events.slice(from, from + 3);
        response.write(part.map((event) => sse(event, event.sequence)).join(''), () => {
          if (part.at(-1)?.type !== 'run.completed') response.destroy();
        });
      }),
    });
    expect(run).toMatchObject({ kind: 'ended', transport: 'sse' });
    expect(sequences(run)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(resumed).toEqual([undefined, '2', '4']);
  });

  describe.each(['json', 'poll'] as const)('where its numbers have gaps, and the %s shows the log', (way) => {
    const events = log(4);
    const lossy = streaming((_, response) => {
      response.write([...events.slice(0, 1), ...events.slice(2)].map((event) => sse(event, event.sequence)).join(''));
    });
    it('reads it there, if there is more of it', async () => {
      const { run } = await follow({ stream: lossy, [way]: listing(events) });
      expect(run).toMatchObject({ kind: 'ended', transport: way });
      expect(sequences(run)).toEqual([0, 1, 2, 3]);
    });

    it('keeps what was streamed, if there is not', async () => {
      const { run } = await follow({ stream: lossy, [way]: listing(events.slice(0, 2)) });
      expect(run).toMatchObject({ kind: 'ended', transport: 'sse' });
      expect(sequences(run)).toEqual([0, 2, 3]);
    });
  });

  it('reads it in the stream mode debug where its numbers have gaps and nothing else shows more of it', async () => {
    const hiding = streaming((received, response) => {
      const shown = received.url.includes('streamMode=debug')
        ? log(4)
        : log(4).filter(({ sequence }) => sequence !== 1);
      response.write(shown.map((event) => sse(event, event.sequence)).join(''));
    });
    const { run } = await follow({ stream: hiding });
    expect(run).toMatchObject({ kind: 'ended', transport: 'sse' });
    expect(sequences(run)).toEqual([0, 1, 2, 3]);
  });

  it('goes on to the debug mode where a list shows the end and hides as much', async () => {
    const hidden = log(5).filter(({ sequence }) => sequence !== 1);
    const { probe } = await connect(
      {
        stream: streaming((received, response) => {
          const shown = received.url.includes('streamMode=debug') ? log(5) : hidden.slice(0, 2);
          for (const event of shown) response.write(sse(event, event.sequence));
        }),
        json: listing(hidden),
      },
      2000,
    );
    const run = await followUntil(probe, probe.host, { runId: 'r', until: ({ sequence }) => sequence === 2 });
    expect(run).toMatchObject({ kind: 'ended', events: [0, 1, 2, 3, 4].map((sequence) => ({ sequence })) });
  });

  it('keeps an event that one connection sends twice', async () => {
    const [first, last] = log(2);
    const { run } = await follow({
      stream: streaming((_, response) => response.end([first, first, last].map((each) => sse(each ?? {}, 1)).join(''))),
    });
    expect(sequences(run)).toEqual([0, 0, 1]);
  });

  it('reads a list where the stream repeats events and the list does not', async () => {
    const twice = log(3).flatMap((event) => [event, event]);
    const stream: Answer = (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(twice.map((event) => sse(event, event.sequence)).join(''));
    expect(sequences((await follow({ stream, json: listing(log(3)) })).run)).toEqual([0, 1, 2]);
    expect(sequences((await follow({ stream, json: listing(twice) })).run)).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it('reads seq and data', async () => {
    const { run } = await follow({
      stream: streaming((_, response) =>
        response.end(sse({ eventId: 'e', type: 'run.failed', seq: 1, data: { why: 1 } }, 1)),
      ),
    });
    expect(run).toMatchObject({ status: 'failed', events: [{ sequence: 1, payload: { why: 1 } }] });
  });

  it.each([null, {}])('reads elsewhere what events say that are all streamed with the payload %j', async (payload) => {
    const events = log(3);
    const mute = events.map((event) => ({ ...event, payload }));
    const stream = streaming((_, response) => {
      response.end(mute.map((event) => sse(event, event.sequence)).join(''));
    });
    for (const way of ['json', 'poll'] as const) {
      expect((await follow({ stream, [way]: listing(events) })).run).toMatchObject({ transport: way, events });
      expect((await follow({ stream, [way]: listing(mute) })).run).toMatchObject({ transport: 'sse', events: mute });
    }
  });

  it('fetches the full log where events come reduced', async () => {
    const { run } = await follow({
      stream: streaming((_, response) =>
        response.end('event: run.completed\nid: 1\ndata: {"type":"run.completed"}\n\n'),
      ),
      json: (_, response) => sendJson(response, { events: log(2) }),
    });
    expect(run).toMatchObject({ kind: 'ended', transport: 'json' });
    expect(sequences(run)).toEqual([0, 1]);
  });

  it('leaves a stream of reduced events that stays open, and does not wait for its end', async () => {
    const { run } = await follow({
      stream: streaming((_, response) => response.write('event: x\nid: 1\ndata: {"type":"x"}\n\n')),
      json: (_, response) => sendJson(response, { events: log(2) }),
    });
    expect(run).toMatchObject({ kind: 'ended', transport: 'json' });
  });

  it('passes over notices, which are no events that came reduced', async () => {
    const notices = ['event: ping\ndata: {"alive":true}\n\n', 'event: run.annotated\ndata: {"runId":"r"}\n\n'];
    const stream = streaming((_, response) => {
      response.end(
        log(3)
          .flatMap((event) => [...notices, sse(event, event.sequence)])
          .join(''),
      );
    });
    const { run } = await follow({ stream });
    expect(run).toMatchObject({ kind: 'ended', transport: 'sse' });
    expect(sequences(run)).toEqual([0, 1, 2]);
  });

  it.each(['{', '[]', 'null', '['.repeat(5000)])('turns to polling where an event’s data is %s', async (data) => {
    const { run } = await follow({
      stream: streaming((_, response) => response.end(`id: 1\ndata: ${data}\n\n`)),
      poll: (_, response) => sendJson(response, { events: log(2) }),
    });
    expect(run).toMatchObject({ kind: 'ended', transport: 'poll' });
  });

  it('gives up reconnecting to a stream that says one more thing each time', async () => {
    let connections = 0;
    const { run } = await follow({
      stream: streaming((_, response) => {
        connections += 1;
        response.end(sse({ eventId: `e${connections}`, type: 'tick', sequence: connections, payload: 0 }, connections));
      }),
      json: (_, response) => sendJson(response, { events: log(1) }),
    });
    expect(run).toMatchObject({ transport: 'json' });
    expect(connections).toBe(50);
  });

  it('sends a host’s odd event id nowhere it cannot stand', async () => {
    const { run } = await follow({
      stream: streaming((_, response) =>
        response.end(
          `id: \u{1f600}\u0001\ndata: ${JSON.stringify({ eventId: 'e', type: 'x', sequence: 1, payload: 0 })}\n\n`,
        ),
      ),
      json: (_, response) => sendJson(response, { events: log(1) }),
    });
    expect(run).toMatchObject({ kind: 'ended', transport: 'json' });
  });
});

describe('followRun without SSE', () => {
  it('reads the JSON log, as an object or a bare array', async () => {
    for (const answer of [{ events: log(3) }, log(3)]) {
      const { run } = await follow({ json: (_, response) => sendJson(response, answer) });
      expect(run).toMatchObject({ kind: 'ended', transport: 'json' });
      expect(sequences(run)).toEqual([0, 1, 2]);
    }
  });

  it('reads the poll endpoint, asking again until the run ends', async () => {
    let turn = 0;
    const events = log(4);
    const { run } = await follow({
      poll: (received, response) => {
        turn += 1;
        const after = Number(new URL(received.url, 'http://h').searchParams.get('lastSequence') ?? -1);
        sendJson(response, {
          events: events.slice(0, turn).filter((event) => event.sequence > after),
          isComplete: false,
        });
      },
    });
    expect(run).toMatchObject({ kind: 'ended', transport: 'poll' });
    expect(sequences(run)).toEqual([0, 1, 2, 3]);
  });

  it.each(['lastSequence', 'since'])('goes on page by page by %s, from a start without a cursor', async (name) => {
    const events = log(10);
    const { run, requests } = await follow({
      poll: (received, response) => {
        const after = Number(new URL(received.url, 'http://h').searchParams.get(name) ?? -1);
        sendJson(response, { events: events.filter((event) => event.sequence > after).slice(0, 3) });
      },
    });
    expect(sequences(run)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const polls = requests.filter(({ url }) => url.includes('/poll'));
    expect(polls[0]?.url).toBe('/v1/runs/r/events/poll');
    expect(polls[1]?.url).toBe('/v1/runs/r/events/poll?lastSequence=2');
  });

  it('reads the whole log from a host that knows no cursor at all', async () => {
    const events = log(3);
    let polls = 0;
    const { run } = await follow({
      poll: (_, response) => {
        polls += 1;
        sendJson(response, { events: polls < 4 ? events.slice(0, 2) : events });
      },
    });
    expect(sequences(run)).toEqual([0, 1, 2]);
  });

  it('encodes the run id', async () => {
    const { requests } = await follow({ json: (_, response) => sendJson(response, log(1)) }, 2000, 'a/b c');
    expect(requests.every(({ url }) => url.startsWith('/v1/runs/a%2Fb%20c/events'))).toBe(true);
  });
});

/** A host in this process whose poll endpoint always answers with this text, and that has nothing else. */
function polled(text: string | undefined): HostHandle {
  return handleOf(async ({ path }) =>
    text !== undefined && path.includes('/events/poll') ? answered(200, text) : answered(404),
  );
}

describe('followRun gives up when its time is over', () => {
  useFastClock();

  it.each([
    [
      JSON.stringify({ events: log(3).slice(0, 2) }),
      /^the log has no terminal event yet: it ends with node.started at sequence 1$/u,
    ],
    [JSON.stringify({ events: [] }), /^the log has no terminal event yet: it shows no event$/u],
    [undefined, /answered 404/u],
    ['<html>', /poll: /u],
    [JSON.stringify({ events: 'none' }), /no list of events/u],
    [JSON.stringify([1]), /\/events\/0 is no event$/u],
    [JSON.stringify([{ ...log(1)[0], eventId: 7 }]), /no event: its eventId is a JSON number, not a string$/u],
    [JSON.stringify([{ ...log(1)[0], type: null }]), /no event: it has no type$/u],
    [JSON.stringify([{ ...log(1)[0], sequence: 1.5 }]), /no event: its sequence is 1\.5, no whole number from 0$/u],
    [JSON.stringify([{ ...log(1)[0], sequence: undefined }]), /no event: it has no sequence$/u],
  ])('with the reason of the last answer: %s', async (text, reason) => {
    const run = await followRun({ timeoutMs: 2_000, signal: new AbortController().signal }, polled(text), 'r');
    expect(run).toMatchObject({ kind: 'unfinished', reason: expect.stringMatching(reason) as string });
    expect(run.exchanges.length).toBeGreaterThan(2);
    expect(run.exchanges.length).toBeLessThan(60);
  });
});

describe('followRun of a log that is refused in each way', () => {
  useFastClock();

  it('waits for one time-out, and in the same scenario not again', async () => {
    const patience = { timeoutMs: 30_000, signal: new AbortController().signal };
    const begun = Date.now();
    const first = await followRun(patience, polled(undefined), 'r');
    expect(first).toMatchObject({ kind: 'unfinished', reason: expect.stringMatching(/answered 404/u) as string });
    expect(Date.now() - begun).toBeGreaterThanOrEqual(30_000);
    expect(Date.now() - begun).toBeLessThan(35_000);
    const between = Date.now();
    expect((await followRun(patience, polled(undefined), 's')).kind).toBe('unfinished');
    expect(Date.now() - between).toBeLessThan(3_000);
  });
});

describe('followRun gives up', () => {
  it('on a stream that stays open without an end', async () => {
    const { run } = await follow({ stream: streaming((_, response) => void response.write(': still here\n\n')) }, 100);
    expect(run).toMatchObject({ kind: 'unfinished' });
  });

  it('on a log that is longer than what is kept, without an exception', async () => {
    const endless = Array.from({ length: 130_000 }, (_, n) =>
      sse({ eventId: `${n}`, type: 't', sequence: n, payload: 0 }, n),
    );
    const { run } = await follow({ stream: streaming((_, response) => response.end(endless.join(''))) });
    expect(run).toMatchObject({ kind: 'unfinished', reason: 'the log is longer than what is kept' });
  });

  it('on a poll that always has more', async () => {
    let next = 0;
    const { run } = await follow({
      poll: (_, response) => {
        const events = Array.from({ length: KEPT_EVENTS / 10 }, () => {
          next += 1;
          return { eventId: `e${next}`, type: 't', sequence: next, payload: 0 };
        });
        sendJson(response, { events });
      },
    });
    expect(run).toMatchObject({ kind: 'unfinished', reason: 'the log is longer than what is kept' });
    expect(run.exchanges.length).toBeLessThan(20);
  });
});

describe('followUntil', () => {
  const open = log(5).slice(0, 3);

  it('leaves an open stream at the event', async () => {
    const run = await toSecond({
      stream: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of open) response.write(sse(event, event.sequence));
      },
    });
    expect(run).toMatchObject({ kind: 'reached', events: [{ sequence: 0 }, { sequence: 1 }, { sequence: 2 }] });
  });

  it.each(['poll', 'debug'] as const)('reads what a stream hides up to the event: %s', async (way) => {
    const all = log(9).slice(0, 3);
    const run = await toSecond(
      {
        stream: (received, response) => {
          const shown =
            way === 'debug' && received.url.includes('streamMode=debug') ? all : [...all.slice(0, 1), ...all.slice(2)];
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (const event of shown) response.write(sse(event, event.sequence));
        },
        ...(way === 'poll' ? { poll: listing(all) } : {}),
      },
      2,
    );
    expect(run).toMatchObject({ kind: 'reached', events: [{ sequence: 0 }, { sequence: 1 }, { sequence: 2 }] });
  });

  it('finds the event in a polled log', async () => {
    const run = await toSecond({ json: (_, response) => sendJson(response, { events: open }) });
    expect(run.kind).toBe('reached');
  });

  it('tells a run that has ended as ended', async () => {
    const run = await toSecond({ json: (_, response) => sendJson(response, { events: log(4) }) });
    expect(run).toMatchObject({ kind: 'ended', status: 'completed' });
  });
});

/** A host in this process that answers with what there is for a kind of path, and else with 404. */
function showing(
  answers: {
    readonly json?: () => unknown;
    readonly poll?: () => unknown;
    readonly run?: () => unknown;
  },
  standstill?: Standstill,
  caller = 'a key',
) {
  const handle = handleOf(async ({ path }) => {
    const answer = path.includes('/poll') ? answers.poll : path.includes('/events') ? answers.json : answers.run;
    return answer === undefined ? answered(404) : answered(200, answer());
  });
  const patience = { timeoutMs: 2_000, signal: new AbortController().signal, standstill };
  return followRun(patience, { ...handle, caller }, 'r');
}

describe('a log that cannot be followed', () => {
  useFastClock();
  const open = log(4).slice(0, 3);

  it.each(['completed', 'failed', 'cancelled'])('is left where its snapshot says %s', async (status) => {
    const run = await showing({ json: () => open, run: () => ({ runId: 'r', status }) });
    const left = { events: open, snapshot: { runId: 'r', status } };
    expect(run).toMatchObject({
      kind: 'unfinished',
      reason: expect.stringContaining('no terminal event') as string,
      left,
    });
  });

  it('is left where its stream stays open without an end for as long as it may take', async () => {
    const handle = handleOf(async ({ path }) =>
      answered(200, path.includes('/events') ? { events: open } : { status: 'cancelled' }),
    );
    const silent: HostHandle = {
      ...handle,
      stream: async (request, reader) => {
        reader.head(200, { 'content-type': 'text/event-stream' });
        for (const event of request.headers?.['last-event-id'] === undefined ? open : [])
          reader.text(sse(event, event.sequence));
        await new Promise((done) => setTimeout(done, 2_000));
        return answered(200, '');
      },
    };
    const patience = { timeoutMs: 2_000, signal: new AbortController().signal };
    expect(await followRun(patience, silent, 'r')).toMatchObject({ kind: 'unfinished', left: { events: open } });
  });

  it('is left where it stays empty, though its snapshot says that it has ended', async () => {
    const run = await showing({ json: () => [], run: () => ({ status: 'completed' }) });
    expect(run).toMatchObject({ kind: 'unfinished', left: { events: [], snapshot: { status: 'completed' } } });
  });

  it.each<readonly [why: string, events: (turn: number) => unknown, snapshot: unknown]>([
    ['it is empty, and its snapshot says that it goes on', () => [], { status: 'running' }],
    ['its snapshot says that it goes on', () => open, { status: 'running' }],
    ['it has a snapshot of nobody', () => open, null],
    ['it grows', (turn) => log(1_000).slice(0, turn), { status: 'completed' }],
  ])('is waited for where %s', async (_, events, snapshot) => {
    let turn = 0;
    const json = (): unknown => {
      turn += 1;
      return events(turn);
    };
    const run = await showing({ json, run: () => snapshot });
    expect(run.kind).toBe('unfinished');
    expect(run).not.toHaveProperty('left');
  });

  it('is read to the end where that comes after the snapshot', async () => {
    const begun = Date.now();
    const json = (): unknown => (Date.now() < begun + 1_500 ? open : log(4));
    expect((await showing({ json, run: () => ({ status: 'completed' }) })).kind).toBe('ended');
  });

  it.each([2.5, '2', -1, null])('is left where one of its numbers is %s', async (sequence) => {
    const events = log(4).map((event, index) => (index === 2 ? { ...event, sequence } : event));
    const run = await showing({ json: () => events });
    expect(run).toMatchObject({ kind: 'unfinished', left: { events, snapshot: null } });
  });

  it('is followed in another way where its numbers are right there', async () => {
    const events = log(4).map((event) => ({ ...event, sequence: String(event.sequence) }));
    const run = await showing({ json: () => events, poll: () => ({ events: log(4) }) });
    expect(run).toMatchObject({ kind: 'ended', transport: 'poll' });
  });
});

const run = (): unknown => ({ status: 'running' });

describe('a host on which runs stand still', () => {
  useFastClock();
  const begun = log(4).slice(0, 2);

  it('is not waited for again, as long as no run of it moves', async () => {
    const standstill = createStandstill();
    const start = Date.now();
    const took = async (answers: Parameters<typeof showing>[0]) => {
      const followed = await showing(answers, standstill);
      return [followed.kind, Math.floor((Date.now() - start) / 1_000)];
    };
    expect(await took({ json: () => begun, run })).toEqual(['unfinished', 6]);
    expect(standstill.standing()).toBe('r');
    expect(await took({ json: () => begun, run })).toEqual(['unfinished', 7]);
    // One that its snapshot shows otherwise is followed.
    expect(await took({ json: () => log(4), run: () => ({ status: 'completed' }) })).toEqual(['ended', 7]);
    expect(standstill.standing()).toBeUndefined();
    expect(await took({ json: () => begun, run })).toEqual(['unfinished', 13]);
    expect(standstill.standing()).toBeUndefined();
  });

  it('is not one whose logs go on, are not read, or have no end though their runs have', async () => {
    const standstill = createStandstill();
    let turn = 0;
    await showing({ json: () => log(1_000).slice(0, (turn += 1)), run }, standstill);
    await showing({ run }, standstill);
    await showing({ json: () => begun, run: () => ({ status: 'completed' }) }, standstill);
    expect(standstill.standing()).toBeUndefined();
  });

  it('is waited for again where the run that stood still moved at last', async () => {
    const standstill = createStandstill();
    standstill.stood('before');
    const start = Date.now();
    // In turn, the run itself and the one before it.
    let asked = 0;
    const running = (): unknown => ({ status: (asked += 1) % 2 === 1 ? 'running' : 'completed' });
    await showing({ json: () => begun, run: running }, standstill);
    expect(Date.now() - start).toBeGreaterThan(2_000);
  });

  it('says what it waits for, and what to do', async () => {
    const standstill = createStandstill();
    standstill.stood('r');
    const reason =
      'its snapshot says running, and no run of the host was seen to go on: let the host carry out the runs that it makes';
    expect(await showing({ json: () => begun, run }, standstill)).toMatchObject({ kind: 'unfinished', reason });
  });
});

describe('a host of which no run was read to its end', () => {
  useFastClock();
  const begun = log(4).slice(0, 2);
  const ended = { json: () => log(4), run: () => ({ status: 'completed' }) };
  let turn = 2;
  const waits = {
    'a log that is refused': { run },
    'a log without an end': { json: () => begun, run: () => ({ status: 'completed' }) },
    'a log that goes on and on': { json: () => log(1_000).slice(0, (turn += 1)), run },
  };

  it.each(Object.entries(waits))('has %s waited for once, until one was', async (_, answers) => {
    const standstill = createStandstill();
    const took = async (given: Parameters<typeof showing>[0], caller?: string): Promise<number> => {
      const start = Date.now();
      await showing(given, standstill, caller);
      return Date.now() - start;
    };
    expect(await took(answers)).toBeGreaterThanOrEqual(2_000);
    expect(await took(answers)).toBeLessThan(2_000);
    await took(ended, 'the key of another tenant');
    expect(await took(answers)).toBeLessThan(2_000);
    await took(ended);
    expect(await took(answers)).toBeGreaterThanOrEqual(2_000);
  });
});

const isOver = (): unknown => ({ status: 'completed' });

describe('logs of runs that have ended', () => {
  useFastClock();
  it('have one time-out for their first event, and further ones a while, whatever other logs show', async () => {
    const standstill = createStandstill();
    const took = async (events: readonly unknown[]): Promise<number> => {
      const start = Date.now();
      await showing({ json: () => events, run: isOver }, standstill);
      return Date.now() - start;
    };
    expect(await took([])).toBeGreaterThanOrEqual(2_000);
    expect(await took(log(4))).toBeLessThan(1_000);
    const again = await took([]);
    expect(again).toBeGreaterThanOrEqual(500);
    expect(again).toBeLessThan(2_000);
    // Nothing is known of the ends of logs that have begun.
    expect(await took(log(4).slice(0, 2))).toBeGreaterThanOrEqual(2_000);
  });
});

it('is not waited for where no way has ever answered', async () => {
  const silent: Exchange = { ...unanswered('timeout', 'late'), mute: true };
  let asked = 0;
  const handle = handleOf(async () => ((asked += 1), silent));
  const { signal } = new AbortController();
  const followed = await followRun({ timeoutMs: 30_000, signal }, handle, 'r');
  expect(followed).toMatchObject({ kind: 'unfinished', reason: expect.stringContaining('late') as string });
  expect(asked).toBe(3);
});
