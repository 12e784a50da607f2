import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { event, inPieces, log, type Said, type WireEvent } from '../../test/event-logs.ts';
import { compareEvents, diffLogs, type LogDiff } from './diff.ts';

async function compare(source: readonly unknown[], replay: readonly unknown[]): Promise<LogDiff> {
  const result = await diffLogs(inPieces(source), inPieces(replay), new Map());
  if (!result.ok) throw new Error(result.message);
  expect(compareEvents(source, replay)).toEqual(result);
  return result.diff;
}

const TYPES = ['node.started', 'variable.changed', 'channel.written', 'provider.usage', 'memory.written', 'x.vendor'];

/** Payloads that are never those of another event of the same log: `at` is the event's place. */
const said: fc.Arbitrary<readonly Said[]> = fc
  .array(
    fc.record({
      type: fc.constantFrom(...TYPES),
      nodeId: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
      body: fc.jsonValue({ maxDepth: 3 }),
    }),
    { minLength: 2, maxLength: 90 },
  )
  .map((list) => list.map(({ type, nodeId, body }, place) => event(type, nodeId, { place, body })));

const source: fc.Arbitrary<readonly WireEvent[]> = said.map((events) => log(events, 'run-s'));

/** A renaming that the documents allow: run id, event ids with their causes, clocks, the first number. */
const renaming = fc.record({
  runId: fc.uuid(),
  salt: fc.uuid(),
  first: fc.nat(3),
  clock: fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
});

function rename(
  events: readonly WireEvent[],
  by: typeof renaming extends fc.Arbitrary<infer T> ? T : never,
): WireEvent[] {
  const id = (text: string): string => `${by.salt}/${text}`;
  return events.map(({ causationId, ...each }, index) => ({
    ...each,
    ...(causationId === undefined ? {} : { causationId: id(causationId) }),
    sequence: each.sequence + by.first,
    eventId: id(each.eventId),
    runId: by.runId,
    timestamp: new Date(by.clock.getTime() + index).toISOString(),
  }));
}

const place = fc.nat();

describe('any log', () => {
  it('is equal to itself under every allowed renaming', async () => {
    await fc.assert(
      fc.asyncProperty(source, renaming, async (events, by) => {
        const { first, determinism } = await compare(events, rename(events, by));
        expect(first).toBeUndefined();
        expect(determinism.score).toBe(1);
      }),
    );
  });

  it('with one tampered event differs there and nowhere else', async () => {
    const tampering = fc.constantFrom<(each: WireEvent) => WireEvent>(
      (each) => ({ ...each, type: `${each.type}.x` }),
      (each) => ({ ...each, nodeId: `${each.nodeId ?? ''}x` }),
      (each) => ({ ...each, payload: { ...(each.payload as object), place: -1 } }),
      (each) => ({ ...each, payload: { ...(each.payload as object), added: null } }),
      (each) => ({ ...each, payload: null }),
    );
    await fc.assert(
      fc.asyncProperty(source, renaming, place, tampering, async (events, by, chosen, tamper) => {
        const at = chosen % events.length;
        const replay = rename(events, by).map((each, index) => (index === at ? tamper(each) : each));
        const { first, determinism } = await compare(events, replay);
        expect(first?.sequence).toEqual({ source: at, replay: at + by.first });
        expect(determinism.matchedEvents).toBe(events.length - 1);
      }),
    );
  });

  it('with two neighbours exchanged is out of order there', async () => {
    await fc.assert(
      fc.asyncProperty(said, place, async (events, chosen) => {
        const at = chosen % (events.length - 1);
        const [a, b] = [events[at], events[at + 1]];
        const turned = [...events.slice(0, at), b, a, ...events.slice(at + 2)].flatMap((each) => each ?? []);
        const { first } = await compare(log(events, 'run-s'), log(turned, 'run-r'));
        expect(first).toMatchObject({ class: 'order', sequence: { source: at, replay: at } });
      }),
    );
  });

  it('with one event left out, or one put in, differs there', async () => {
    await fc.assert(
      fc.asyncProperty(said, place, async (events, chosen) => {
        const at = chosen % events.length;
        const whole = log(events, 'run-s');
        const less = log(
          events.filter((_, index) => index !== at),
          'run-r',
        );
        const lacking = await compare(whole, less);
        expect(lacking.first?.sequence.source).toBe(at);
        const surplus = await compare(less, whole);
        expect(surplus.first?.sequence.replay).toBe(at);
      }),
    );
  });

  it('with one cause exchanged differs there', async () => {
    await fc.assert(
      fc.asyncProperty(source, renaming, place, async (events, by, chosen) => {
        const at = 1 + (chosen % (events.length - 1));
        const replay = rename(events, by);
        const wrong = replay[at]?.eventId ?? '';
        const tampered = replay.map((each, index) => (index === at ? { ...each, causationId: wrong } : each));
        const { first } = await compare(events, tampered);
        expect(first).toMatchObject({ pointer: '/causationId', sequence: { source: at } });
      }),
    );
  });
});
