import { describe, expect, it } from 'vitest';
import { useFastClock } from '../../test/fast-clock.ts';
import type { Exchange, HostHandle, HostRequest } from '../../src/host/client.ts';
import { readJsonText } from '../../src/host/json.ts';
import { sequenceOf } from '../../src/host/log/shown.ts';
import type { Probe } from '../../src/host/probe.ts';
import { readBy } from './reading.ts';

interface Answer {
  /** Nothing more comes: the connection fails behind the text. */
  readonly fails?: true;
  readonly status?: number;
  readonly type?: string;
  readonly text: string;
}

/** A probe whose host answers by function; `paths` are what it was asked. */
function probeOf(answer: (request: HostRequest) => Answer) {
  const paths: string[] = [];
  const failure = { kind: 'failure', reason: 'timeout', message: 'no complete answer' } as const;
  const exchangeOf = (request: HostRequest) => {
    const { status = 200, type = 'application/json', text, fails } = answer(request);
    paths.push(request.path);
    const id = `x${paths.length}`;
    const response = { kind: 'response', status, headers: { 'content-type': type }, text } as const;
    const whole: Extract<Exchange, { kind: 'response' }> = { id, ...response, json: readJsonText(text) };
    // Of a stream that fails what came is there.
    const exchange = type === 'text/event-stream' ? { ...whole, cut: true as const } : { id, ...failure };
    return { whole, exchange: fails === true ? exchange : whole };
  };
  const host: HostHandle = {
    baseUrl: 'http://h',
    exchange: async (request) => exchangeOf(request).exchange,
    stream: async (request, reader) => {
      const { whole, exchange } = exchangeOf(request);
      if (reader.head(whole.status, whole.headers) === 'read') reader.text(whole.text);
      return exchange;
    },
  };
  const probe = { host, signal: new AbortController().signal } as Partial<Probe> as Probe;
  return { probe, paths };
}

const event = (type: string, sequence: number) => ({ eventId: `e${sequence}`, type, sequence, payload: {} });
const LOG = [event('run.started', 0), event('node.started', 1), event('run.completed', 2)];
const list = (events: readonly object[]): Answer => ({ text: JSON.stringify({ events }) });
const stream = (events: readonly { readonly sequence: number }[]): Answer => ({
  type: 'text/event-stream',
  text: events.map((each) => `id: ${each.sequence}\ndata: ${JSON.stringify(each)}\n\n`).join(''),
});
const whole = { run: 'run', runId: 'r', how: 'start' } as const;
const after = { ...whole, how: 'resumed', after: { sequence: 1, id: '1' } } as const;
const numbers = (reading: Awaited<ReturnType<typeof readBy>>) => reading?.events.map(sequenceOf);

useFastClock();

describe('a stream', () => {
  it('is read in the mode that shows everything, past its terminal event', async () => {
    const { probe, paths } = probeOf(() => stream([...LOG, event('log.appended', 3)]));
    const reading = await readBy(probe, 'sse', whole);
    expect(numbers(reading)).toEqual([0, 1, 2, 3]);
    expect(reading).toMatchObject({ partial: false, transport: 'sse', after: null });
    expect(paths).toEqual(['/v1/runs/r/events?streamMode=debug']);
  });

  it('may carry messages of its own, which are no events of the log', async () => {
    const text = `event: open\ndata: {"ok":true}\n\n${stream(LOG).text}event: done\ndata: [DONE]\n\n`;
    const { probe } = probeOf(() => ({ type: 'text/event-stream', text }));
    expect(numbers(await readBy(probe, 'sse', whole))).toEqual([0, 1, 2]);
  });

  it('is read in its default mode, which may leave types out, where it knows no other', async () => {
    const { probe } = probeOf(({ path }) => (path.includes('?') ? { status: 400, text: '{}' } : stream(LOG)));
    expect(await readBy(probe, 'sse', whole)).toMatchObject({ partial: true });
  });

  it('that was cut off is resumed after its last id', async () => {
    const { probe } = probeOf(({ headers }) =>
      headers?.['last-event-id'] === '1' ? stream(LOG.slice(2)) : stream(LOG.slice(0, 2)),
    );
    expect(numbers(await readBy(probe, 'sse', whole))).toEqual([0, 1, 2]);
  });

  it('that fails before its end says that it was cut off, and one that stays open behind it does not', async () => {
    const { probe } = probeOf(({ headers }) => {
      const resumed = headers?.['last-event-id'] === '1';
      return { ...stream(resumed ? [] : LOG.slice(0, 2)), fails: true };
    });
    expect(await readBy(probe, 'sse', whole)).toMatchObject({ cut: true, events: [{}, {}] });
    expect(await readBy(probeOf(() => ({ ...stream([]), fails: true })).probe, 'sse', after)).toHaveProperty('cut');
    expect(await readBy(probeOf(() => ({ ...stream(LOG), fails: true })).probe, 'sse', whole)).not.toHaveProperty(
      'cut',
    );
    expect(await readBy(probeOf(() => ({ ...stream(LOG), fails: true })).probe, 'sse', whole)).toHaveProperty('open');
    expect(await readBy(probeOf(() => stream(LOG)).probe, 'sse', whole)).not.toHaveProperty('open');
    expect(await readBy(probeOf(() => stream(LOG.slice(0, 2))).probe, 'sse', whole)).not.toHaveProperty('cut');
  });

  it('that says nothing new is not resumed for ever', async () => {
    const { probe, paths } = probeOf(() => stream(LOG.slice(0, 1)));
    await readBy(probe, 'sse', whole);
    expect(paths).toHaveLength(2);
  });

  it('is not offered where something else is answered', async () => {
    const { probe } = probeOf(() => list(LOG));
    expect(await readBy(probe, 'sse', whole)).toBeUndefined();
  });
});

describe('the JSON log', () => {
  it('is an object with events or a list of them', async () => {
    for (const answer of [list(LOG), { text: JSON.stringify(LOG) }]) {
      expect(numbers(await readBy(probeOf(() => answer).probe, 'json', whole))).toEqual([0, 1, 2]);
    }
  });

  it.each([{ isComplete: false }, { isTerminal: false }, { hasMore: true }])(
    'that says %j before its end was cut off, and a whole one was not',
    async (said) => {
      const answer = (events: readonly unknown[]): Answer => ({ text: JSON.stringify({ events, ...said }) });
      const part = await readBy(probeOf(() => answer(LOG.slice(0, 2))).probe, 'json', whole);
      expect(part).toMatchObject({ cut: true, events: [{}, {}] });
      expect(await readBy(probeOf(() => answer(LOG)).probe, 'json', whole)).not.toHaveProperty('cut');
    },
  );

  it('without its end that does not say so was not cut off', async () => {
    const { probe } = probeOf(() => list(LOG.slice(0, 2)));
    expect(await readBy(probe, 'json', whole)).not.toHaveProperty('cut');
  });

  it('is not offered where a stream or a refusal is answered, and not resumed', async () => {
    expect(await readBy(probeOf(() => stream(LOG)).probe, 'json', whole)).toBeUndefined();
    expect(await readBy(probeOf(() => ({ status: 406, text: '{}' })).probe, 'json', whole)).toBeUndefined();
    expect(await readBy(probeOf(() => list(LOG)).probe, 'json', after)).toBeUndefined();
  });
});

/** Pages of a log; a cursor that is inclusive repeats the event that it names. */
function paged({ size, isInclusive = false }: { readonly size: number; readonly isInclusive?: boolean }) {
  return ({ path }: HostRequest): Answer => {
    const cursor = Number(new URL(path, 'http://h').searchParams.get('lastSequence') ?? -1);
    return list(LOG.filter(({ sequence }) => sequence > (isInclusive ? cursor - 1 : cursor)).slice(0, size));
  };
}

/** Pages of one event each behind a cursor that has its older name alone. */
function pageSince({ path }: HostRequest): Answer {
  const since = Number(new URL(path, 'http://h').searchParams.get('since') ?? -1);
  const events = LOG.filter(({ sequence }) => sequence > since).slice(0, 1);
  return { text: JSON.stringify({ events, isTerminal: since > 0 }) };
}

/** A page of a run that waits: the first one says that it is over, the empty one after it does not. */
function pageSaying(query: string | undefined) {
  const events = query === undefined ? LOG.slice(0, 2) : [];
  return { text: JSON.stringify({ events, isComplete: query === undefined }) };
}

/** The reading of a run that waits, whose pages say this beside their events. */
function readWaiting(says: object) {
  const { probe } = probeOf(({ path }) => ({
    text: JSON.stringify({ events: path.includes('?') ? [] : LOG.slice(0, 2), ...says }),
  }));
  return readBy(probe, 'poll', { ...whole, how: 'waiting' });
}

describe('the poll endpoint', () => {
  it.each([false, true])(
    'is read page by page to the end (a cursor that repeats its event: %s)',
    async (isInclusive) => {
      expect(numbers(await readBy(probeOf(paged({ size: 2, isInclusive })).probe, 'poll', whole))).toEqual([0, 1, 2]);
    },
  );

  it('is read to its end also from a cursor on', async () => {
    const from = { ...whole, how: 'resumed', after: { sequence: 0, id: '0' } } as const;
    expect(numbers(await readBy(probeOf(paged({ size: 1 })).probe, 'poll', from))).toEqual([1, 2]);
  });

  it('is asked again, a few times, until it shows the end', async () => {
    let asked = 0;
    const { probe } = probeOf(() => list((asked += 1) < 3 ? LOG.slice(0, 2) : LOG));
    expect(numbers(await readBy(probe, 'poll', whole))).toEqual([0, 1, 2]);
    const never = probeOf(() => list(LOG.slice(0, 2)));
    expect(numbers(await readBy(never.probe, 'poll', whole))).toEqual([0, 1]);
    const turns = () => never.paths.filter((path) => path === '/v1/runs/r/events/poll').length;
    const waited = turns();
    expect(waited).toBeGreaterThan(5);
    // Waiting in vain once is enough for a scenario.
    expect(numbers(await readBy(never.probe, 'poll', whole))).toEqual([0, 1]);
    expect(turns()).toBe(waited + 1);
  });

  it('of a run that waits is read once', async () => {
    for (const [transport, requests] of [
      ['json', 1],
      ['poll', 3],
    ] as const) {
      const { probe, paths } = probeOf(() => list(LOG.slice(0, 2)));
      expect(numbers(await readBy(probe, transport, { ...whole, how: 'waiting' }))).toEqual([0, 1]);
      expect(paths).toHaveLength(requests);
    }
  });

  it('of a run that waits says that it is over where any page does', async () => {
    const { probe } = probeOf(({ path }) => pageSaying(path.split('?')[1]));
    expect(await readBy(probe, 'poll', { ...whole, how: 'waiting' })).toMatchObject({ over: true });
  });

  it('of a run that waits says nothing of its end where every page is complete, and that it is over where one is terminal', async () => {
    expect(await readWaiting({ isComplete: true })).not.toHaveProperty('over');
    expect(await readWaiting({ isTerminal: true })).toMatchObject({ over: true });
    expect(await readWaiting({ isComplete: true, isTerminal: false })).toMatchObject({ over: false });
    expect(await readWaiting({ isComplete: false })).toMatchObject({ over: false });
  });

  it('is resumed under the older name of its cursor too, and not where it refuses both', async () => {
    const older = probeOf(({ path }) => list(path.includes('since=1') ? LOG.slice(2) : LOG));
    expect(await readBy(older.probe, 'poll', after)).toMatchObject({ after: 1, events: [{ data: LOG[2] }] });
    const refusing = probeOf(({ path }) => (path.includes('?') ? { status: 400, text: '{}' } : list(LOG)));
    expect(await readBy(refusing.probe, 'poll', after)).toBeUndefined();
  });

  it('that knows the older name alone is read on from its first event too', async () => {
    expect(await readBy(probeOf(pageSince).probe, 'poll', whole)).toMatchObject({ over: true, events: [{}, {}, {}] });
    const from = { ...whole, how: 'resumed', after: { sequence: 0, id: '0' } } as const;
    expect(numbers(await readBy(probeOf(pageSince).probe, 'poll', from))).toEqual([1, 2]);
  });

  it('whose cursor repeats its event says what its answer to that says, whatever the older name gives', async () => {
    const { probe } = probeOf(({ path }) => {
      const known = path.includes('lastSequence');
      return { text: JSON.stringify({ events: known ? LOG.slice(1) : LOG.slice(0, 2), isComplete: known }) };
    });
    expect(await readBy(probe, 'poll', whole)).toMatchObject({ over: true, events: [{}, {}, {}] });
    const shown = await readBy(probe, 'poll', after);
    expect(shown).toMatchObject({ over: true });
    expect(numbers(shown)).toEqual([1, 2]);
  });

  it('shows what its cursor does not leave out under either name, and pages that begin anew once', async () => {
    const ignoring = probeOf(() => list(LOG));
    expect(numbers(await readBy(ignoring.probe, 'poll', after))).toEqual([0, 1, 2]);
    expect(ignoring.paths.map((path) => path.split('?')[1])).toEqual(['lastSequence=1', 'since=1']);
    const first = probeOf(() => list(LOG.slice(0, 2)));
    expect(numbers(await readBy(first.probe, 'poll', after))).toEqual([0, 1]);
  });

  it.each([
    { failing: 'lastSequence', status: 500, text: '{}' },
    { failing: 'lastSequence', status: 200, text: '{"oops":1}' },
    { failing: 'since', status: 500, text: '{}' },
  ])('whose $failing is answered with $status $text tells nothing by another name that it ignores', async (answer) => {
    const ignoring = probeOf(({ path }) => (path.includes(answer.failing) ? answer : list(LOG)));
    expect(await readBy(ignoring.probe, 'poll', after)).toBeUndefined();
    const known = probeOf(({ path }) => (path.includes(answer.failing) ? answer : list(LOG.slice(1))));
    expect(numbers(await readBy(known.probe, 'poll', after))).toEqual([1, 2]);
  });

  it('that refuses the name of its cursor shows what it does not leave out under the other', async () => {
    const { probe } = probeOf(({ path }) => (path.includes('lastSequence') ? { status: 400, text: '{}' } : list(LOG)));
    expect(numbers(await readBy(probe, 'poll', after))).toEqual([0, 1, 2]);
  });

  it('that is lost on its way says that it was cut off, and is not asked under another name', async () => {
    const lost: Answer = { text: '', fails: true };
    const first = probeOf(({ path }) => (path.includes('lastSequence') ? lost : list(LOG.slice(0, 2))));
    expect(await readBy(first.probe, 'poll', whole)).toMatchObject({ cut: true, events: [{}, {}] });
    const noJson = probeOf(({ path }) => (path.endsWith('/poll') ? list(LOG.slice(0, 2)) : { text: '<html>' }));
    expect(await readBy(noJson.probe, 'poll', whole)).toMatchObject({ cut: true, events: [{}, {}] });
    const resumed = probeOf(({ path }) => (path.includes('lastSequence') ? { status: 503, text: '{}' } : list(LOG)));
    expect(await readBy(resumed.probe, 'poll', after)).toBeUndefined();
    expect(resumed.paths).toHaveLength(1);
  });

  it('says whether the run is over, perhaps only where nothing more is shown', async () => {
    const says = (over: (events: readonly unknown[]) => unknown) =>
      probeOf(({ path }) => {
        const events = path.includes('?') ? [] : LOG;
        return { text: JSON.stringify({ events, ...Object(over(events)) }) };
      }).probe;
    const atOnce = says(() => ({ isComplete: true }));
    const behind = says((events) => ({ isTerminal: events.length === 0 }));
    const never = says(() => ({ isComplete: false }));
    for (const [probe, over] of [
      [atOnce, true],
      [behind, true],
      [never, false],
    ] as const) {
      expect(await readBy(probe, 'poll', whole)).toMatchObject({ over, events: [{}, {}, {}] });
    }
    for (const said of [{}, { isComplete: 'true' }]) {
      expect(
        await readBy(
          says(() => said),
          'poll',
          whole,
        ),
      ).not.toHaveProperty('over');
    }
    const unlisted = probeOf(() => ({ text: '{"isComplete":true}' }));
    expect(await readBy(unlisted.probe, 'poll', whole)).toMatchObject({ over: true, events: [] });
  });

  it('shows an event that its cursor repeats', async () => {
    expect(numbers(await readBy(probeOf(() => list(LOG.slice(1))).probe, 'poll', after))).toEqual([1, 2]);
  });
});
