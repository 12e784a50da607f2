import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Shown } from '../../src/host/log/shown.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { judgementIn, refusedRun, runAs, say, unfinished, unfinishedRun } from '../../test/recorded-runs.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import type { Recordings } from '../shared/of-type.ts';
import { judgeAgreement as judgeEveryAgreement } from './judge-agreement.ts';
import { judgeMonotonic as judgeNumbers, judgeTerminal as judgeEnds } from './judge-logs.ts';
import { readings } from './readings.ts';

const judgeMonotonic = (seen: Recordings) => judgementIn(readings, 'sequence.monotonic', seen);
const judgeTerminal = (seen: Recordings) => judgementIn(readings, 'sequence.single-terminal-event', seen);
const judgeAgreement = (seen: Recordings) => judgementIn(readings, 'sequence.transports-agree', seen);

type RecordedReading = Recorded<ReadingObservation>;

const TYPES = ['run.started', 'node.started', 'node.completed', 'run.completed'];

function event(type: string, sequence: number, more: { readonly [name: string]: Json } = {}): Shown {
  const data = { eventId: `e${sequence}`, runId: 'r', type, sequence, payload: { type }, ...more };
  return { id: null, name: null, data };
}

const WHOLE = TYPES.map((type, index) => event(type, index));

function reading(events: readonly Shown[], more: Partial<ReadingObservation> = {}): RecordedReading {
  const base = { type: 'reading', run: 'run', runId: 'r', transport: 'json', how: 'start', after: null } as const;
  const id = `${more.transport ?? 'json'} ${more.how ?? 'start'}`;
  return { id, ...base, partial: false, events, exchanges: [], ...more };
}

/** The whole log with its numbers under another name, and as the ids of a stream. */
function numberedAs(name: string): readonly Shown[] {
  return WHOLE.map(({ data, ...rest }, index): Shown => {
    const { sequence: _, ...others } = data as { sequence: Json };
    return { ...rest, id: String(index), data: { ...others, [name]: index } };
  });
}

const run: Recorded<Observation> = runAs(
  'run',
  TYPES.map((type) => say(type)),
);
const sse = (events: readonly Shown[], more: Partial<ReadingObservation> = {}) =>
  reading(events, { transport: 'sse', ...more });

/** The whole log with a time, and other members, in each event. */
const stamped = (timestamp: string, more: { readonly [name: string]: Json } = {}) =>
  WHOLE.map(({ data, ...rest }): Shown => ({ ...rest, data: { ...Object(data), timestamp, ...more } }));

/** The same with whatever stands for the time. */
const withTime = (timestamp: Json) =>
  WHOLE.map(({ data, ...rest }): Shown => ({ ...rest, data: { ...Object(data), timestamp } }));

/** A poll that gives the events another time than a stream does, beside each other. */
const timedBeside = (time: Json) =>
  judgeAgreement([run, sse(stamped('2026-01-01T10:00:00.250Z')), reading(withTime(time), { transport: 'poll' })]);

/** A stream that announces the second event by a name. */
function announcing(name: string): RecordedReading {
  return sse(WHOLE.map((each, at) => (at === 1 ? { ...each, name } : each)));
}

/** A stream whose last message has this data under this name. */
function endingWith(data: Json, name: string): ReturnType<typeof judgeAgreement> {
  return judgeAgreement([run, sse([...WHOLE.slice(0, 3), { id: '3', name, data }]), reading(WHOLE)]);
}

/** A stream whose connection failed. */
const cut = (events: readonly Shown[]) => sse(events, { cut: true });

describe('numbers', () => {
  it('pass where every reading counts up, gaps told', () => {
    expect(judgeMonotonic([run, reading(WHOLE), sse(WHOLE)])).toEqual({
      check: 'sequence.monotonic',
      verdict: 'pass',
      evidence: ['json start', 'sse start'],
    });
    const gaps = reading([event('run.started', 1), event('run.completed', 5)]);
    expect(judgeMonotonic([run, gaps])).toMatchObject({ verdict: 'pass', reason: 'the numbers have gaps: 1, 5' });
  });

  it('fail where they go back in a resumed reading of another scenario', () => {
    const seen = [run, reading(WHOLE)];
    const beside = reading(
      [WHOLE[2], WHOLE[1]].flatMap((each) => each ?? []),
      { how: 'resumed', after: 0 },
    );
    const judged = (scenario: string) =>
      judgementOf('c', judgeNumbers(seen, { everything: [{ ...beside, id: 'beside', scenario }] }));
    expect(judged('run.resuming')).toMatchObject({ verdict: 'fail', evidence: ['beside'] });
    expect(judged('retention.expired').verdict).toBe('pass');
  });

  it('do not take the types that a stream mode leaves out for gaps', () => {
    const partial = sse([event('run.started', 0), event('run.completed', 3)], { partial: true });
    expect(judgeMonotonic([run, partial])).not.toHaveProperty('reason');
  });

  it.each([
    ['repeat', [0, 1, 1, 2], 'above 1 for event 3'],
    ['go back', [0, 2, 1, 3], 'above 2 for event 3'],
  ])('fail where they %s in one reading', (_, numbers, says) => {
    const wrong = reading(numbers.map((sequence) => event('node.started', sequence)));
    const judgement = judgeMonotonic([run, sse(WHOLE), wrong]);
    expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['json start'] });
    expect(judgement.expected).toContain(says);
  });

  it.each<[string, Json, string]>([
    ['a text', '2', '"2"'],
    ['null, as a number out of range is recorded', null, 'none in the range of a double'],
    ['an object', {}, '{}'],
  ])('fail where one is %s in a single document, and the transports disagree', (_, sequence, actual) => {
    const wrong = WHOLE.map((each, index) => (index === 2 ? event('node.completed', 2, { sequence }) : each));
    for (const transport of ['json', 'poll'] as const) {
      const read = [run, sse(WHOLE), reading(wrong, { transport })];
      expect(judgeMonotonic(read)).toMatchObject({ verdict: 'fail', actual, evidence: [`${transport} start`] });
      expect(judgeMonotonic(read).expected).toContain('the sequence of event 3 (node.completed)');
      const both = ['sse start', `${transport} start`];
      expect(judgeAgreement(read)).toMatchObject({ verdict: 'fail', evidence: both, steps: both });
    }
  });

  it('fail where a whole event lacks one, whatever its id is, and not where it is spelled seq', () => {
    expect(judgeMonotonic([run, sse(numberedAs('number'))]).verdict).toBe('fail');
    expect(judgeMonotonic([run, sse(numberedAs('seq'))]).verdict).toBe('pass');
  });

  it('are undecided where a stream shows reduced events without any', () => {
    const reduced = sse(TYPES.map((type) => ({ id: 'opaque', name: type, data: { type } })));
    expect(judgeMonotonic([run, reduced]).verdict).toBe('inconclusive');
  });

  it('count the ids of a stream that shows reduced events', () => {
    const reduced = sse(['0', '1', '1'].map((id) => ({ id, name: 'node.started', data: {} })));
    expect(judgeMonotonic([run, reduced]).verdict).toBe('fail');
  });

  it('are undecided without a reading', () => {
    expect(judgeMonotonic([run]).verdict).toBe('inconclusive');
    expect(judgeMonotonic([unfinishedRun('run', 'the request was answered with 500')]).verdict).toBe('inconclusive');
    expect(judgeMonotonic([run, reading([])]).verdict).toBe('inconclusive');
  });
});

/** How the ends of logs are judged where one that another scenario followed stops at an event of this type. */
function endless(last: string) {
  const events = [event('run.started', 0), event(last, 1)].map(({ data }) => data);
  const seen = { ...run, id: 'elsewhere', events, problem: 'no end', snapshot: { status: 'completed' } };
  return judgeEnds([run, sse(WHOLE)], { everything: [{ ...seen, scenario: 'once.verification-human' }] });
}

describe('the end', () => {
  it('that a log in several answers lacks is left to the row about cursors where another reading shows it', () => {
    const paged = reading(WHOLE.slice(0, 3), { transport: 'poll', exchanges: ['x1', 'x2'] });
    expect(judgeTerminal([run, sse(WHOLE), paged])).toMatchObject({ verdict: 'fail', restsOn: 'run.cursor' });
    expect(judgeTerminal([run, paged])).not.toHaveProperty('restsOn');
    const short = reading(WHOLE.slice(0, 3));
    expect(judgeTerminal([run, sse(WHOLE), paged, short])).not.toHaveProperty('restsOn');
  });

  it('passes where it comes once and last, and says in which runs', () => {
    const failed = reading([event('run.started', 0), event('run.failed', 1)], { run: 'failing run' });
    expect(judgeTerminal([run, reading(WHOLE), failed])).toMatchObject({
      verdict: 'pass',
      reason: 'seen: run, failing run',
    });
  });

  it.each([
    [
      'comes twice',
      [...WHOLE, event('run.failed', 4)],
      '2 terminal events; the log ends with run.completed, run.failed',
    ],
    [
      'is not the last event',
      [...WHOLE, event('log.appended', 4)],
      '1 terminal events; the log ends with run.completed, log.appended',
    ],
    ['is missing', WHOLE.slice(0, 3), '0 terminal events; the log ends with run.started, node.started, node.completed'],
  ])('fails where it %s', (_, events, actual) => {
    expect(judgeTerminal([run, sse(WHOLE), reading(events)])).toMatchObject({
      verdict: 'fail',
      actual,
      evidence: ['json start'],
    });
  });

  it('is for the row about snapshots to say where a run waits that its snapshot calls completed', () => {
    expect(endless('interrupt.requested')).toMatchObject({ kind: 'rests', on: 'run.snapshot-agrees' });
    expect(endless('node.started')).toMatchObject({ kind: 'fail', evidence: ['elsewhere'] });
  });

  it('is not missing in a log whose run waits for an answer', () => {
    const asked = [...WHOLE.slice(0, 2), event('interrupt.requested', 2)];
    expect(judgeTerminal([run, reading(WHOLE), sse(asked)])).toMatchObject({
      verdict: 'pass',
      evidence: ['json start'],
    });
    expect(judgeTerminal([run, reading(WHOLE), sse([...WHOLE, event('interrupt.requested', 4)])]).verdict).toBe('fail');
    const answered = [...asked, event('interrupt.resolved', 3)];
    expect(judgeTerminal([run, reading(WHOLE), sse(answered)]).verdict).toBe('fail');
  });

  it('is looked for behind the ends of runs that other rows read and do not fork', () => {
    const late = reading([...WHOLE, event('log.appended', 4)], { how: 'again', run: 'run that is not forked' });
    const everything = [{ ...late, scenario: 'fork.full-replay' }];
    expect(judgeEnds([run, reading(WHOLE)], { everything })).toMatchObject({ kind: 'fail', evidence: [late.id] });
  });

  it('has the row about numbers look at children, too', () => {
    const told = ['run.started', 'node.started', 'run.completed'].map((type) => say(type));
    const { events, ...child } = runAs('child', told);
    const judge = (problem: string | null, ...numbers: readonly number[]) =>
      judgementOf(
        'c',
        judgeNumbers([run, reading(WHOLE)], {
          everything: [
            {
              ...child,
              type: 'child',
              parent: 'handoff',
              scenario: 'handoff.happy-path',
              problem,
              events: events.map((each, at) => ({ ...Object(each), sequence: numbers[at] ?? 0 })),
            } as never,
          ],
        }),
      );
    expect(judge(null, 0, 1, 2).verdict).toBe('pass');
    expect(judge(null, 0, 1, 1)).toMatchObject({
      verdict: 'fail',
      expected: expect.stringContaining('the log of the child of the handoff run-child') as string,
    });
    expect(judge('it was not read to its end', 0, 1, 1).verdict).toBe('pass');
  });

  it.each(['child of a handoff', 'run that was cancelled before its tool answered'])(
    'are the last events of a %s, too',
    (role) => {
      const other = { how: 'again', run: role, runId: 'c' } as const;
      const judge = (events: readonly Shown[]) =>
        judgeEnds([run, reading(WHOLE)], {
          everything: [{ ...reading(events, other), scenario: 'handoff.happy-path' }],
        });
      expect(judge([...WHOLE, event('log.appended', 4)])).toMatchObject({ kind: 'fail' });
      expect(judge(WHOLE)).toMatchObject({ kind: 'pass' });
    },
  );

  it('is missed in the log of a child whose snapshot says that it has ended', () => {
    const child = { ...runAs('child', [say('run.started')]), type: 'child', parent: 'handoff', problem: 'no end' };
    const judge = (status: string) =>
      judgeEnds([run, reading(WHOLE)], {
        everything: [{ ...child, snapshot: { status }, scenario: 'handoff.happy-path' } as never],
      });
    expect(judge('completed')).toMatchObject({ kind: 'fail', evidence: [child.id] });
    expect(judge('running')).toMatchObject({ kind: 'pass' });
  });

  it('is not missing in a reading that was cut off before it', () => {
    const half = cut(WHOLE.slice(0, 2));
    expect(judgeTerminal([run, reading(WHOLE), half])).toMatchObject({ verdict: 'pass', evidence: ['json start'] });
    expect(judgeTerminal([run, half]).verdict).toBe('inconclusive');
  });

  it('is undecided without a reading', () => {
    expect(judgeTerminal([run, reading([])]).verdict).toBe('inconclusive');
  });
});

it('advise to close streams behind the end of their logs', () => {
  expect(judgeTerminal([run, reading(WHOLE), sse(WHOLE, { open: true })])).toMatchObject({
    verdict: 'pass',
    reason: expect.stringContaining('not closed') as unknown,
  });
  expect(judgeTerminal([run, reading(WHOLE), sse(WHOLE)]).reason).not.toContain('not closed');
});

/** Streams of three runs that were read while these went on; those of the further two stopped before the end. */
const stopping = (...stopped: readonly ('ended' | 'still')[]) =>
  ['working run', 'second working run', 'third working run'].map((role, at) => {
    const how = at === 0 ? undefined : stopped[at - 1];
    return { ...sse(WHOLE, { run: role, how: 'live', ...(how !== undefined && { stopped: how }) }), id: `live ${at}` };
  });

describe('streams that stop before the end of their runs', () => {
  const seen = [run, reading(WHOLE), sse(WHOLE)];

  it('disagree where each further one stands still behind what was there when it was opened', () => {
    expect(judgeAgreement([...seen, ...stopping('still', 'still')])).toMatchObject({
      verdict: 'fail',
      evidence: ['live 1', 'live 2'],
      expected: expect.stringContaining('written while it is open') as string,
    });
    for (const stopped of [stopping(), stopping('still'), stopping('still', 'ended'), stopping('ended', 'ended')])
      expect(judgeAgreement([...seen, ...stopped]).verdict).toBe('pass');
    expect(judgeAgreement([...seen, ...stopping('still').slice(0, 2)]).verdict).toBe('pass');
  });

  it('are advised to go on to it where the host ends each of them', () => {
    expect(judgeTerminal([...seen, ...stopping('ended', 'ended')])).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining('ended before its run is') as string,
    });
    for (const stopped of [stopping(), stopping('still', 'ended'), stopping('ended')])
      expect(judgeTerminal([...seen, ...stopped]).reason).not.toContain('ended before');
  });
});

describe('transports', () => {
  it('leave the rest open where one shows nothing, and says not that it is not offered', () => {
    const silent = reading([], { transport: 'poll', cut: true });
    expect(judgeAgreement([run, reading(WHOLE), sse(WHOLE), silent])).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('nothing was shown by the poll reading') as string,
    });
    const other = sse(WHOLE.slice(0, 2));
    expect(judgeAgreement([run, reading(WHOLE), other, silent]).verdict).toBe('fail');
  });

  it.each(['run with variables', 'fork of the fork', 'later fork', 'branch'])(
    'have to agree on a %s as well',
    (role) => {
      const of = { run: role };
      const whole = [reading(WHOLE), sse(WHOLE)];
      expect(judgeAgreement([run, ...whole, reading(WHOLE, of), sse(WHOLE, of)]).verdict).toBe('pass');
      const hidden = sse([...WHOLE.slice(0, 2), ...WHOLE.slice(3)], of);
      expect(judgeAgreement([run, ...whole, reading(WHOLE, of), hidden]).verdict).toBe('fail');
      expect(judgeAgreement([run, ...whole, reading(WHOLE, of)]).verdict).toBe('pass');
    },
  );

  it('agree where the debug stream alone shows types of the host, and not where a list does', () => {
    const traced = [...WHOLE.slice(0, 2), event('vendor.trace', 1), ...WHOLE.slice(2)];
    const polled = reading(WHOLE, { transport: 'poll' });
    expect(judgeAgreement([run, sse(traced), reading(WHOLE), polled]).verdict).toBe('pass');
    expect(judgeAgreement([run, sse(WHOLE), reading(traced), polled]).verdict).toBe('fail');
    expect(judgeAgreement([run, sse(traced), reading(traced), polled]).verdict).toBe('fail');
    const lines = traced.with(2, event('log.appended', 1));
    expect(judgeAgreement([run, sse(lines), reading(WHOLE), polled]).verdict).toBe('fail');
  });

  it('leave it to the row about sources where runs alone that were forked differ', () => {
    const marked = WHOLE.with(2, event('node.completed', 2, { payload: { forked: true } }));
    const at = { scenario: 'sequence.readings' };
    const fork = { sourceRunId: 'r', mode: 'replay', fromSeq: null, advertised: true };
    const replay = { ...runAs('fork', [], { runId: 'f', fork }), ...at };
    const owner = (...beside: readonly RecordedReading[]) => {
      const own = [sse(marked), reading(WHOLE)];
      const everything = [run, replay, ...own, ...beside].map((each) => ({ ...each, ...at }));
      const outcome = judgeEveryAgreement([run, ...own, ...beside], { everything });
      return outcome.kind === 'rests' ? outcome.on : outcome.kind;
    };
    const of = (events: readonly Shown[], runId = 'other') => [
      { ...sse(events, { run: 'failing run', runId }), id: `${runId} sse` },
      { ...reading(WHOLE, { run: 'failing run', runId }), id: `${runId} json` },
    ];
    expect(owner(...of(WHOLE))).toBe('fork.source-untouched');
    expect(owner(...of(WHOLE, 'f'))).toBe('fork.source-untouched');
    // Without another run nothing is known of it, and one that differs as well was not forked.
    expect(owner()).toBe('fail');
    expect(owner(...of(marked))).toBe('fail');
    expect(owner(...of(marked, 'f'), ...of(WHOLE))).toBe('fail');
  });

  describe('of a replay', () => {
    const fork = { sourceRunId: 'r', mode: 'replay', fromSeq: 2, advertised: true };
    const replay = runAs(
      'fork',
      TYPES.map((type) => say(type)),
      { runId: 'f', fork },
    );
    const of = { run: 'fork', runId: 'f' };
    const seen = [run, reading(WHOLE), sse(WHOLE), replay];
    const report = event('replay.diverged', 2);
    const raised = event('replay.divergedAtRefusal', 2);
    const withReport = (each: Shown) => [...WHOLE.slice(0, 2), each, ...WHOLE.slice(3)];
    const without = withReport(report).toSpliced(2, 1);

    it('agree as those of its source do', () => {
      expect(judgeAgreement([...seen, reading(WHOLE, of), sse(WHOLE, of)]).verdict).toBe('pass');
      const other = WHOLE.with(2, event('node.completed', 2, { payload: { output: 'other' } }));
      const judgement = judgeAgreement([...seen, reading(other, of), sse(WHOLE, of)]);
      expect(judgement).toMatchObject({ verdict: 'fail' });
      expect(judgement.actual).toContain('of the fork f');
    });

    it('may hide a divergence outside the debug stream, and no divergence at a refusal', () => {
      expect(judgeAgreement([...seen, reading(without, of), sse(withReport(report), of)]).verdict).toBe('pass');
      expect(judgeAgreement([...seen, reading(withReport(report), of), sse(without, of)]).verdict).toBe('pass');
      expect(judgeAgreement([...seen, reading(without, of), sse(withReport(raised), of)]).verdict).toBe('fail');
    });

    it('disagree over what one divergence is', () => {
      const other = event('replay.diverged', 2, { payload: { other: true } });
      const judgement = judgeAgreement([...seen, reading(withReport(other), of), sse(withReport(report), of)]);
      expect(judgement.verdict).toBe('fail');
    });

    it('agree wherever another scenario read one over several transports', () => {
      const elsewhere = (scenario: string, ...read: readonly Recorded<ReadingObservation>[]) =>
        judgeEveryAgreement([...seen, reading(WHOLE, of), sse(WHOLE, of)], {
          everything: read.map((each) => ({ ...each, scenario })),
        });
      const other = { run: 'changed', runId: 'g' };
      const [listed, streamed] = [reading(without, other), sse(withReport(raised), other)];
      const found = elsewhere('refusal.valid-to-refusal', { ...listed, id: 'a' }, { ...streamed, id: 'b' });
      expect(found).toMatchObject({ kind: 'fail', evidence: ['a', 'b'] });
      const same = sse(withReport(raised), other);
      expect(elsewhere('refusal.valid-to-refusal', { ...same, id: 'a' }, { ...streamed, id: 'b' }).kind).toBe('pass');
      expect(elsewhere('refusal.valid-to-refusal', { ...listed, id: 'a' }).kind).toBe('pass');
      expect(elsewhere('retention.expired', { ...listed, id: 'a' }, { ...streamed, id: 'b' }).kind).toBe('pass');
    });

    it.each([
      ['in which versions a run is pinned to', 'sequence.readings', 'run with versions', 'version.pinned'],
      ['in whether a node is tried again', 'replay.same-failure', 'source that is tried again', 'node.retried'],
    ])('disagree where polls differ %s', (_, scenario, role, type) => {
      const log = WHOLE.with(1, event(type, 1));
      const listed = { ...reading(log, { run: role }), id: 'listed', scenario };
      const judged = (events: readonly Shown[], more: Partial<ReadingObservation> = {}) => {
        const polled = { ...reading(events, { run: role, transport: 'poll', ...more }), id: 'polled', scenario };
        const whole = [reading(WHOLE, of), sse(WHOLE, of)];
        return judgeEveryAgreement([...seen, ...whole], { everything: [listed, polled] });
      };
      expect(judged(log).kind).toBe('pass');
      expect(judged(log.slice(0, 2), { cut: true }).kind).toBe('pass');
      expect(judged(WHOLE)).toMatchObject({ kind: 'fail', evidence: ['listed', 'polled'] });
      expect(judged([...log.slice(0, 1), ...log.slice(2)]).kind).toBe('fail');
    });

    it('are open where there is none, resting on the row that says so', () => {
      const refused = refusedRun(replay);
      expect(judgeAgreement(seen.with(3, refused))).toMatchObject({ restsOn: 'fork.created.every-sequence' });
      expect(judgeAgreement(seen.with(3, unfinished(replay))).verdict).toBe('inconclusive');
    });
  });

  const resumed = sse(WHOLE.slice(3), { how: 'resumed', after: 2 });

  it('agree where all show the same, from the start or resumed', () => {
    expect(judgeAgreement([run, reading(WHOLE), sse(WHOLE), resumed])).toMatchObject({
      verdict: 'pass',
      reason: 'compared: json start, sse start, sse resumed',
    });
  });

  it('do not call an event missing that lacks a member', () => {
    const [first, ...rest] = WHOLE;
    const bare = { ...first, data: { ...Object(first?.data), payload: {} } } as Shown;
    const full = { ...first, data: { ...Object(first?.data), payload: { note: 'a' } } } as Shown;
    const judgement = judgeAgreement([run, reading([full, ...rest]), sse([bare, ...rest])]);
    expect(judgement).toMatchObject({ verdict: 'fail' });
    expect(`${judgement.expected} ${judgement.actual}`).toMatch(/\/payload\/note: .*nothing/u);
    expect(`${judgement.expected} ${judgement.actual}`).not.toContain('no event');
  });

  describe('of one transport', () => {
    const twice = (again: readonly Shown[], more: Partial<ReadingObservation> = {}) =>
      judgeAgreement([
        run,
        reading(WHOLE, { transport: 'poll' }),
        sse(stamped('a')),
        sse(again, { how: 'again', ...more }),
      ]);

    it.each([
      ['another time', stamped('b'), 'event 1 /timestamp: "b"'],
      ['a member more', stamped('a', { shard: 1 }), 'event 1 /shard: 1'],
    ])('disagree over %s', (_, again, expected) => {
      const judgement = twice(again);
      expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['sse again', 'sse start'] });
      expect(judgement.expected).toContain(expected);
    });

    it('disagree over a member that is there while the run goes on', () => {
      const of = { run: 'working run' };
      const [again, live] = [sse(WHOLE, { ...of, how: 'again' }), sse(stamped('a'), { ...of, how: 'live' })];
      const judgement = judgeAgreement([run, reading(WHOLE), sse(WHOLE), reading(WHOLE, of), again, live]);
      expect(judgement).toMatchObject({ verdict: 'fail', actual: expect.stringContaining('"a"') as string });
    });

    it('do not take two events of one number for each other', () => {
      const numbers = [0, 1, 1, 3];
      const doubled = TYPES.map((type, at) => event(type, numbers[at] ?? 0, { eventId: `e${at}`, timestamp: `${at}` }));
      expect(judgeAgreement([run, sse(doubled), sse(doubled, { how: 'again' })]).verdict).toBe('pass');
    });

    it('may tell when they were read, and are not compared so with other transports or where one was cut off', () => {
      expect(twice(stamped('a', { deliveredAt: 'now' })).verdict).toBe('pass');
      expect(twice(stamped('b'), { transport: 'json' }).verdict).toBe('pass');
      expect(judgeAgreement([run, sse(WHOLE), cut(stamped('b')), sse(WHOLE, { how: 'again' })]).verdict).toBe('pass');
    });
  });

  it('agree where members are spelled differently, events are reduced, or a stream mode leaves types out', () => {
    const spelled = WHOLE.map(({ data, ...rest }): Shown => {
      const { sequence, payload, ...others } = data as { sequence: Json; payload: Json };
      return { ...rest, data: { ...others, seq: sequence, data: payload, nodeId: null, vendor: 1 } };
    });
    const reduced = TYPES.map((type, index): Shown => ({ id: `${index}`, name: type, data: { type } }));
    const partial = sse(
      [WHOLE[0], WHOLE[3]].flatMap((each) => each ?? []),
      { partial: true },
    );
    expect(judgeAgreement([run, reading(WHOLE), sse(spelled)]).verdict).toBe('pass');
    expect(judgeAgreement([run, reading(WHOLE), sse(reduced)]).verdict).toBe('pass');
    expect(judgeAgreement([run, reading(WHOLE), partial]).verdict).toBe('pass');
  });

  it('agree where a stream lacks what an event need not have, and not where a list does', () => {
    const more = (names: { readonly [name: string]: Json }) =>
      WHOLE.map((each): Shown => ({ ...each, data: { ...Object(each.data), ...names } }));
    const [whole, caused] = [more({ nodeId: 'n', causationId: 'c' }), more({ causationId: 'c' })];
    const poll = (events: readonly Shown[]) => reading(events, { transport: 'poll' });
    expect(judgeAgreement([run, sse(WHOLE), reading(whole), poll(whole)]).verdict).toBe('pass');
    expect(judgeAgreement([run, sse(whole), reading(whole), sse(WHOLE, { how: 'resumed', after: -1 })]).verdict).toBe(
      'pass',
    );
    for (const [less, name] of [
      [caused, 'nodeId'],
      [more({ nodeId: 'n', causationId: null }), 'causationId'],
    ] as const) {
      for (const streamed of [WHOLE, whole, less]) {
        const judgement = judgeAgreement([run, sse(streamed), reading(whole), poll(less)]);
        expect(judgement).toMatchObject({ verdict: 'fail', expected: expect.stringContaining(`/${name}`) as string });
      }
      expect(judgeAgreement([run, sse(whole), reading(less)]).verdict).toBe('fail');
    }
    const other = more({ nodeId: 'n', causationId: 'd' });
    expect(judgeAgreement([run, sse(other), reading(whole)]).verdict).toBe('fail');
  });

  it.each([
    ['another payload', [...WHOLE.slice(0, 3), event('run.completed', 3, { payload: { other: true } })], '/payload'],
    ['another id', [...WHOLE.slice(0, 3), event('run.completed', 3, { eventId: 'x' })], '/eventId'],
    ['an event less', WHOLE.slice(0, 3), 'event 4'],
    ['an event more', [...WHOLE, event('log.appended', 4)], 'event 5'],
  ])('disagree over %s', (_, events, says) => {
    const judgement = judgeAgreement([run, reading(WHOLE), sse(events)]);
    expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['json start', 'sse start'] });
    expect(judgement.expected).toContain(says);
  });

  it.each([
    ['repeats', WHOLE.slice(2)],
    ['skips', []],
  ])('disagree where a resumed reading %s an event', (_, events) => {
    expect(judgeAgreement([run, sse(WHOLE), sse(events, { how: 'resumed', after: 2 })]).verdict).toBe('fail');
  });

  it('leave it to the row about ends where one of them lacks no more than its end', () => {
    const restsOn = 'sequence.single-terminal-event';
    expect(judgeAgreement([run, sse(WHOLE), reading(WHOLE.slice(0, 3))])).toMatchObject({ verdict: 'fail', restsOn });
    expect(judgeAgreement([run, sse(WHOLE.slice(0, 2)), reading(WHOLE)])).toMatchObject({ verdict: 'fail', restsOn });
    const others = [...WHOLE.slice(1, 2), ...WHOLE.slice(2, 3)];
    expect(judgeAgreement([run, sse(WHOLE), reading(others)])).not.toHaveProperty('restsOn');
    expect(judgeAgreement([run, sse(WHOLE), reading(WHOLE.toSpliced(2, 1))])).not.toHaveProperty('restsOn');
  });

  it('may show less where one of them was cut off, and nothing else', () => {
    expect(judgeAgreement([run, cut(WHOLE.slice(0, 2)), reading(WHOLE)]).verdict).toBe('inconclusive');
    const both = judgeAgreement([run, cut(WHOLE.slice(0, 1)), reading(WHOLE), reading(WHOLE, { transport: 'poll' })]);
    expect(both).toMatchObject({ verdict: 'pass', evidence: ['json start', 'poll start'] });
    expect(judgeAgreement([run, cut(WHOLE.slice(1, 2)), reading(WHOLE)]).verdict).toBe('fail');
  });

  describe('of a run that goes on', () => {
    const of = { run: 'working run' };
    const again = sse(WHOLE, { ...of, how: 'again', partial: true });
    const judged = (events: readonly Shown[], more: Partial<ReadingObservation> = {}) =>
      judgeAgreement([
        run,
        reading(WHOLE),
        sse(WHOLE),
        reading(WHOLE, of),
        again,
        sse(events, { ...of, how: 'live', partial: true, ...more }),
      ]);

    it('agree with what is shown afterwards; notices of what happens meanwhile are no events of the log', () => {
      expect(judged(WHOLE).verdict).toBe('pass');
      expect(judged([...WHOLE.slice(0, 3), event('run.annotated', 3), ...WHOLE.slice(3)]).verdict).toBe('pass');
      expect(judged(TYPES.map((type, at): Shown => ({ id: `${at}`, name: type, data: { type } }))).verdict).toBe(
        'pass',
      );
      expect(judged(WHOLE.slice(0, 2), { cut: true }).verdict).toBe('pass');
    });

    it.each([
      [
        'another payload',
        WHOLE.with(2, event('node.completed', 2, { payload: { output: 'other' } })),
        'event 3 /payload',
      ],
      ['an event less', WHOLE.toSpliced(2, 1), 'event 3 /type'],
    ])('disagree over %s', (_, events, says) => {
      const judgement = judged(events);
      expect(judgement).toMatchObject({ verdict: 'fail' });
      expect(judgement).not.toHaveProperty('restsOn');
      expect(judgement.expected).toContain(says);
      expect(judgement.actual).toContain('while it goes on');
    });

    it('leave it to the rows about numbers and ends where events come twice, or the end does not come', () => {
      const twice = WHOLE.flatMap((each) => [each, each]);
      expect(judged(twice)).toMatchObject({ verdict: 'fail', restsOn: 'sequence.monotonic' });
      expect(judgeTerminal([run, sse(twice)])).toMatchObject({ verdict: 'fail', restsOn: 'sequence.monotonic' });
      expect(judged(WHOLE.slice(0, 3))).toMatchObject({ verdict: 'fail', restsOn: 'sequence.single-terminal-event' });
    });

    it('fail where a poll says that the run is over while it waits, or goes on where it is over', () => {
      const poll = (more: Partial<ReadingObservation>, events = WHOLE) =>
        judgeAgreement([run, sse(WHOLE), reading(events, { transport: 'poll', ...more })]);
      expect(poll({ over: false })).toMatchObject({ verdict: 'fail', actual: 'false', evidence: ['poll start'] });
      expect(poll({ over: true }).verdict).toBe('pass');
      const asking = (over: boolean) => reading(WHOLE.slice(0, 2), { transport: 'poll', how: 'waiting', over });
      const waiting = (over: boolean) => judgeAgreement([run, sse(WHOLE), reading(WHOLE), asking(over)]);
      expect(waiting(true)).toMatchObject({ verdict: 'fail', actual: 'true', evidence: ['poll waiting'] });
      expect(waiting(false).verdict).toBe('pass');
      expect(judgeTerminal([run, sse(WHOLE), asking(false)]).verdict).toBe('pass');
    });
  });

  it('leave it to the row about numbers where nothing but the order differs, or a number', () => {
    const restsOn = 'sequence.monotonic';
    const first = WHOLE.flatMap((each, at) => (at === 0 ? [each, each] : [each]));
    const last = WHOLE.with(3, event('run.completed', 2));
    for (const events of [
      WHOLE.toReversed(),
      first,
      last,
      WHOLE.with(3, event('run.completed', 3, { sequence: '3' })),
    ]) {
      expect(judgeAgreement([run, sse(WHOLE), reading(events)])).toMatchObject({ verdict: 'fail', restsOn });
    }
    expect(judgeTerminal([run, sse(WHOLE), reading(WHOLE.toReversed())])).toMatchObject({ verdict: 'fail', restsOn });
    const other = WHOLE.toReversed().with(1, event('node.completed', 2, { payload: {} }));
    expect(judgeAgreement([run, sse(WHOLE), reading(other)])).not.toHaveProperty('restsOn');
  });

  it('leave it to the row about ends where nothing differs but what stands behind one', () => {
    const restsOn = 'sequence.single-terminal-event';
    const longer = [...WHOLE, event('run.completed', 4)];
    expect(judgeAgreement([run, sse(WHOLE), reading(longer)])).toMatchObject({ verdict: 'fail', restsOn });
  });

  it('leave it to the row about cursors where a log that took several answers lacks events', () => {
    const paged = reading(WHOLE.toSpliced(2, 1), { transport: 'poll', exchanges: ['x1', 'x2'] });
    expect(judgeAgreement([run, sse(WHOLE), paged])).toMatchObject({ verdict: 'fail', restsOn: 'run.cursor' });
    const other = { ...paged, events: paged.events.with(0, event('run.started', 0, { payload: {} })) };
    expect(judgeAgreement([run, sse(WHOLE), other])).not.toHaveProperty('restsOn');
  });

  it('disagree over the run and the cause of an event where both name one', () => {
    for (const name of ['runId', 'causationId']) {
      const events = (value: Json) => WHOLE.with(2, event('node.completed', 2, { [name]: value }));
      const judged = (one: Json, two: Json) => judgeAgreement([run, sse(events(one)), reading(events(two))]);
      expect(judged('a', 'b').expected).toContain(`event 3 /${name}`);
      expect(judged(null, 'a').verdict).toBe('pass');
    }
  });

  it('disagree over the instant of an event where both show one with its zone, to the second', () => {
    expect(timedBeside('2026-01-01T11:00:00.250Z').expected).toContain('event 1 /timestamp');
    for (const time of ['2026-01-01T10:00:00Z', '2026-01-01T11:00:00+01:00', '2026-01-01 10:00', 1_767_261_600, null]) {
      expect(timedBeside(time).verdict).toBe('pass');
    }
  });

  it('disagree over what a resumed reading of another scenario shows of an event, and not over which ones it shows', () => {
    const judged = (events: readonly Shown[]) => {
      const beside = [reading(WHOLE), reading(events, { how: 'resumed', after: 1 })];
      const others = beside.map((each) => ({ ...each, id: `${each.id} beside`, scenario: 'run.resuming' }));
      const seen = [run, reading(WHOLE), sse(WHOLE)];
      const everything = [...seen.map((each) => ({ ...each, scenario: readings.id })), ...others];
      return judgementOf('c', judgeEveryAgreement(seen, { everything }));
    };
    expect(judged(WHOLE.slice(2)).verdict).toBe('pass');
    expect(judged(WHOLE).verdict).toBe('pass');
    expect(judged(WHOLE.slice(3)).verdict).toBe('pass');
    const other = judged([event('node.completed', 2, { payload: {} }), ...WHOLE.slice(3)]);
    expect(other).toMatchObject({ verdict: 'fail', restsOn: 'run.cursor' });
    expect(other.expected).toContain('/payload');
  });

  it('disagree where a stream announces an event as another one of its log, or of the documents', () => {
    for (const name of ['node.completed', 'run.failed', 'node.failed', 'command_committed']) {
      expect(judgeAgreement([run, announcing(name), reading(WHOLE)])).toMatchObject({
        verdict: 'fail',
        evidence: ['sse start'],
      });
    }
    for (const name of ['node.started', 'message', 'run.event']) {
      expect(judgeAgreement([run, announcing(name), reading(WHOLE)]).verdict).toBe('pass');
    }
    // One type, spelled in two ways.
    const spelled = WHOLE.map((each, at) => (at === 1 ? event('nodeStarted', 1) : each));
    const streamed = sse(spelled.map((each, at) => (at === 1 ? { ...each, name: 'node.started' } : each)));
    expect(judgeAgreement([run, streamed, reading(spelled)]).verdict).toBe('pass');
  });

  it('disagree where the data of an event is text, and not where a notice is, or an event came reduced', () => {
    expect(endingWith('no JSON: cut off', 'run.completed')).toMatchObject({
      verdict: 'fail',
      expected: 'a JSON object as the data of run.completed, in the sse reading (from the start) of the run r',
      actual: '"no JSON: cut off"',
      evidence: ['sse start'],
    });
    expect(endingWith({}, 'run.completed').verdict).toBe('pass');
    expect(endingWith(null, 'run.completed').verdict).toBe('pass');
    expect(endingWith('4 events', 'notice')).not.toMatchObject({ expected: expect.stringContaining('a JSON object') });
  });

  it('disagree where an event of a list lacks what every one must have, and not where it came reduced in a stream', () => {
    const without = (name: string, value?: Json): readonly Shown[] =>
      stamped('2026-01-01T10:00:00Z').map(({ data, ...rest }, at): Shown => {
        const { [name]: _, ...others } = data as Readonly<Record<string, Json>>;
        return {
          ...rest,
          data: at === 1 ? { ...others, ...(value !== undefined && { [name]: value }) } : data,
        };
      });
    const whole = stamped('2026-01-01T10:00:00Z');
    for (const name of ['eventId', 'payload']) {
      expect(judgeAgreement([run, sse(whole), reading(without(name), { transport: 'poll' })])).toMatchObject({
        verdict: 'fail',
        expected: `${name} in the event of sequence 1, as in the sse reading (from the start) of the run r`,
        actual: 'nothing in the poll reading (from the start) of the run r',
        evidence: ['sse start', 'poll start'],
      });
      expect(judgeAgreement([run, reading(whole), sse(without(name))]).verdict).toBe('pass');
      expect(judgeAgreement([run, reading(without(name)), sse(without(name))]).verdict).toBe('pass');
    }
    expect(judgeAgreement([run, sse(whole), reading(without('eventId', null))])).toMatchObject({
      actual: 'null in the json reading (from the start) of the run r',
    });
    const renamed = without('payload').map((each, at) =>
      at === 1 ? { ...each, data: { ...Object(each.data), data: { type: 'node.started' } } } : each,
    );
    expect(judgeAgreement([run, sse(whole), reading(renamed)]).verdict).toBe('pass');
  });

  it('leave it to the row about numbers where a log is resumed at one that repeats', () => {
    const repeating = [WHOLE[0], WHOLE[1], event('node.completed', 1), WHOLE[3]].flatMap((each) => each ?? []);
    const from = sse(repeating.slice(2), { how: 'resumed', after: 1 });
    expect(judgeAgreement([run, sse(repeating), from])).toMatchObject({ restsOn: 'sequence.monotonic' });
  });

  it('are undecided with one reading, and with none', () => {
    expect(judgeAgreement([run, sse(WHOLE)]).verdict).toBe('inconclusive');
    expect(judgeAgreement([run]).verdict).toBe('inconclusive');
  });
});
