import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded, Scenario } from '../../src/runner/scenario.ts';
import {
  observed,
  OPTIONS,
  replayCalled,
  runCalled,
  unfinished,
  type Said,
  verdictOf,
  judgementIn,
} from '../../test/recorded-runs.ts';
import { clock } from './clock.ts';
import { interrupt } from './interrupt.ts';
import { modelCalls, toolCalls } from './external-calls.ts';
import { versionPins } from './version-pins.ts';

type AnyRecorded = Recorded<Observation>;

const EMPTY: readonly (readonly [Scenario, readonly string[]])[] = [
  [toolCalls, ['replay.no-second-external-call', 'replay.no-second-external-call.replay-of-replay']],
  [modelCalls, ['replay.no-second-external-call.model']],
  [interrupt, ['replay.interrupt-short-circuits', 'replay.interrupt-short-circuits.recorded-value']],
  [versionPins, ['replay.version-pins-kept', 'replay.version-pins-kept.full-replay']],
  [clock, ['replay.logical-clock', 'replay.no-false-divergence.clock']],
];

describe('every judge', () => {
  it.each(EMPTY.flatMap(([scenario, checks]) => checks.map((check) => [check, scenario] as const)))(
    '%s: says nothing where nothing was driven',
    (check, scenario) => {
      expect(verdictOf(scenario, check, [])).toBe('inconclusive');
    },
  );
});

function loggedAnswer(value: string): readonly Said[] {
  return [
    ['run.started'],
    ['interrupt.requested', { nodeId: 'ask' }, 'ask'],
    ['variable.changed', { name: 'approval', value }, 'ask'],
    ['run.completed'],
  ];
}

/** A log whose node was answered under this key. */
function under(key: string, more: readonly Said[] = []): readonly Said[] {
  const resolved: Said = ['interrupt.resolved', { key, resumeValue: 'yes' }, 'ask'];
  return [['run.started'], resolved, ...more, ['run.completed']];
}

function answer(role: string, answered: number | null): AnyRecorded {
  return observed(`a-${role}`, 'answer', { role, mark: 'mark', answered });
}

/** A refused answer to a replay with this status. */
function refused(status: string): AnyRecorded {
  return observed('a-full replay', 'answer', { role: 'full replay', mark: 'mark', answered: 409, status });
}

/** What the rows about interrupts say where the host lacks the workflows that ask, of what a sweep saw. */
function ofSwept(...runs: readonly AnyRecorded[]): readonly [string, string] {
  return ofRuns('sequence.sweep', ...runs);
}

function ofRuns(scenario: string, ...runs: readonly AnyRecorded[]): readonly [string, string] {
  const absent = runCalled('src', [], { runId: null, problem: 'POST /v1/runs was answered with 404', answered: 404 });
  const everything = runs.map((run) => ({ ...run, scenario }));
  const of = (check: string): string => verdictOf(interrupt, check, [absent], everything);
  return [of('replay.interrupt-short-circuits'), of('replay.interrupt-short-circuits.recorded-value')];
}

describe('interrupts of whatever a sweep saw', () => {
  const theirs = runCalled('their', loggedAnswer('yes'), { role: 'source of vendor.asks' });
  const past = (more: object = {}, said = loggedAnswer('yes')): AnyRecorded =>
    replayCalled('their2', said, { of: 'their', ...more, role: 'replay past the answers of vendor.asks' });

  it('decide where a replay went on, or waited to be answered again', () => {
    expect(ofSwept(theirs, past())).toEqual(['pass', 'inconclusive']);
    expect(ofSwept(theirs, past({ problem: 'it waits to be answered again' }))).toEqual([
      'fail asked-again',
      'inconclusive',
    ]);
  });

  it('decide where a replay of that replay waited to be answered again', () => {
    const again = { of: 'their2', role: 'replay past the answers of vendor.asks, replayed' };
    const second = replayCalled('their3', loggedAnswer('yes'), {
      ...again,
      problem: 'it waits to be answered again',
    });
    expect(ofSwept(theirs, past(), second)[0]).toBe('fail asked-again');
    expect(ofSwept(theirs, past(), replayCalled('their3', loggedAnswer('yes'), again))[0]).toBe('pass');
    const itself = replayCalled('their2', loggedAnswer('yes'), { of: 'their2', role: again.role });
    expect(ofSwept(theirs, itself)[0]).toBe('inconclusive');
  });

  it('decide by a gate that several people opened', () => {
    const gate = runCalled('gate', loggedAnswer('yes'), { role: 'source' });
    const replay = replayCalled('gate2', loggedAnswer('yes'), { of: 'gate', role: 'full replay' });
    const own = 'replay.interrupt-short-circuits.own-keys';
    expect(ofRuns(own, gate, replay)).toEqual(['pass', 'inconclusive']);
    expect(ofRuns(own, gate)).toEqual(['inconclusive', 'inconclusive']);
    const unasked: readonly Said[] = [['run.started'], ['run.completed']];
    const [open, opened] = [
      runCalled('gate', unasked, { role: 'source' }),
      replayCalled('gate2', unasked, { of: 'gate', role: 'full replay' }),
    ];
    expect(ofRuns(own, open, opened)).toEqual(['inconclusive', 'inconclusive']);
  });

  it('are answered under the keys that the source and another run of the workflow have', () => {
    const workflowId = 'vendor.asks';
    const verdict = (twin: string, replayed: readonly Said[]): string =>
      ofSwept(
        runCalled('their', under('k'), { workflowId }),
        runCalled('twin', under(twin), { workflowId }),
        replayCalled('their2', replayed, { of: 'their' }),
      )[0];
    expect(verdict('k', under('other'))).toBe('fail silent-divergence');
    expect(verdict('k', under('k'))).toBe('inconclusive');
    expect(verdict('of its own', under('other'))).toBe('inconclusive');
    expect(verdict('k', under('other', [['replay.diverged', { atSequence: 1 }]]))).toBe('inconclusive');
    const renamed = under('other').map(([type, payload, node]) => [type, payload, node && `${node}x`] as Said);
    expect(verdict('k', renamed)).toBe('inconclusive');
  });

  it('may be answered under further keys since their source was read while it waited', () => {
    const workflowId = 'vendor.asks';
    const first = under('k').slice(0, -1);
    const second: Said = ['interrupt.resolved', { key: 'later', resumeValue: 'yes' }, 'ask'];
    const source = runCalled('their', first, { workflowId });
    const twin = runCalled('twin', under('k'), { workflowId });
    const replay = replayCalled('their2', under('k', [second]), { of: 'their' });
    expect(ofSwept(source, twin, replay)[0]).toBe('inconclusive');
    expect(ofSwept(source, runCalled('their', under('k', [second]), { workflowId }), twin, replay)[0]).toBe(
      'inconclusive',
    );
  });

  it('say nothing without such a replay, nor of one that was not seen or ended otherwise', () => {
    const nothing = ['inconclusive', 'inconclusive'];
    expect(ofSwept()).toEqual(nothing);
    expect(ofSwept(theirs, past({ problem: 'it has not ended' }))).toEqual(nothing);
    expect(ofSwept(theirs, past({}, [['run.started'], ['run.failed']]))).toEqual(nothing);
    expect(ofSwept(theirs, replayCalled('their2', loggedAnswer('yes'), { of: 'their' }))).toEqual(nothing);
  });
});

describe('interrupts', () => {
  const asked = 'replay.interrupt-short-circuits';
  const value = `${asked}.recorded-value`;
  const source = runCalled('src', loggedAnswer('yes'));
  const replay = replayCalled('rep', loggedAnswer('yes'));

  it('pass where the replay takes the recorded answer, whatever it says to another one', () => {
    for (const more of [[], [answer('full replay', 409)], [answer('full replay', 404)], [answer('full replay', 422)]]) {
      const seen = [source, answer('source', 200), replay, ...more];
      expect(verdictOf(interrupt, asked, seen)).toBe('pass');
      expect(verdictOf(interrupt, value, seen)).toBe('pass');
    }
  });

  it('fail where another answer is taken', () => {
    const again = [
      source,
      answer('source', 200),
      replayCalled('rep', loggedAnswer('mark')),
      answer('full replay', 200),
    ];
    expect(verdictOf(interrupt, asked, again)).toBe('fail asked-again');
    const other = [source, answer('source', 200), replayCalled('rep', loggedAnswer('no'))];
    expect(verdictOf(interrupt, value, other)).toBe('fail other-resume-value');
    const chained = replayCalled('rep2', loggedAnswer('no'), { role: 'replay of the replay', of: 'rep' });
    expect(interrupt.judge([source, answer('source', 200), replay, chained], OPTIONS)).toContainEqual(
      expect.objectContaining({ check: value, verdict: 'fail', restsOn: 'sequence.replay-of-replay' }),
    );
  });

  it('fail in our workflow where the public one does not show its answer', () => {
    const unshown = loggedAnswer('yes').filter(([type]) => type !== 'variable.changed');
    const seen = [runCalled('src', unshown), answer('source', 200), replayCalled('rep', unshown)];
    expect(verdictOf(interrupt, value, seen)).toBe('inconclusive');
    const of = ' of conformance-determinism-interrupt';
    const own = [runCalled('own', loggedAnswer('yes'), { role: `source${of}` }), answer(`source${of}`, 200)];
    const full = (said: string): AnyRecorded =>
      replayCalled('own2', loggedAnswer(said), { of: 'own', role: `full replay${of}` });
    expect(verdictOf(interrupt, value, [...seen, ...own, full('yes')])).toBe('pass');
    expect(verdictOf(interrupt, asked, [...seen, ...own, full('yes')])).toBe('pass');
    expect(verdictOf(interrupt, value, [...seen, ...own, full('no')])).toBe('fail other-resume-value');
    const again = [...seen, ...own, full('mark'), answer(`full replay${of}`, 200)];
    expect(verdictOf(interrupt, asked, again)).toBe('fail asked-again');
    expect(verdictOf(interrupt, value, [...seen, ...own])).toBe('inconclusive');
  });

  it('say nothing where another answer is accepted and not taken', () => {
    const seen = [source, answer('source', 200), replay, answer('full replay', 200)];
    expect(verdictOf(interrupt, asked, seen)).toBe('inconclusive');
    const running = observed('a-full replay', 'answer', {
      role: 'full replay',
      mark: 'mark',
      answered: 200,
      status: 'running',
    });
    expect(verdictOf(interrupt, asked, [source, answer('source', 200), replay, running])).toBe('inconclusive');
  });

  it('fail where the replay waited until somebody answered, whatever it took then', () => {
    const waited = { role: 'full replay', mark: 'mark', answered: 200, status: 'waiting-approval' };
    const seen = [source, answer('source', 200), replay, observed('a-full replay', 'answer', waited)];
    expect(verdictOf(interrupt, asked, seen)).toBe('fail asked-again');
  });

  it('fail where the replay waits, and nobody may answer it', () => {
    const stuck = replayCalled('rep', [], { problem: 'it has not ended' });
    const seen = (status: string): readonly AnyRecorded[] => [source, answer('source', 200), stuck, refused(status)];
    expect(verdictOf(interrupt, asked, seen('waiting-approval'))).toBe('fail asked-again');
    expect(verdictOf(interrupt, asked, seen('running'))).toBe('inconclusive');
    expect(judgementIn(interrupt, value, seen('waiting-approval'))).toMatchObject({ restsOn: asked });
    expect(judgementIn(interrupt, value, seen('running')).restsOn).not.toBe(asked);
    // One that went on later is slow, no more.
    const slow = [source, answer('source', 200), replay, refused('waiting-approval')];
    expect(verdictOf(interrupt, asked, slow)).toBe('pass');
  });

  it('say nothing where the answer to the request names a branch', () => {
    const branched = {
      ...replayCalled('rep', [], { problem: 'another fork' }),
      runId: null,
      answer: { mode: 'branch' },
    };
    const seen = [source, answer('source', 200), branched, refused('waiting-approval')];
    expect(verdictOf(interrupt, asked, seen)).toBe('inconclusive');
  });

  it('say nothing where the source asked nobody, could not be answered, or shows no answer', () => {
    expect(verdictOf(interrupt, asked, [source])).toBe('inconclusive');
    expect(verdictOf(interrupt, asked, [source, answer('source', 403)])).toBe('inconclusive');
    expect(verdictOf(interrupt, asked, [source, answer('source', 200), unfinished(replay)])).toBe('inconclusive');
    const failed = replayCalled('rep', [['run.started'], ['run.failed']]);
    expect(verdictOf(interrupt, asked, [source, answer('source', 200), failed])).toBe('inconclusive');
    const bare: readonly Said[] = [['run.started'], ['run.completed']];
    const seen = [runCalled('src', bare), answer('source', 200), replayCalled('rep', bare)];
    expect(verdictOf(interrupt, value, seen)).toBe('inconclusive');
  });
});

function loggedVersion(version: number): readonly Said[] {
  return [['run.started'], ['variable.changed', { name: 'version', value: version }, 'pin'], ['run.completed']];
}

/** The versions of one change, and of another one. */
function loggedBoth(version: number, other: number): readonly Said[] {
  return loggedVersion(version).toSpliced(2, 0, [
    'variable.changed',
    { name: 'otherVersion', value: other },
    'pin-other',
  ]);
}

function pinning(version: number): readonly Said[] {
  return loggedVersion(1).toSpliced(1, 0, ['version.pinned', { changeId: 'c', version }, 'pin']);
}

function revised(problem: string | null): AnyRecorded {
  return observed('r', 'revision', { revision: '2.0.0', problem });
}

describe('version pins', () => {
  const source = runCalled('src', loggedVersion(1));
  const fresh = runCalled('new', loggedVersion(2), { role: 'fresh run' });
  const full = 'replay.version-pins-kept.full-replay';

  it('pass where the replay keeps what a fresh run does not take any more', () => {
    const after = replayCalled('rep', loggedVersion(1), { role: 'replay after the pin', from: 2 });
    expect(verdictOf(versionPins, 'replay.version-pins-kept', [source, revised(null), fresh, after])).toBe('pass');
    expect(verdictOf(versionPins, full, [source, revised(null), fresh, replayCalled('rep', loggedVersion(1))])).toBe(
      'pass',
    );
  });

  it('fail where it takes another one', () => {
    expect(verdictOf(versionPins, full, [source, revised(null), fresh, replayCalled('rep', loggedVersion(2))])).toBe(
      'fail newest-version',
    );
    expect(verdictOf(versionPins, full, [source, revised(null), fresh, replayCalled('rep', loggedVersion(3))])).toBe(
      'fail state-differs',
    );
  });

  it('fail where it keeps one and takes another one anew', () => {
    const taken = runCalled('new', loggedBoth(2, 2), { role: 'fresh run' });
    const judged = (...replay: readonly Said[]): string =>
      verdictOf(versionPins, full, [
        runCalled('src', loggedBoth(1, 1)),
        revised(null),
        taken,
        replayCalled('rep', replay),
      ]);
    expect(judged(...loggedBoth(1, 1))).toBe('pass');
    expect(judged(...loggedBoth(1, 2))).toBe('fail newest-version');
    expect(judged(...loggedBoth(1, 3))).toBe('fail state-differs');
    expect(judged(...loggedVersion(1))).toBe('pass');
    expect(judged(['run.started'], ['run.completed'])).toBe('inconclusive');
  });

  it('fail where it says in its log that it pins another one', () => {
    const pinned = runCalled('src', pinning(1));
    const verdict = (version: number): string =>
      verdictOf(versionPins, full, [pinned, revised(null), fresh, replayCalled('rep', pinning(version))]);
    expect([verdict(1), verdict(2)]).toEqual(['pass', 'fail other-pin']);
    const inHistory = replayCalled('rep', pinning(2), { role: 'replay after the pin', from: 2 });
    expect(verdictOf(versionPins, 'replay.version-pins-kept', [pinned, revised(null), fresh, inHistory])).toBe('pass');
  });

  it('fail where a replay from between the pins takes another version of the second change alone', () => {
    const taken = runCalled('new', loggedBoth(2, 2), { role: 'fresh run' });
    const seen = [runCalled('src', loggedBoth(1, 1)), revised(null), taken, replayCalled('rep', loggedBoth(1, 1))];
    const again = replayCalled('rep3', loggedBoth(1, 1), { role: 'replay of the replay', of: 'rep' });
    const judged = (...said: readonly Said[]): string =>
      verdictOf(versionPins, full, [
        ...seen,
        again,
        replayCalled('rep2', said, { role: 'replay between the pins', from: 2 }),
      ]);
    expect(judged(...loggedBoth(1, 1))).toBe('pass');
    expect(judged(...loggedBoth(1, 2))).toBe('fail newest-version');
    // That of the first one is fixed history.
    expect(judged(...loggedBoth(2, 1))).toBe('pass');
    expect(judged(['run.started'], ['run.completed'])).toBe('pass');
  });

  it('fail where a replay of the replay takes another one', () => {
    const pairs = [source, revised(null), fresh, replayCalled('rep', loggedVersion(1))];
    const again = (version: number): AnyRecorded =>
      replayCalled('rep2', loggedVersion(version), { role: 'replay of the replay', of: 'rep' });
    expect(verdictOf(versionPins, full, [...pairs, again(1)])).toBe('pass');
    expect(verdictOf(versionPins, full, [...pairs, again(2)])).toBe('fail newest-version');
    expect(versionPins.judge([...pairs, again(3)], OPTIONS)).toContainEqual(
      expect.objectContaining({ check: full, verdict: 'fail', restsOn: 'sequence.replay-of-replay' }),
    );
  });

  it('rest on the row about replays of replays where one of these logs another pin', () => {
    const again = replayCalled('rep2', pinning(2), { role: 'replay of the replay', of: 'rep' });
    const pairs = [runCalled('src', pinning(1)), revised(null), fresh, replayCalled('rep', pinning(1)), again];
    expect(versionPins.judge(pairs, OPTIONS)).toContainEqual(
      expect.objectContaining({ check: full, verdict: 'fail', restsOn: 'sequence.replay-of-replay' }),
    );
  });

  it('say nothing where there is one version only', () => {
    const replay = replayCalled('rep', loggedVersion(1));
    expect(verdictOf(versionPins, full, [source, revised('404'), fresh, replay])).toBe('inconclusive');
    const same = runCalled('new', loggedVersion(1), { role: 'fresh run' });
    expect(verdictOf(versionPins, full, [source, revised(null), same, replay])).toBe('inconclusive');
  });
});

function loggedTime(time: string): readonly Said[] {
  return [['run.started'], ['variable.changed', { name: 'time', value: time }, 'clock'], ['run.completed']];
}

function waitedFor(waitedMs: number): readonly Said[] {
  return [['run.started'], ['node.completed', { output: { waitedMs } }, 'wait'], ['run.completed']];
}

describe('the clock', () => {
  const source = runCalled('src', loggedTime('10:00'));
  const fresh = runCalled('new', loggedTime('10:01'), { role: 'fresh run' });
  const check = 'replay.logical-clock';

  it('passes where the replay shows the recorded time', () => {
    expect(verdictOf(clock, check, [source, fresh, replayCalled('rep', loggedTime('10:00'))])).toBe('pass');
  });

  it('fails where it shows another one', () => {
    expect(verdictOf(clock, check, [source, fresh, replayCalled('rep', loggedTime('10:02'))])).toBe('fail clock-leak');
  });

  it.each<readonly [string, string]>([
    ['2026-04-02T00:00:00Z', 'fail clock-leak'],
    ['1775088000000', 'fail clock-leak'],
    ['other', 'fail state-differs'],
    ['run_1', 'fail state-differs'],
    ['', 'fail state-differs'],
  ])('was read again where %s is shown: %s', (time, verdict) => {
    expect(verdictOf(clock, check, [source, fresh, replayCalled('rep', loggedTime(time))])).toBe(verdict);
  });

  it('lets a wait differ that the replay says differs, where a workflow waits by whatever clock', () => {
    const waiting = { workflowId: 'conformance-delay' };
    const delay = runCalled('src', waitedFor(50), waiting);
    const another = runCalled('new', waitedFor(52), { ...waiting, role: 'fresh run' });
    const judged = (said: readonly Said[]) => verdictOf(clock, check, [delay, another, replayCalled('rep', said)]);
    expect(judged(waitedFor(50))).toBe('pass');
    expect(judged(waitedFor(51))).toBe('fail clock-leak');
    expect(judged([...waitedFor(51).slice(0, 2), ['replay.diverged', {}, 'wait'], ['run.completed']])).toBe(
      'inconclusive',
    );
  });

  it('says nothing of a clock that does not move, or does not show', () => {
    const standing = runCalled('new', loggedTime('10:00'), { role: 'fresh run' });
    expect(verdictOf(clock, check, [source, standing, replayCalled('rep', loggedTime('10:00'))])).toBe('inconclusive');
    const bare: readonly Said[] = [['run.started'], ['run.completed']];
    expect(verdictOf(clock, check, [runCalled('src', bare), fresh, replayCalled('rep', bare)])).toBe('inconclusive');
    expect(verdictOf(clock, check, [source, fresh, replayCalled('rep', bare)])).toBe('inconclusive');
  });

  it('is quiet about divergence only where there is some to be loud about', () => {
    const quiet = 'replay.no-false-divergence.clock';
    const wall = runCalled('wall', loggedTime('11:00'), { role: 'wall clock' });
    const alarm: Said = ['replay.diverged', {}];
    const loud = replayCalled('wall2', [...loggedTime('11:01'), alarm], {
      role: 'replay of the wall clock',
      of: 'wall',
    });
    const mute = replayCalled('wall2', loggedTime('11:01'), { role: 'replay of the wall clock', of: 'wall' });
    const replay = replayCalled('rep', loggedTime('10:00'));
    const noisy = replayCalled('rep', [alarm, ...loggedTime('10:00')]);
    expect(verdictOf(clock, quiet, [source, fresh, replay, wall, loud])).toBe('pass');
    expect(verdictOf(clock, quiet, [source, fresh, noisy, wall, loud])).toBe('fail false-alarm');
    expect(verdictOf(clock, quiet, [source, fresh, replay, wall, mute])).toBe('inconclusive');
    expect(verdictOf(clock, quiet, [source, fresh, replayCalled('rep', loggedTime('10:02')), wall, loud])).toBe(
      'inconclusive',
    );
  });
});
