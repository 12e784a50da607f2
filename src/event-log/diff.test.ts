import { describe, expect, it } from 'vitest';
import { compareEvents, diffLogs, type LogDiff } from './diff.ts';
import { readVolatile } from './volatile.ts';
import { event, inPieces, log, renamed, type WireEvent } from '../../test/event-logs.ts';

async function compare(
  source: readonly unknown[],
  replay: readonly unknown[],
  pointers: readonly string[] = [],
): Promise<LogDiff> {
  const volatile = readVolatile(pointers);
  if (!volatile.ok) throw new Error(volatile.message);
  const result = await diffLogs(inPieces(source), inPieces(replay), volatile.places);
  if (!result.ok) throw new Error(result.message);
  return result.diff;
}

function located(diff: LogDiff): unknown {
  return diff.first && { class: diff.first.class, pointer: diff.first.pointer, sequence: diff.first.sequence };
}

function changed(events: readonly WireEvent[], index: number, change: Partial<WireEvent>): readonly WireEvent[] {
  return events.map((each, at) => (at === index ? { ...each, ...change } : each));
}

function logging(payload: unknown, runId: string): readonly WireEvent[] {
  return log([event('log.appended', 'n', payload)], runId);
}

const SOURCE = log([
  event('run.started', undefined, { runId: 'run-s', inputs: {} }),
  event('node.started', 'ask', {}),
  event('provider.usage', 'ask', { tokens: 3 }),
  event('variable.changed', 'ask', { name: 'x', value: 1 }),
  event('node.completed', 'ask', { output: { at: '2026-04-01T00:00:00Z', n: 1 } }),
  event('memory.written', 'keep', { memoryId: 'm1', body: 'b' }),
  event('run.completed', undefined, {}),
]);
const REPLAY = renamed(SOURCE, 'run-r');

/** Three events, the last of which names two ids in its payload. */
function naming(ids: readonly [string, string], prefix: string): readonly WireEvent[] {
  const events = log([event('a', 'n', {}), event('b', 'n', {}), event('c', 'n', {})], `run-${prefix}`);
  return events.map((each, at) => ({ ...each, payload: at === 2 ? { after: ids[0], self: ids[1] } : {} }));
}

describe('ids of events in payloads', () => {
  it('are renamed like the events’ own', async () => {
    const diff = await compare(naming(['evt-s-1', 'evt-s-2'], 's'), naming(['evt-r-1', 'evt-r-2'], 'r'));
    expect(located(diff)).toBeUndefined();
  });

  it('are held to be the right ones', async () => {
    const diff = await compare(naming(['evt-s-1', 'evt-s-2'], 's'), naming(['evt-r-0', 'evt-r-2'], 'r'));
    expect(located(diff)).toMatchObject({ class: 'value', pointer: '/payload/after' });
  });
});

describe('the first divergence', () => {
  it('is none between a log and its renaming, whose masks and renames are told', async () => {
    const diff = await compare(SOURCE, REPLAY);
    expect(diff.first).toBeUndefined();
    expect(diff.masks).toEqual(['/runId', '/timestamp']);
    expect(diff.renamedIds).toBe(7);
    expect(diff.determinism).toEqual({
      sourceRunId: 'run-s',
      replayRunId: 'run-r',
      matchedEvents: 7,
      comparedEvents: 7,
      firstDivergenceSeq: null,
      score: 1,
    });
  });

  it.each([
    [3, { payload: { name: 'x', value: 2 } }, 'value', '/payload/value'],
    [3, { payload: { name: 'x' } }, 'value', '/payload/value'],
    [3, { payload: { name: 'x', value: 1, 'a/b': 1 } }, 'value', '/payload/a~1b'],
    [3, { payload: [1] }, 'value', '/payload'],
    [3, { nodeId: 'other' }, 'value', '/nodeId'],
    [3, { type: 'channel.written' }, 'type', '/type'],
    [3, { engineVersion: '2' }, 'value', '/engineVersion'],
    [3, { causationId: 'evt-r-0' }, 'value', '/causationId'],
    [4, { payload: { output: { at: '2026-04-02T00:00:00Z', n: 1 } } }, 'clock-leak', '/payload/output/at'],
    [4, { payload: { output: { at: '2026-04-02T00:00:00Z', n: 2 } } }, 'value', '/payload/output/at'],
    [5, { payload: { memoryId: 'm2', body: 'b' } }, 'regenerated-fact', '/payload/memoryId'],
    [5, { payload: { memoryId: 'm1', body: 'c' } }, 'value', '/payload/body'],
    [0, { payload: { runId: 'run-x', inputs: {} } }, 'value', '/payload/runId'],
  ] as const)('of event %i with %j is %s at %s', async (index, change, name, pointer) => {
    const diff = await compare(SOURCE, changed(REPLAY, index, change));
    expect(located(diff)).toEqual({ class: name, pointer, sequence: { source: index, replay: index } });
    expect(diff.determinism).toMatchObject({ matchedEvents: 6, comparedEvents: 7, firstDivergenceSeq: index });
  });

  it('is a missing event', async () => {
    const diff = await compare(
      SOURCE,
      log(
        SOURCE.filter((_, index) => index !== 3),
        'run-r',
      ),
    );
    expect(located(diff)).toEqual({ class: 'missing', pointer: '', sequence: { source: 3, replay: null } });
    expect(diff.determinism).toMatchObject({ matchedEvents: 6, comparedEvents: 7 });
    expect(diff.stateDiff).toEqual([{ pointer: '/variables/x', source: 1 }]);
  });

  it('is the end of a log that stops early', async () => {
    const diff = await compare(SOURCE, REPLAY.slice(0, 4));
    expect(located(diff)).toEqual({ class: 'missing', pointer: '', sequence: { source: 4, replay: null } });
    expect(diff.determinism).toMatchObject({ matchedEvents: 4, comparedEvents: 7 });
    expect(diff.eventDiffs.map(({ seq, op }) => [seq, op])).toEqual([4, 5, 6].map((seq) => [seq, 'removed']));
  });

  it('is an extra event, and everything behind it still matches', async () => {
    const added = event('variable.changed', 'keep', { name: 'y', value: 2 });
    const diff = await compare(SOURCE, log([...SOURCE.slice(0, 5), added, ...SOURCE.slice(5)], 'run-r'));
    expect(located(diff)).toEqual({ class: 'extra', pointer: '', sequence: { source: null, replay: 5 } });
    expect(diff.determinism).toMatchObject({ matchedEvents: 7, comparedEvents: 8 });
    expect(diff.first?.before.replay.variables).toEqual(new Map([['x', 1]]));
  });

  it('is an effect that happened again', async () => {
    const again = event('provider.usage', 'ask', { tokens: 4 });
    const diff = await compare(SOURCE, log([...SOURCE.slice(0, 3), again, ...SOURCE.slice(3)], 'run-r'));
    expect(located(diff)).toMatchObject({ class: 'duplicate-effect', sequence: { source: null, replay: 3 } });
  });

  it('is the order of two events', async () => {
    const [a, b, c, d, e, f, g] = SOURCE;
    const diff = await compare(
      SOURCE,
      log(
        [a, b, d, c, e, f, g].flatMap((each) => each ?? []),
        'run-r',
      ),
    );
    expect(located(diff)).toEqual({ class: 'order', pointer: '', sequence: { source: 2, replay: 2 } });
  });

  it.each([-1, -2])('is a sequence number that does not go up in one log only: %d', async (by) => {
    const back = REPLAY.map((each, index) => (index < 3 ? each : { ...each, sequence: each.sequence + by }));
    expect(located(await compare(SOURCE, back))).toMatchObject({ class: 'value', pointer: '/sequence' });
  });

  it('names the other places of the same event', async () => {
    const diff = await compare(SOURCE, changed(REPLAY, 4, { payload: { output: { at: 'x', n: 2 } } }));
    expect(diff.first).toMatchObject({ pointer: '/payload/output/at', alsoAt: ['/payload/output/n'] });
  });
});

function withMember(events: readonly WireEvent[], name: string, value: unknown): readonly WireEvent[] {
  return events.map((each) => ({ ...each, [name]: value }));
}

function namingParents(events: readonly WireEvent[], back: number): readonly WireEvent[] {
  return events.map((each, index) => ({ ...each, parentEventId: events[Math.max(0, index - back)]?.eventId ?? null }));
}

describe('what two logs may differ in', () => {
  it.each<readonly [string, unknown, unknown]>([
    ['ingestedAt', 1_764_000_000_000, 1_764_000_000_017],
    ['stored_at', '2026-01-01T00:00:00Z', '2026-01-01 00:00:01.5+02:00'],
    ['eventTime', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'],
    ['ts', 1_764_000_000, 1_764_000_001.5],
    ['ingestedAtMs', 1_764_000_000_000, 1_764_000_000_017],
    ['seen_at_ns', 1_764_000_000_000_000_000, 1_764_000_000_017_000_000],
    ['hlc', '1764000000000:1:eu-1', '1764000000017:2:eu-1'],
    ['vectorClock', { 'eu-1': 17 }, { 'eu-1': 29, 'us-1': 3 }],
    ['lamport', 3, 4],
    ['regionId', 'eu-1', undefined],
    ['traceId', '4bf92f3577b34da6a3ce929d0e0e4736', '0af7651916cd43dd8448eb211c80319c'],
    [
      'traceparent',
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    ],
    ['globalPosition', 17, 29],
  ])('a clock of the host’s own in the envelope: %s', async (name, a, b) => {
    const diff = await compare(withMember(SOURCE, name, a), withMember(REPLAY, name, b));
    expect(located(diff)).toBeUndefined();
    expect(diff.masks).toContain(`/${name}`);
  });

  it.each<readonly [string, unknown, unknown]>([
    ['zone', '2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'],
    ['ingestedAt', 'node-1', 'node-2'],
    ['ingestedAt', 3, 4],
    ['attempts', 1_764_000_000, 1_764_000_001],
    ['ingestedAt', 1_764_000_000_000, undefined],
    ['traceId', '4bf92f3577b34da6a3ce929d0e0e4736', undefined],
    ['globalPosition', 17, 'c'],
  ])('but no member that is no clock: %s %j', async (name, a, b) => {
    const diff = await compare(withMember(SOURCE, name, a), withMember(REPLAY, name, b));
    expect(located(diff)).toMatchObject({ pointer: `/${name}` });
  });

  it.each<readonly [string, string, string]>([
    ['ulid', '01ARZ3NDEKTSV4RRFFQ69G5FAV', '01JDBX1Q2M8Z6T4V9K3R7W5YHC'],
    ['storedAs', 'rec_6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'rec_f47ac10b-58cc-4372-a567-0e02b2c3d479'],
  ])('an id that is minted anew, one for one: %s', async (name, a, b) => {
    const [source, replay] = [withMember(SOURCE, name, a), withMember(REPLAY, name, b)];
    const diff = await compare(source, replay);
    expect(located(diff)).toBeUndefined();
    expect(diff.masks).toContain(`/${name}`);
    const mixed = replay.map((each, index) => (index === 1 ? { ...each, [name]: '01JDBX1Q2M8Z6T4V9K3R7W5YHD' } : each));
    expect(located(await compare(source, mixed))).toMatchObject({ pointer: `/${name}` });
    expect(located(await compare(source, withMember(REPLAY, name, 'another')))).toMatchObject({ pointer: `/${name}` });
  });

  it.each(['parentEventId', 'parent'])('an id like these that is an event’s names the same event: %s', async (name) => {
    const parents = (events: typeof SOURCE, by: number, back: number) => {
      const ids = events.map((_, index) => `evt_01ARZ3NDEKTSV4RRFFQ69G5F${by}${index}`);
      const idOf = (index: number) => ids[Math.max(0, index)] ?? '';
      return events.map(({ causationId: _cause, ...each }, index) => ({
        ...each,
        eventId: idOf(index),
        [name]: idOf(index - back),
      }));
    };
    const [source, replay, itself] = [parents(SOURCE, 1, 1), parents(REPLAY, 2, 1), parents(REPLAY, 2, 0)];
    expect(located(await compare(source, replay))).toBeUndefined();
    expect(located(await compare(source.slice(1), itself.slice(1)))).toMatchObject({ pointer: `/${name}` });
  });

  it('links to the events themselves', async () => {
    const linked = (events: typeof SOURCE, more = '') =>
      events.map((each) => ({ ...each, _links: { self: `/runs/${each.runId}/events/${each.eventId}${more}` } }));
    expect(located(await compare(linked(SOURCE), linked(REPLAY)))).toBeUndefined();
    expect(located(await compare(linked(SOURCE), linked(REPLAY, 'x')))).toMatchObject({ pointer: '/_links/self' });
  });

  it('an event that the envelope names beside its cause, as long as it is the same one', async () => {
    expect(located(await compare(namingParents(SOURCE, 1), namingParents(REPLAY, 1)))).toBeUndefined();
    expect(
      located(await compare(namingParents(SOURCE, 1).slice(2), namingParents(REPLAY, 1).slice(2))),
    ).toBeUndefined();
    expect(located(await compare(namingParents(SOURCE, 1), namingParents(REPLAY, 2)))).toMatchObject({
      pointer: '/parentEventId',
    });
  });

  it('gaps in the numbers, which are named among the masks', async () => {
    const jumped = REPLAY.map((each, index) => (index < 3 ? each : { ...each, sequence: each.sequence + 5 }));
    const diff = await compare(SOURCE, jumped);
    expect(located(diff)).toBeUndefined();
    expect(diff.masks).toContain('/sequence');
    const exact = compareEvents(SOURCE, jumped, { numbers: 'exact' });
    expect(exact).toMatchObject({ ok: true, diff: { first: { pointer: '/sequence' } } });
  });

  it('replay.* events and the numbers that they shift', async () => {
    const diverged = event('replay.diverged', 'ask', { originalEventId: 'a' });
    const logged = log([...SOURCE.slice(0, 3), diverged, ...SOURCE.slice(3)], 'run-r');
    const diff = await compare(SOURCE, logged);
    expect(diff.first).toBeUndefined();
    expect(diff.determinism.comparedEvents).toBe(7);
  });

  it('the first sequence number, the spelling of members, a null node', async () => {
    const other = REPLAY.map(({ sequence, payload, ...rest }) => ({
      nodeId: null,
      ...rest,
      seq: sequence + 1,
      data: payload,
    }));
    expect((await compare(SOURCE, other)).first).toBeUndefined();
  });

  it('any member of an event that is null in one log and absent in the other, but not one of its payload', async () => {
    const [start] = REPLAY;
    const nulls = { schemaVersion: null, engineVersion: null, acmeTrace: null };
    const spelled = REPLAY.map((each) => ({ ...each, ...nulls }));
    expect((await compare(SOURCE, spelled)).first).toBeUndefined();
    expect((await compare(spelled, SOURCE)).first).toBeUndefined();
    const payload = { ...Object(start?.payload), added: null };
    expect((await compare(SOURCE, changed(spelled, 0, { payload }))).first?.pointer).toBe('/payload/added');
    expect((await compare(spelled, changed(REPLAY, 3, { engineVersion: '2' }))).first?.pointer).toBe('/engineVersion');
  });

  it('the run’s own id inside a text, but not a part of a longer word', async () => {
    expect(
      (await compare(logging({ text: '/runs/r1/x' }, 'r1'), logging({ text: '/runs/r2/x' }, 'r2'))).first,
    ).toBeUndefined();
    expect((await compare(logging({ text: 'r11' }, 'r1'), logging({ text: 'r21' }, 'r2'))).first).toBeDefined();
    expect((await compare(logging({ text: 'see r1' }, 'r1'), logging({ text: 'see r3' }, 'r2'))).first).toBeDefined();
  });

  it('the run’s own id as a member’s name', async () => {
    expect((await compare(logging({ 'run-a': 1 }, 'run-a'), logging({ 'run-b': 1 }, 'run-b'))).first).toBeUndefined();
  });

  it('a declared volatile field, also where one side lacks it, and nothing beside it', async () => {
    const slow = changed(REPLAY, 2, { payload: { tokens: 3, latencyMs: 9 } });
    expect((await compare(SOURCE, slow)).first?.pointer).toBe('/payload/latencyMs');
    expect((await compare(SOURCE, slow, ['/payload/latencyMs'])).first).toBeUndefined();
    expect((await compare(slow, SOURCE, ['/payload/latencyMs'])).first).toBeUndefined();
    expect((await compare(SOURCE, slow, ['/payload/tokens'])).first?.pointer).toBe('/payload/latencyMs');
  });
});

/** The source's log with a report at its end. */
function reporting(type: string) {
  return log([...SOURCE, event(type, 'ask', { originalEventId: 'a' })], 'run-r');
}

describe('what a log reports itself', () => {
  it('is told of the replay alone, and beside a difference too', async () => {
    for (const type of ['replay.diverged', 'replay.divergedAtRefusal']) {
      const diff = await compare(SOURCE, reporting(type));
      expect([diff.first, diff.reported?.type]).toEqual([undefined, type]);
    }
    expect((await compare(SOURCE, reporting('replay.noted'))).reported).toBeUndefined();
    expect((await compare(reporting('replay.diverged'), SOURCE)).reported).toBeUndefined();
  });

  it('is nothing where the source is a replay that reports as much', async () => {
    const before = reporting('replay.diverged');
    expect((await compare(before, renamed(before, 'run-s'))).reported).toBeUndefined();
    const otherwise = await compare(reporting('replay.diverged'), reporting('replay.divergedAtRefusal'));
    expect(otherwise.reported?.type).toBe('replay.divergedAtRefusal');
  });

  it('may be about what was declared volatile, but for a refusal', async () => {
    expect((await compare(SOURCE, reporting('replay.diverged'), ['/payload/latencyMs'])).reported).toBeUndefined();
    const refused = await compare(SOURCE, reporting('replay.divergedAtRefusal'), ['/payload/latencyMs']);
    expect(refused.reported?.type).toBe('replay.divergedAtRefusal');
  });
});

describe('the score', () => {
  it('is null where nothing is comparable', async () => {
    const only = log([event('replay.diverged', undefined, {})]);
    expect((await compare(only, [])).determinism).toMatchObject({ comparedEvents: 0, score: null });
  });

  it('stays exact where the list of event diffs is cut', async () => {
    const many = log(Array.from({ length: 300 }, (_, index) => event('log.appended', 'n', { index })));
    const other = many.map((each) => ({ ...each, payload: { index: -1 } }));
    const diff = await compare(many, other);
    expect(diff).toMatchObject({ eventDiffsTruncated: true, determinism: { matchedEvents: 0, comparedEvents: 300 } });
    expect(diff.eventDiffs).toHaveLength(100);
  });
});

describe('a long log', () => {
  const nodes = Array.from({ length: 10_000 }, (_, index) =>
    event('variable.changed', `branch-${index % 7}`, { name: `v${index % 50}`, value: index }),
  );
  const long = log(nodes);

  it('of 10,000 events is equal to its renaming', async () => {
    expect((await compare(long, renamed(long, 'run-r'))).determinism).toMatchObject({
      matchedEvents: 10_000,
      score: 1,
    });
  });

  it('is realigned behind insertions and deletions', async () => {
    const extra = Array.from({ length: 40 }, (_, index) => event('log.appended', 'n', { index }));
    const replay = log([...nodes.slice(0, 4000), ...extra, ...nodes.slice(4000, 7000), ...nodes.slice(7030)], 'run-r');
    const diff = await compare(long, replay);
    expect(located(diff)).toMatchObject({ class: 'extra', sequence: { source: null, replay: 4000 } });
    expect(diff.determinism).toMatchObject({ matchedEvents: 9970, comparedEvents: 10_040 });
  });

  it('of parallel branches shows the first event that is out of order', async () => {
    const replay = log([
      ...nodes.slice(0, 5000),
      ...nodes.slice(5003, 5007),
      ...nodes.slice(5000, 5003),
      ...nodes.slice(5007),
    ]);
    const diff = await compare(long, replay);
    expect(located(diff)).toEqual({ class: 'order', pointer: '', sequence: { source: 5000, replay: 5000 } });
    expect(diff.determinism.matchedEvents).toBe(9997);
  });
});

describe('a comparison in memory', () => {
  it('says what the comparison of the streams says', async () => {
    for (const replay of [REPLAY, REPLAY.slice(1), changed(REPLAY, 3, { payload: { name: 'x', value: 2 } }), []]) {
      expect(compareEvents(SOURCE, replay)).toEqual({ ok: true, diff: await compare(SOURCE, replay) });
    }
  });

  it('says which log has a value that is no event', () => {
    const message = 'the event has no type';
    expect(compareEvents([...SOURCE, { eventId: 'e' }], REPLAY)).toEqual({
      ok: false,
      side: 'source',
      at: 'event 8',
      message,
    });
    expect(compareEvents(SOURCE, [{ eventId: 'e' }])).toEqual({ ok: false, side: 'replay', at: 'event 1', message });
  });
});
