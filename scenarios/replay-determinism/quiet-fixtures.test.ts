import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import {
  judgementIn,
  observed,
  OPTIONS,
  refusedRun,
  replayCalled,
  runCalled,
  unfinished,
  verdictOf,
  type Said,
} from '../../test/recorded-runs.ts';
import { divergence } from './divergence.ts';

const CHECK = 'replay.no-false-divergence.every-fixture';

type AnyRecorded = Recorded<Observation>;

function logged(value: string, time = 1): readonly Said[] {
  return [
    ['run.started'],
    ['variable.changed', { name: 'x', value, time }, 'node'],
    ['node.completed', {}, 'node'],
    ['run.completed'],
  ];
}

const ALARM: Said = ['replay.diverged', { atSequence: 1 }];
const LOUD = [...logged('first').slice(0, 2), ALARM, ...logged('first').slice(2)];

/** The replay that has to differ, and what tells so. */
const TWIN: readonly AnyRecorded[] = [
  runCalled('src', logged('first')),
  observed('r', 'revision', { revision: '2.0.0', problem: null }),
  replayCalled('rep', [...logged('second'), ALARM], { role: 'replay under 2.0.0' }),
];
const SILENT_TWIN = [...TWIN.slice(0, 2), replayCalled('rep', logged('second'), { role: 'replay under 2.0.0' })];

function source(name: string, events = logged('first')): Recorded<RunObservation> {
  return runCalled(name, events, { role: `source of conformance-determinism-${name}` });
}

function replay(of: string, events: readonly Said[]): Recorded<RunObservation> {
  return replayCalled(`${of}-replay`, events, { of, role: `replay of determinism-${of}` });
}

/** A replay from the last event of a run. */
function late(of: string, events: readonly Said[]): Recorded<RunObservation> {
  return replayCalled(`${of}-late`, events, { of, from: events.length - 1 });
}

const QUIET = [source('parallel'), replay('parallel', logged('first'))];

function verdict(seen: readonly AnyRecorded[]): string {
  return verdictOf(divergence, CHECK, seen);
}

function reason(seen: readonly AnyRecorded[]): string | undefined {
  return divergence.judge(seen, OPTIONS).find(({ check }) => check === CHECK)?.reason;
}

describe('replays of fixtures', () => {
  it('report nothing where they match, and are listed', () => {
    expect(verdict([...TWIN, ...QUIET])).toBe('pass');
    const random = [source('random'), replay('random', logged('other'))];
    const missing = { ...source('identity'), runId: null, problem: 'the request was answered with 404' };
    const listed = reason([...TWIN, ...QUIET, ...random, missing]);
    expect(listed).toContain('quiet replays of determinism-parallel (1); not compared: determinism-random (');
    expect(listed).toContain('determinism-identity (the request was answered with 404)');
  });

  it('fail with a false alarm, on a host that reports nothing else as well', () => {
    const loud = [source('interrupt'), replay('interrupt', LOUD)];
    expect(verdict([...TWIN, ...QUIET, ...loud])).toBe('fail false-alarm');
    expect(verdict([...SILENT_TWIN, ...loud])).toBe('fail false-alarm');
    const refusal: Said = ['replay.divergedAtRefusal', { atSequence: 1 }];
    expect(verdict([...TWIN, source('llm-chain'), replay('llm-chain', [...logged('first'), refusal])])).toBe(
      'fail false-alarm',
    );
  });

  it('may have an alarm of their source as history, and none of their own', () => {
    const loud = source('parallel', LOUD);
    expect(verdict([...TWIN, loud, late('parallel', LOUD)])).toBe('pass');
    const again = [...LOUD, ALARM];
    expect(verdict([...TWIN, loud, late('parallel', again)])).toBe('fail false-alarm');
  });

  it('may report what differs', () => {
    const other = [source('random'), replay('random', [...logged('other'), ALARM])];
    expect(verdict([...TWIN, ...other])).toBe('inconclusive');
    expect(verdict([...TWIN, ...QUIET, ...other])).toBe('pass');
  });

  it('may report what is only declared volatile', () => {
    const options = { ...OPTIONS, volatile: ['/payload/time'] };
    const judged = (events: readonly Said[]): string | undefined =>
      divergence
        .judge([...TWIN, source('clocked'), replay('clocked', events)], options)
        .find(({ check }) => check === CHECK)?.verdict;
    expect(judged(logged('first', 2))).toBe('pass');
    expect(judged([...logged('first', 2), ALARM])).toBe('inconclusive');
    expect(judged([...logged('first', 1), ALARM])).toBe('fail');
  });

  it('prove nothing on a host that was not seen to report, or where none was seen', () => {
    expect(verdict([...SILENT_TWIN, ...QUIET])).toBe('inconclusive');
    expect(verdict(QUIET)).toBe('inconclusive');
    expect(verdict(TWIN)).toBe('inconclusive');
    expect(verdict([])).toBe('inconclusive');
    const waiting = [source('interrupt'), unfinished(replay('interrupt', logged('first')))];
    expect(verdict([...TWIN, ...waiting])).toBe('inconclusive');
    expect(verdict([...TWIN, ...waiting, ...QUIET])).toBe('pass');
  });

  it('fail where an advertised replay is refused', () => {
    expect(verdict([...TWIN, ...QUIET, source('random'), refusedRun(replay('random', []))])).toBe('fail fork-refused');
  });

  it('cannot be compared where a log is unreadable', () => {
    const broken = { ...replay('random', logged('first')), events: [{ type: 1 } as Json] };
    expect(verdict([...TWIN, source('random'), broken])).toBe('inconclusive');
  });
});

/** A replay of the same run from its end, whose history can differ. */
function later(events: readonly Said[]): AnyRecorded {
  return replayCalled('later', events, { of: 'clocked', from: 3, role: 'replay of determinism-clocked from 3' });
}

describe('replays of unchanged code', () => {
  const SILENT = 'replay.divergence-is-reported.every-fixture';
  const judged = (recorded: readonly AnyRecorded[]): string => verdictOf(divergence, SILENT, recorded);

  it('pass where what happened is the same, or is said to differ', () => {
    expect(judged(QUIET)).toBe('pass');
    expect(judged([source('random'), replay('random', [...logged('other'), ALARM])])).toBe('pass');
    expect(judged([source('clocked'), replay('clocked', logged('first', 2))])).toBe('pass');
  });

  it('are open where no payload says anything', () => {
    const hollow: readonly Said[] = [['run.started'], ['node.completed', {}, 'node'], ['run.completed']];
    const seen = [source('silent', hollow), replay('silent', hollow)];
    expect(judged(seen)).toBe('inconclusive');
    expect(judged([...seen, ...QUIET])).toBe('pass');
  });

  it('say whether anybody saw what this host says of one that differs', () => {
    const of = [QUIET, [...TWIN, ...QUIET]].map((recorded) => judgementIn(divergence, SILENT, recorded));
    expect(of[0]?.reason).toContain('the same in 1 replays; no replay that differs was seen');
    expect(of[1]?.reason).toBe('what happened is the same, or is said to differ, in 1 replays');
  });

  it('rest on the row about histories where none of them is like its source, and their histories are not either', () => {
    const began = source('clocked');
    const judgement = judgementIn(divergence, SILENT, [began, later(logged('first', 2))]);
    expect(judgement).toMatchObject({ verdict: 'inconclusive', restsOn: 'sequence.prefix-equal' });
    expect(judgement.reason).toContain('none of 1 replays shows what its source shows');
    expect(judged([began, later(logged('first', 2)), replay('clocked', logged('first'))])).toBe('pass');
    expect(judged([began, later([...logged('first', 2), ALARM])])).toBe('pass');
  });

  it('fail where something else happened and nothing says so', () => {
    expect(judged([...QUIET, source('random'), replay('random', logged('other'))])).toBe('fail silent-divergence');
    const less = [source('identity'), replay('identity', logged('first').slice(0, 2))];
    expect(judged([...QUIET, ...less])).toBe('fail silent-divergence');
    const started = (typeId: string): readonly Said[] => [['node.started', { typeId }, 'node'], ...logged('first')];
    const [before, after] = [started('core.identity'), started('core.other')];
    expect(judged([...QUIET, source('typed', before), replay('typed', before)])).toBe('pass');
    expect(judged([...QUIET, source('typed', before), replay('typed', after)])).toBe('fail silent-divergence');
  });

  it('fail by what all of them lack, which is named once', () => {
    const less = logged('first').filter(([type]) => type !== 'node.completed');
    const all = ['identity', 'parallel', 'random'].flatMap((name) => [source(name), replay(name, less)]);
    const failure = divergence.judge([...TWIN, ...all], OPTIONS).find(({ check }) => check === SILENT);
    expect(failure).toMatchObject({
      verdict: 'fail',
      expected: 'node.completed in replays as in their sources; or replay.diverged in them',
      actual: expect.stringContaining('nowhere in 3 replays, such as the replay of determinism-identity'),
    });
    expect(failure?.evidence).toHaveLength(6);
  });

  it('fail by what those from the start alone show otherwise, whatever the later ones show', () => {
    const all = ['identity', 'parallel', 'random'].flatMap((name) => [
      source(name),
      replay(name, logged('other')),
      replayCalled(`${name}-later`, logged('first'), { of: name, from: 1 }),
    ]);
    const failure = judgementIn(divergence, SILENT, [...TWIN, ...all]);
    expect(failure).toMatchObject({
      verdict: 'fail',
      actual: expect.stringContaining(
        'nowhere in 3 replays from the start, such as the replay of determinism-identity',
      ),
    });
    expect(failure.evidence).toHaveLength(6);
  });

  it('fail by what all of them write beside what their sources do, though what happened is the same', () => {
    const more: readonly Said[] = [
      ...logged('first').slice(0, -1),
      ['log.appended', { text: 'replayed' }],
      ['run.completed'],
    ];
    const all = ['identity', 'parallel', 'random'].flatMap((name) => [source(name), replay(name, more)]);
    const failure = divergence.judge([...TWIN, ...all], OPTIONS).find(({ check }) => check === SILENT);
    expect(failure).toMatchObject({
      verdict: 'fail',
      expected: 'log.appended in replays as in their sources; or replay.diverged in them',
      actual: expect.stringContaining('beside what their sources show, in 3 replays, such as'),
    });
    const said = ['identity', 'parallel', 'random'].flatMap((name) => [source(name), replay(name, [...more, ALARM])]);
    expect(judged([...TWIN, ...said])).toBe('pass');
  });

  it('are left open on a host that reports in the debug stream only: no replay of a fixture is read there', () => {
    const alarm = { type: 'replay.diverged', sequence: 9, eventId: 'rep-9', payload: ALARM[1] ?? {} };
    const debug = observed('d', 'debug-stream', {
      role: 'replay under 2.0.0',
      answered: 200,
      types: ['replay.diverged'],
      events: [alarm],
      complete: true,
    });
    const other = [source('random'), replay('random', logged('other'))];
    expect(judged([...SILENT_TWIN, debug, ...other])).toBe('inconclusive');
    expect(judged([...SILENT_TWIN, ...other])).toBe('fail silent-divergence');
    expect(judged([...TWIN, ...other])).toBe('fail silent-divergence');
  });

  it('decide nothing where no node did anything, or nothing was replayed', () => {
    const idle: readonly Said[] = [['run.started'], ['run.completed']];
    expect(judged([source('noop', idle), replay('noop', idle)])).toBe('inconclusive');
    expect(judged([source('random'), unfinished(replay('random', logged('first')))])).toBe('inconclusive');
    expect(judged([])).toBe('inconclusive');
  });
});

/** A log whose node put this out. */
function put(output: Json): readonly Said[] {
  return [['run.started'], ['node.completed', { output }, 'node'], ['run.completed']];
}

/** A workflow of the host's own and a replay of it, by what their nodes put out. */
function ran(output: Json, again: Json, more: readonly Said[] = []): readonly AnyRecorded[] {
  return [
    runCalled('theirs', [...more, ...put(output)], { role: 'source of vendor.flow' }),
    replayCalled('theirs-again', [...more, ...put(again)], { of: 'theirs', role: 'replay of vendor.flow from 0' }),
  ];
}

/** What a check says where a sweep saw this. */
function judgedWith(check: string, swept: readonly AnyRecorded[]): Judgement | undefined {
  const everything = swept.map((each) => ({ ...each, scenario: 'sequence.sweep' }));
  return divergence.judge(TWIN, OPTIONS, everything).find((each) => each.check === check);
}

/** A run, a fork of it and a replay of that fork, as some scenario saw them. */
function generations(
  mode: 'replay' | 'branch',
  again: readonly Said[],
  fork: readonly Said[] = put('a'),
): readonly Recorded<RunObservation>[] {
  const first = replayCalled('first', fork, { of: 'began' });
  const forkOf = { ...first.fork, mode } as RunObservation['fork'];
  return [
    runCalled('began', put('a')),
    { ...first, fork: forkOf },
    replayCalled('second', again, { of: 'first', from: 1 }),
  ];
}

/** What the check says beside a fixture that is quiet where a scenario saw these. */
function besideIn(scenario: string, seen: readonly AnyRecorded[]): Judgement | undefined {
  const everything = seen.map((each) => ({ ...each, scenario }));
  return divergence.judge([...TWIN, ...QUIET], OPTIONS, everything).find(({ check }) => check === CHECK);
}

describe('replays of forks', () => {
  const loud: readonly Said[] = [...put('a').slice(0, 2), ALARM, ...put('a').slice(2)];

  it.each(['replay', 'branch'] as const)('report nothing where they match a %s', (mode) => {
    expect(besideIn('fork.full-replay', generations(mode, put('a')))?.verdict).toBe('pass');
    expect(besideIn('fork.full-replay', generations(mode, loud))?.diagnosis?.code).toBe('false-alarm');
    const refusal: Said = ['replay.divergedAtRefusal', { atSequence: 1 }];
    const alarmed = besideIn(
      'refusal.mid-graph',
      generations(mode, [...put('a').slice(0, 2), refusal, ['run.completed']]),
    );
    expect(alarmed).toMatchObject({ verdict: 'fail', restsOn: 'refusal.no-false-alarm' });
  });

  it('may report what differs, in their logs or in their states', () => {
    const other = [...put('b').slice(0, 2), ALARM, ...put('b').slice(2)];
    expect(besideIn('fork.full-replay', generations('replay', other))?.verdict).toBe('pass');
    const [began, first, second] = generations('branch', loud);
    const changed = second && { ...second, snapshot: { ...Object(second.snapshot), variables: { x: 2 } } };
    const seen = [began, first, changed].filter((each) => each !== undefined);
    expect(besideIn('fork.branch', seen)?.verdict).toBe('pass');
  });

  it('may report again what their source reports, and show nothing of it', () => {
    expect(besideIn('fork.full-replay', generations('replay', loud, loud))?.verdict).toBe('pass');
    const bare: readonly Said[] = [
      ['run.started', null],
      ['node.completed', null, 'node'],
      ['run.completed', null],
    ];
    const alarmed: readonly Said[] = [...bare.slice(0, 2), ALARM, ...bare.slice(2)];
    expect(besideIn('fork.full-replay', generations('replay', alarmed, bare))?.verdict).toBe('pass');
  });

  it('are not looked at where data was taken from them', () => {
    expect(besideIn('privacy.deleted-data', generations('replay', loud))?.verdict).toBe('pass');
  });

  it('are neither branches nor runs that replay nothing, of which it is noted', () => {
    const branches = besideIn('fork.branch', generations('branch', put('a'), loud));
    expect(branches?.reason).toMatch(/advisory: the .* first report/u);
    const plain = [runCalled('plain', loud)];
    expect(besideIn('run.created', plain)?.reason).toContain('advisory: the source plain report');
    expect(besideIn('privacy.deleted-data', plain)?.reason).not.toContain('advisory');
  });
});

describe('replays that a sweep made of fixtures', () => {
  it('report nothing where they match, from any of their events', () => {
    const loud = [...logged('first').slice(0, 3), ALARM, ['run.completed'] as const];
    const failed = [...loud.slice(0, -1), ['run.failed', {}] as const];
    const [quiet, alarmed, unlike] = [logged('first'), loud, failed].map((events) => [
      source('parallel'),
      late('parallel', events),
    ]);
    expect(besideIn('sequence.sweep', quiet ?? [])?.verdict).toBe('pass');
    expect(besideIn('sequence.sweep', alarmed ?? [])?.diagnosis?.code).toBe('false-alarm');
    expect(besideIn('replay.divergence', alarmed ?? [])?.verdict).toBe('pass');
    expect(besideIn('sequence.sweep', unlike ?? [])?.verdict).toBe('pass');
  });
});

describe('workflows that a sweep ran', () => {
  const SILENT = 'replay.divergence-is-reported.every-fixture';

  it('say so where their replays put out something else', () => {
    expect(judgedWith(SILENT, ran({ waitedMs: 50 }, { waitedMs: 51 }))?.diagnosis?.code).toBe('silent-divergence');
    expect(judgedWith(SILENT, ran({ text: 'a' }, { text: 'a' }))?.verdict).toBe('pass');
  });

  it('may show another duration, usage, moment or run in an output', () => {
    const first = { text: 'a', durationMs: 1, meta: { usage: { in: 1 }, startedAt: 'x', childRunId: 'r1' } };
    const again = { text: 'a', durationMs: 2, meta: { usage: { in: 2 }, startedAt: 'y', childRunId: 'r2' } };
    expect(judgedWith(SILENT, ran(first, again))?.verdict).toBe('pass');
    expect(judgedWith(SILENT, ran({ ...first, format: 1 }, { ...again, format: 2 }))?.verdict).toBe('fail');
  });

  it('are not looked at where a node failed or was tried again', () => {
    expect(judgedWith(SILENT, ran(1, 2, [['node.retried', {}, 'node']]))?.verdict).toBe('inconclusive');
  });

  it('report nothing where they match, which alone is enough beside a host that reports', () => {
    expect(judgedWith(CHECK, ran('a', 'a'))).toMatchObject({
      verdict: 'pass',
      reason: 'quiet replays of 1 of swept workflows',
    });
    const [theirs, again] = ran('a', 'a');
    const loud = again && { ...again, ...replayCalled('theirs-again', [ALARM, ...put('a')], { of: 'theirs' }) };
    expect(
      judgedWith(
        CHECK,
        [theirs, loud].filter((each) => each !== undefined),
      )?.diagnosis?.code,
    ).toBe('false-alarm');
  });

  it('are those of the sweep alone', () => {
    const [theirs, again] = ran('a', 'b');
    const elsewhere = [theirs, again].flatMap((each) =>
      each === undefined ? [] : [{ ...each, scenario: 'handoff.loop' }],
    );
    expect(divergence.judge([], OPTIONS, elsewhere).find(({ check }) => check === SILENT)?.verdict).toBe(
      'inconclusive',
    );
  });
});
