import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import {
  observed,
  OPTIONS,
  refusedRun,
  replayCalled,
  runCalled,
  unfinished,
  type Said,
  verdictOf,
} from '../../test/recorded-runs.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { divergence } from './divergence.ts';
import { span } from './span.ts';

const REPORTED = 'replay.divergence-is-reported';

type AnyRecorded = Recorded<Observation>;

function verdict(check: string, seen: readonly AnyRecorded[], scenario = divergence): string {
  return verdictOf(scenario, check, seen);
}

/** Sequences: 0 run.started, 1 to 3 the constant, 4 and 5 the node after it, 6 run.completed. */
function logged(value: string): readonly Said[] {
  return [
    ['run.started'],
    ['node.started', {}, 'constant'],
    ['variable.changed', { name: 'constant', value }, 'constant'],
    ['node.completed', {}, 'constant'],
    ['node.started', {}, 'after'],
    ['node.completed', {}, 'after'],
    ['run.completed'],
  ];
}

const source = runCalled('src', logged('first'));

function revised(revision: string, problem: string | null = null): AnyRecorded {
  return observed(`r-${revision}`, 'revision', { revision, problem });
}

/** The replay under changed code, with a report behind the events up to `at`. */
function replayed(
  events: readonly Said[],
  report?: Json,
  at = 3,
  revision = '2.0.0',
): Recorded<Observation & { role: string }> {
  const reports: readonly Said[] = report === undefined ? [] : [['replay.diverged', report]];
  const all = [...events.slice(0, at), ...reports, ...events.slice(at)];
  return replayCalled('rep', all, { role: `replay under ${revision}` });
}

function debug(types: readonly string[], more: object = {}): AnyRecorded {
  const reading = { role: 'replay under 2.0.0', answered: 200, types, events: [], complete: true };
  return observed('d', 'debug-stream', { ...reading, ...more });
}

const RIGHT: readonly Json[] = [
  { originalEventId: 'src-2', replayEventId: 'rep-2', divergencePoint: 2 },
  { originalEventId: 'src-2', replayEventId: null },
  { replayEventId: 'rep-2' },
  { sourceRunId: 'src', atSequence: 2, divergenceKind: 'output' },
  { sourceRunId: 'src', atSequence: 3 },
  { originalEventId: 'src-5', replayEventId: 'rep-2' },
  { replayEventId: 'rep-2', divergencePoint: { node: 'constant' } },
];
/** What a host may say of the other log, or of nothing, beside the one that is right. */
const LOOSE: readonly Json[] = [
  { originalEventId: 'src-2', replayEventId: 'not-kept', divergencePoint: 1_700_000_000_000 },
  { originalEventId: '', replayEventId: '', atSequence: 2 },
  { originalEventId: 'src-2', atSequence: -1 },
];
/** One locator is right, which is enough; another one leads nowhere, which is noted. */
const HALF: readonly (readonly [report: Json, note: string])[] = [
  [{ originalEventId: 'gone', atSequence: 2 }, 'originalEventId "gone"'],
  [{ originalEventId: 'gone', replayEventId: 'rep-2', divergencePoint: 2 }, 'originalEventId "gone"'],
  [{ originalEventId: 'src-2', atSequence: 99 }, 'atSequence 99'],
  [{ originalEventId: 'src-2', sourceRunId: 'another' }, 'sourceRunId "another"'],
  [{ sourceRunId: 'src', atSequence: 2, replayEventId: 'lost' }, 'replayEventId "lost"'],
];
const WRONG: readonly Json[] = [
  { originalEventId: 'gone', replayEventId: 'gone', divergencePoint: 99 },
  { originalEventId: 'src-0', replayEventId: 'rep-0', divergencePoint: 0 },
  { originalEventId: 'src-6' },
  { sourceRunId: 'another', atSequence: 2 },
];

function withReport(report?: Json): string {
  return verdict(REPORTED, [source, revised('2.0.0'), replayed(logged('second'), report)]);
}

/** What goes with the verdict about a replay with another value that is reported so. */
function reasonOf(report: Json): string | undefined {
  return divergence.judge([source, revised('2.0.0'), replayed(logged('second'), report)], OPTIONS)[0]?.reason;
}

describe('a divergence that is reported', () => {
  it.each(RIGHT)('passes with %j', (report) => {
    expect(withReport(report)).toBe('pass');
  });

  it.each(WRONG)('fails with %j', (report) => {
    expect(withReport(report)).toBe('fail wrong-locators');
  });

  it.each(HALF)('passes with the one locator of %j that is right', (report, note) => {
    expect(withReport(report)).toBe('pass');
    expect(reasonOf(report)).toContain(`names what is nowhere: ${note}`);
  });

  it.each(LOOSE)('passes with %j', (report) => {
    expect(withReport(report)).toBe('pass');
  });

  it('notes what a report that is right says nothing of', () => {
    expect(reasonOf({ sourceRunId: 'src', atSequence: 2 })).toBeUndefined();
    expect(reasonOf({ atSequence: 2 })).toContain('says nothing of sourceRunId');
    expect(reasonOf({ originalEventId: 'src-2', divergencePoint: 2 })).toContain('says nothing of replayEventId');
  });

  it('notes which event a report names where nothing differs', () => {
    const { eventId } = eventsOf(source)[0] ?? {};
    expect(reasonOf({ originalEventId: eventId ?? '', replayEventId: 'rep-2', divergencePoint: 2 })).toContain(
      'names as originalEventId sequence 0, run.started, where nothing differs',
    );
  });

  it('fails without a report, or without locators', () => {
    expect(withReport()).toBe('fail silent-divergence');
    expect(withReport({ sourceRunId: 'src' })).toBe('fail without-locators');
    expect(withReport(null)).toBe('fail without-locators');
  });

  it('fails at what the run did, not at the trace of a measurement before it', () => {
    const [was, is] = ['first', 'second'].map((value): readonly Said[] => [
      ['provider.usage', { traceId: value }, 'constant'],
      ...logged(value),
    ]);
    const seen = [runCalled('src', was ?? []), revised('2.0.0'), replayed(is ?? [])];
    const [judgement] = divergence.judge(seen, OPTIONS);
    expect(judgement).toMatchObject({ diagnosis: { code: 'silent-divergence' } });
    expect(judgement?.actual).toContain('variable.changed of node constant');
  });

  it('rests on the row about false alarms where it is reported as one at a refusal', () => {
    const alarmed = logged('second').toSpliced(3, 0, ['replay.divergedAtRefusal', { atSequence: 2 }]);
    const [judgement] = divergence.judge([source, revised('2.0.0'), replayed(alarmed)], OPTIONS);
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'refusal.no-false-alarm.valid-to-valid' });
  });

  it('is none where the numbers of its events alone differ, which the row about numbers judges', () => {
    const replay = replayed(logged('first')) as Recorded<RunObservation>;
    const numbers = [0, 1, 2, 2, 4, 5, 6];
    const events = replay.events.map((event, at) => ({ ...(event as object), sequence: numbers[at] ?? at }));
    const repeated: Recorded<RunObservation> = { ...replay, events };
    const [judgement] = divergence.judge([source, revised('2.0.0'), repeated], OPTIONS);
    expect(judgement).toMatchObject({ verdict: 'inconclusive', restsOn: 'sequence.monotonic' });
  });

  it('may be seen in the debug stream only', () => {
    const event = { eventId: 'rep-d', type: 'replay.diverged', sequence: 99, payload: { atSequence: 2 } };
    const seen = [source, revised('2.0.0'), replayed(logged('second'))];
    expect(verdict(REPORTED, [...seen, debug(['replay.diverged'], { events: [event] })])).toBe('pass');
    expect(verdict(REPORTED, [...seen, debug(['replay.diverged'])])).toBe('inconclusive');
  });

  it('says nothing where nothing differs, or nothing could be made to', () => {
    expect(verdict(REPORTED, [source, revised('2.0.0'), replayed(logged('first'))])).toBe('inconclusive');
    expect(verdict(REPORTED, [source, revised('2.0.0', 'POST answered 404')])).toBe('inconclusive');
    expect(verdict(REPORTED, [])).toBe('inconclusive');
    expect(
      verdict(REPORTED, [
        source,
        revised('2.0.0'),
        unfinished(replayCalled('rep', [], { role: 'replay under 2.0.0' })),
      ]),
    ).toBe('inconclusive');
  });

  it('fails where an advertised replay is refused', () => {
    const refused = refusedRun(replayCalled('rep', [], { role: 'replay under 2.0.0' }));
    expect(verdict(REPORTED, [source, revised('2.0.0'), refused])).toBe('fail fork-refused');
  });

  it('takes another source where no code can be changed', () => {
    const wall = { ...source, id: 'w', role: 'unsteady source' };
    const replay = { ...replayed(logged('second'), { atSequence: 2 }), role: 'replay of the unsteady source' };
    expect(verdict(REPORTED, [source, revised('2.0.0', '404'), wall, replay])).toBe('pass');
  });
});

describe('a replay from a later event', () => {
  const later = (values: string, report?: Json) => ({
    ...replayed(logged(values), report),
    id: 'later',
    role: 'replay under 2.0.0 from a later event',
  });
  const whole = replayed(logged('second'), { atSequence: 2 });
  const said = (replay: AnyRecorded) => verdict(`${REPORTED}.later`, [source, revised('2.0.0'), whole, replay]);

  it('reports what differs as a whole one does', () => {
    expect(said(later('second', { atSequence: 2 }))).toBe('pass');
    expect(said(later('second'))).toBe('fail silent-divergence');
    expect(said(unfinished(later('second') as ReturnType<typeof replayCalled>))).toBe('inconclusive');
  });

  it('is a copy where it shows what its source shows, and the whole one does not', () => {
    const copy = (more: object, values = 'first'): AnyRecorded => {
      const replay = later(values) as Recorded<RunObservation> & { readonly role: string };
      return { ...replay, fork: { ...replay.fork, fromSeq: 1, ...more } } as AnyRecorded;
    };
    expect(said(copy({}))).toBe('fail copied-log');
    expect(said(later('first'))).toBe('fail copied-log');
    // What differs stands below its fork point: the whole replay says nothing of it.
    expect(said(copy({ fromSeq: 3 }))).toBe('inconclusive');
    // Nothing shows that the code was changed.
    const seen = [source, revised('2.0.0'), replayed(logged('first')), copy({})];
    expect(verdict(`${REPORTED}.later`, seen)).toBe('inconclusive');
    expect(verdict(`${REPORTED}.later`, [source, revised('2.0.0', '404'), whole, copy({})])).toBe('inconclusive');
  });

  it('rests on the row about the whole one, which says that nothing is reported', () => {
    const seen = [source, revised('2.0.0'), replayed(logged('second')), later('second')];
    const judgement = divergence.judge(seen, OPTIONS).find(({ check }) => check === `${REPORTED}.later`);
    expect(judgement).toMatchObject({ restsOn: REPORTED });
  });

  it('is not alone: one of a replay says so, too, whatever it names', () => {
    const of = 'unchanged replay';
    const first = replayCalled('same', logged('first'), { role: of });
    const again = (values: string, report?: Json) => ({
      ...replayed(logged(values), report),
      id: 'again',
      role: `replay under 2.0.0 of the ${of}`,
    });
    const beside = (replay: AnyRecorded) =>
      verdict(`${REPORTED}.later`, [
        source,
        revised('2.0.0'),
        whole,
        later('second', { atSequence: 2 }),
        first,
        replay,
      ]);
    expect(beside(again('second', { atSequence: 99 }))).toBe('pass');
    expect(beside(again('second'))).toBe('fail silent-divergence');
    expect(beside(again('first'))).toBe('fail copied-log');
  });

  it('is open where none was driven', () => {
    expect(verdict(`${REPORTED}.later`, [source, revised('2.0.0')])).toBe('inconclusive');
    expect(verdict(`${REPORTED}.later`, [])).toBe('inconclusive');
  });
});

/** What is said of a replay under changed nodes whose report stands behind its fifth event. */
function judged(check: string, revision: string, events: readonly Said[], report?: Json): string {
  return verdict(`${REPORTED}.${check}`, [source, revised(revision), replayed(events, report, 5, revision)]);
}

describe('nodes that only one side has', () => {
  const added: readonly Said[] = [
    ...logged('first').slice(0, 4),
    ['node.started', {}, 'inserted'],
    ['node.completed', {}, 'inserted'],
    ...logged('first').slice(4),
  ];
  const dropped: readonly Said[] = [...logged('first').slice(0, 4), ['run.completed']];

  it.each([{ originalEventId: 'src-4' }, { replayEventId: 'rep-4' }, { atSequence: 4 }, { originalEventId: 'src-3' }])(
    'an added one is at %j',
    (report) => {
      expect(judged('added-node', '3.0.0', added, report)).toBe('pass');
    },
  );

  it.each([{ originalEventId: 'src-4' }, { replayEventId: 'rep-4' }, { atSequence: 5 }])(
    'a dropped one is at %j',
    (report) => {
      expect(judged('dropped-node', '4.0.0', dropped, report)).toBe('pass');
    },
  );

  it('are not at the beginning, and not nowhere', () => {
    expect(judged('added-node', '3.0.0', added, { atSequence: 0 })).toBe('fail wrong-locators');
    expect(judged('dropped-node', '4.0.0', dropped, { atSequence: 0 })).toBe('fail wrong-locators');
    expect(judged('dropped-node', '4.0.0', dropped)).toBe('fail silent-divergence');
    expect(verdict(`${REPORTED}.added-node`, [source, revised('3.0.0', '404')])).toBe('inconclusive');
  });
});

describe('a run that diverged', () => {
  const check = 'replay.divergence-continues';
  const report = { atSequence: 2 };
  const withEvents = (events: readonly Said[]): string =>
    verdict(check, [source, revised('2.0.0'), replayed(events, report)]);

  it('goes on to its end, with all its nodes', () => {
    expect(withEvents(logged('second'))).toBe('pass');
    expect(withEvents([...logged('second').slice(0, 3), ['run.failed']])).toBe('fail blocked-by-divergence');
    expect(withEvents([...logged('second').slice(0, 4), ['run.completed']])).toBe('fail blocked-by-divergence');
  });

  it('goes on in every replay that says that it differs', () => {
    const whole = [source, revised('2.0.0'), replayed(logged('second'), report)];
    const failing = (values: string): readonly Said[] => [...logged(values).slice(0, 3), ['run.failed']];
    const beside = (role: string, events: readonly Said[], isReported = true): string => {
      const same = replayCalled('same', logged('first'), { role: 'unchanged replay' });
      const replay = { ...replayed(events, isReported ? report : undefined), id: 'beside', role };
      return verdict(check, [...whole, revised('3.0.0'), revised('4.0.0'), same, replay]);
    };
    for (const role of ['replay under 2.0.0 from a later event', 'replay under 2.0.0 of the unchanged replay']) {
      expect(beside(role, logged('second'))).toBe('pass');
      expect(beside(role, failing('second'))).toBe('fail blocked-by-divergence');
      expect(beside(role, [...logged('second').slice(0, 4), ['run.completed']])).toBe('fail blocked-by-divergence');
      // Without a report the row about reports judges it.
      expect(beside(role, [...logged('second').slice(0, 3), ['run.failed']], false)).toBe('pass');
    }
    expect(beside('replay under 3.0.0', failing('first'))).toBe('fail blocked-by-divergence');
    expect(beside('replay under 4.0.0', failing('first'))).toBe('fail blocked-by-divergence');
    // Its code lacks the node: that it does not run it is no block.
    expect(beside('replay under 4.0.0', [...logged('first').slice(0, 4), ['run.completed']])).toBe('pass');
  });

  it('asks no history of a replay from a later event', () => {
    const all = { ...replayed(logged('second'), report), id: 'later', role: 'replay under 2.0.0 from a later event' };
    const later = all as Recorded<RunObservation> & { readonly role: string };
    const fork = { ...later.fork, fromSeq: 4 } as RunObservation['fork'];
    const part = { ...later, fork, events: later.events.filter((_, at) => at !== 4) };
    const seen = [source, revised('2.0.0'), replayed(logged('second'), report), part];
    expect(verdict(check, seen)).toBe('pass');
  });

  it('has nothing to go on from where it reports nothing', () => {
    expect(verdict(check, [source, revised('2.0.0'), replayed(logged('second'))])).toBe('inconclusive');
  });
});

describe('the stream mode debug', () => {
  const check = 'replay.divergence-in-debug-stream';
  const seen = [source, revised('2.0.0'), replayed(logged('second'), { atSequence: 2 })];

  it('shows the event', () => {
    expect(verdict(check, [...seen, debug(['run.started', 'replay.diverged'], { complete: false })])).toBe('pass');
    expect(verdict(check, [...seen, debug(['run.started', 'run.completed'])])).toBe('fail hidden-in-debug');
    expect(verdict(check, [...seen, debug([], { answered: 400, complete: false })])).toBe('fail hidden-in-debug');
  });

  it('shows as many as the log, of every run that was read so', () => {
    const twice = replayCalled('two', [...logged('x').slice(0, 3), ['replay.diverged', {}], ['replay.diverged', {}]], {
      role: 'replay of changed code',
    });
    const of = (types: readonly string[], more: object = {}): string => {
      const shown = debug(types, { role: 'replay of changed code', ...more });
      const beside = [twice, { ...shown, id: 'd2' }].map((each) => ({
        ...each,
        scenario: 'replay.further-divergence',
      }));
      return verdictOf(divergence, check, [...seen, debug(['run.started', 'replay.diverged'])], beside);
    };
    expect(of(['replay.diverged', 'replay.diverged'])).toBe('pass');
    expect(of(['replay.diverged'])).toBe('fail hidden-in-debug');
    expect(of(['replay.diverged'], { complete: false })).toBe('pass');
    // One that shows none at all is told of where it was read for that.
    expect(of([])).toBe('pass');
  });

  it('may be out of reach', () => {
    expect(verdict(check, seen)).toBe('inconclusive');
    expect(verdict(check, [...seen, debug([], { answered: 503, complete: false })])).toBe('inconclusive');
    expect(verdict(check, [...seen, debug([], { answered: 404, complete: false })])).toBe('not-applicable');
    const silent = [source, revised('2.0.0'), replayed(logged('second'))];
    expect(verdict(check, [...silent, debug(['run.completed'])])).toBe('inconclusive');
  });
});

function unchanged(events: readonly Said[]): AnyRecorded {
  return replayCalled('same', events, { role: 'unchanged replay' });
}

describe('replays of unchanged code', () => {
  const check = 'replay.no-false-divergence';
  const diverging = [revised('2.0.0'), replayed(logged('second'), { atSequence: 2 })];
  const alarm: Said = ['replay.diverged', { atSequence: 2 }];

  it('report nothing', () => {
    expect(verdict(check, [source, unchanged(logged('first')), ...diverging])).toBe('pass');
    const loud = unchanged([...logged('first').slice(0, 3), alarm, ...logged('first').slice(3)]);
    expect(verdict(check, [source, loud, ...diverging])).toBe('fail false-alarm');
    expect(verdict(check, [source, loud])).toBe('fail false-alarm');
  });

  it('prove nothing where they differ, or where the host reports nothing at all', () => {
    expect(verdict(check, [source, unchanged(logged('other')), ...diverging])).toBe('inconclusive');
    const silent = [revised('2.0.0'), replayed(logged('second'))];
    expect(verdict(check, [source, unchanged(logged('first')), ...silent])).toBe('inconclusive');
    expect(verdict(check, [source, unchanged(logged('first')), revised('2.0.0', '404')])).toBe('inconclusive');
    expect(verdict(check, [])).toBe('inconclusive');
  });
});

function spanOf(role: string, attributes: Json): AnyRecorded {
  return observed(`s-${role}`, 'span', { role, attributes, problem: attributes === null ? 'late' : null });
}

describe('spans', () => {
  const marked = 'replay.divergence-span';
  const unmarked = 'replay.no-false-divergence.span';
  const other = { ...runCalled('src2', logged('first')), role: 'other source' };
  const changed = replayCalled('rep', logged('second'), { role: 'diverging replay', of: 'src2' });
  const same = replayCalled('same', logged('first'), { role: 'unchanged replay' });
  const yes = { 'openwop.replay.diverged': true };
  const seen = (diverged: Json, matched: Json): readonly AnyRecorded[] => [
    source,
    same,
    spanOf('unchanged replay', matched),
    other,
    changed,
    spanOf('diverging replay', diverged),
  ];

  it('are marked where a replay diverges', () => {
    expect(verdict(marked, seen(yes, {}), span)).toBe('pass');
    expect(verdict(marked, seen({ 'openwop.replay.diverged': false }, {}), span)).toBe('fail span-mismarked');
    expect(verdict(marked, seen({}, {}), span)).toBe('fail span-mismarked');
    expect(verdict(marked, seen(null, {}), span)).toBe('inconclusive');
    expect(verdict(marked, [], span)).toBe('inconclusive');
  });

  it('are marked where a replay from a later event diverges, too, where that one was seen', () => {
    const role = 'diverging replay from a later event';
    const later = replayCalled('later', logged('second'), { role, of: 'src2', from: 1 });
    const judge = (attributes: Json): string =>
      verdict(marked, [...seen(yes, {}), later, spanOf(role, attributes)], span);
    expect(judge(yes)).toBe('pass');
    expect(judge({})).toBe('fail span-mismarked');
    expect(judge(null)).toBe('pass');
    const alike = { ...later, ...replayCalled('later', logged('first'), { role, of: 'src2', from: 1 }) };
    expect(verdict(marked, [...seen(yes, {}), alike, spanOf(role, {})], span)).toBe('pass');
  });

  it('are not marked where it matches, on a host that marks', () => {
    expect(verdict(unmarked, seen(yes, {}), span)).toBe('pass');
    expect(verdict(unmarked, seen(yes, { 'openwop.replay.diverged': false }), span)).toBe('pass');
    expect(verdict(unmarked, seen(yes, yes), span)).toBe('fail span-mismarked');
    expect(verdict(unmarked, seen({}, {}), span)).toBe('inconclusive');
    expect(verdict(unmarked, [], span)).toBe('inconclusive');
  });
});
