import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { runAs, say, type Said } from '../../test/recorded-runs.ts';
import { channelsOfOwnForm, namesAnotherRun, readSnapshotAgainstLog, variablesHidden } from './snapshot-fault.ts';

const STARTED = say('run.started');
const COMPLETED = say('run.completed');
const FAILED = say('run.failed', { error: { code: 'e', message: 'm' } });

/** What a snapshot is beside this log: its kind, and the cause's name where it is wrong. */
function read(snapshot: Json, ...told: readonly Said[]): string {
  const answer = readSnapshotAgainstLog(runAs('r', [STARTED, ...told], { snapshot }));
  return 'fault' in answer ? `${answer.kind} ${answer.fault.code}` : answer.kind;
}

function variable(value: Json): Said {
  return say('variable.changed', { name: 'v', value });
}

function channel(value: Json): Said {
  return say('channel.written', { channel: 'c', value });
}

function channels(value: Json, workflowId = 'w'): Json {
  return { status: 'completed', workflowId, channels: { c: value } };
}

function ofVariable(v: Json): Json {
  return { status: 'completed', variables: { v } };
}

/** The variables that are hidden beside this log. */
function hiddenIn(shown: Json, ...told: readonly Said[]): ReturnType<typeof variablesHidden> {
  const snapshot = { status: 'completed', variables: shown };
  return variablesHidden(runAs('r', [STARTED, ...told, COMPLETED], { snapshot }));
}

/** The names of channels of which nothing can be said. */
function names(shown: Json, ...written: readonly Json[]): readonly string[] {
  return channelsOfOwnForm(runAs('r', [STARTED, ...written.map(channel), COMPLETED], { snapshot: channels(shown) }));
}

const showing = (snapshot: Json) => runAs('r', [STARTED, COMPLETED], { snapshot });

/** The row on which a snapshot that says `cancelled` rests beside this log. */
const restsOn = (...told: readonly Said[]) => {
  const run = runAs('r', [STARTED, ...told], { snapshot: { status: 'cancelled' } });
  const answer = readSnapshotAgainstLog(run);
  return 'fault' in answer ? answer.fault.restsOn : answer.kind;
};

describe('a snapshot beside its log', () => {
  it('has the status with which the log ends', () => {
    expect(read({ status: 'completed' }, COMPLETED)).toBe('agrees');
    expect(read({ status: 'completed' }, FAILED)).toBe('differs snapshot-other-end');
    expect(read({ status: 'cancelled' }, COMPLETED)).toBe('differs snapshot-other-end');
    expect(read({ status: 'running' }, COMPLETED)).toBe('behind snapshot-behind');
    expect(read({ status: 'executing' }, COMPLETED)).toBe('behind snapshot-behind');
    expect(read({ status: 'waiting-clarification' }, FAILED)).toBe('behind snapshot-behind');
    // So does a word of the host's own that means another end.
    expect(read({ status: 'succeeded' }, COMPLETED)).toBe('agrees');
    expect(read({ status: 'succeeded' }, FAILED)).toBe('differs snapshot-other-end');
    expect(read({ status: 'FAILED' }, COMPLETED)).toBe('differs snapshot-other-end');
    // Unknown values are tolerated.
    expect(read({ status: 'archived' }, COMPLETED)).toBe('agrees');
  });

  it('has the status of the last end of a log, and rests on the row about ends where that has two', () => {
    expect(read({ status: 'failed' }, COMPLETED, FAILED)).toBe('agrees');
    expect(read({ status: 'completed' }, COMPLETED, FAILED)).toBe('differs snapshot-other-end');
    expect(restsOn(COMPLETED, FAILED)).toBe('sequence.single-terminal-event');
    expect(restsOn(FAILED, FAILED)).toBeUndefined();
  });

  it('is none without a status that can be read', () => {
    for (const snapshot of [{ status: { state: 'completed' } }, { status: null }, { variables: {} }, {}, null, 'x']) {
      expect(read(snapshot, COMPLETED)).toBe('none');
    }
  });

  it('may be wrong about what it shows without a status', () => {
    expect(read({ variables: { v: 2 } }, variable(1), COMPLETED)).toBe('differs snapshot-other-variable');
  });

  it('shows under no name what the log wrote where a number or a truth stands in the place of names', () => {
    for (const none of [12, true]) {
      expect(read({ status: 'completed', variables: none }, variable(1), COMPLETED)).toBe(
        'differs snapshot-other-variable',
      );
      expect(read({ status: 'completed', workflowId: 'w', channels: none }, channel(1), COMPLETED)).toBe(
        'differs snapshot-other-channel',
      );
      expect(read({ status: 'failed', error: none }, FAILED)).toBe('differs snapshot-other-error');
      expect(read({ status: 'completed', variables: none, channels: none }, COMPLETED)).toBe('agrees');
    }
    // A list, or a text, may be a form of the host's own.
    for (const form of [null, [], 'v=1']) {
      expect(read({ status: 'completed', variables: form, channels: form }, variable(1), COMPLETED)).toBe('agrees');
    }
    expect(read({ status: 'failed', error: 'e' }, FAILED)).toBe('agrees');
  });

  it('says nothing without an end of the log', () => {
    expect(read({ status: 'completed' })).toBe('unseen');
    expect(read(null)).toBe('unseen');
    const unseen = runAs('r', [STARTED, COMPLETED], { problem: 'the run has not ended' });
    expect(readSnapshotAgainstLog(unseen).kind).toBe('unseen');
  });

  it('shows the error code of a failed run, or leaves the error out', () => {
    expect(read({ status: 'failed' }, FAILED)).toBe('agrees');
    expect(read({ status: 'failed', error: { code: 'e' } }, FAILED)).toBe('agrees');
    expect(read({ status: 'failed', error: { code: 'e' } }, say('run.failed', { code: 'e' }))).toBe('agrees');
    expect(read({ status: 'failed', error: { message: 'm' } }, FAILED)).toBe('agrees');
    expect(read({ status: 'failed', error: { code: 'f' } }, say('run.failed', {}))).toBe('agrees');
    expect(read({ status: 'failed', error: null }, FAILED)).toBe('agrees');
    expect(read({ status: 'failed', error: { code: 'f' } }, FAILED)).toBe('differs snapshot-other-error');
  });

  it('shows no error code of a completed run, but one that says that there was none', () => {
    const other = 'differs snapshot-other-error';
    expect(read({ status: 'completed', error: { code: 'boom' } }, COMPLETED)).toBe(other);
    for (const error of [null, {}, { code: null }, { code: '' }, { code: 'none' }, { message: 'm' }, 'none']) {
      expect(read({ status: 'completed', error }, COMPLETED)).toBe('agrees');
    }
    const told = say('run.completed', { error: { code: 'partial' } });
    expect(read({ status: 'completed', error: { code: 'partial' } }, told)).toBe('agrees');
    expect(read({ status: 'cancelled', error: { code: 'cancelled' } }, say('run.cancelled'))).toBe('agrees');
  });

  it('shows no value that an event of another run gave a variable', () => {
    const run = runAs('r', [STARTED, variable(1), variable(2), COMPLETED], {
      snapshot: { status: 'completed', variables: { v: 1 } },
    });
    const naming = (...runIds: readonly string[]): typeof run => ({
      ...run,
      events: run.events.map((event, index) => ({ ...Object(event), runId: runIds[index] ?? run.runId })),
    });
    expect(readSnapshotAgainstLog(run).kind).toBe('differs');
    expect(readSnapshotAgainstLog(naming('run-r', 'run-r', 'child')).kind).toBe('agrees');
    // The history of a fork may name its source.
    expect(readSnapshotAgainstLog(naming('source', 'source', 'source')).kind).toBe('differs');
  });

  it('shows the last value of each variable that the log changed', () => {
    const told = [variable(1), variable({ a: [2] }), COMPLETED];
    expect(read({ status: 'completed', variables: { v: { a: [2] }, input: 7 } }, ...told)).toBe('agrees');
    expect(read({ status: 'completed' }, ...told)).toBe('agrees');
    expect(read({ status: 'completed', variables: { v: 1 } }, ...told)).toBe('differs snapshot-other-variable');
    expect(read({ status: 'completed', variables: {} }, ...told)).toBe('differs snapshot-other-variable');
    expect(read({ status: 'completed', variables: {} }, variable(1), variable(null), COMPLETED)).toBe('agrees');
    const next = say('variable.changed', { name: 'v', previous: 1, next: 2 });
    expect(read({ status: 'completed', variables: { v: 2 } }, next, COMPLETED)).toBe('agrees');
    const otherwise = say('variable.changed', { name: 'v', delta: 2 });
    expect(read({ status: 'completed', variables: { v: 3 } }, variable(1), otherwise, COMPLETED)).toBe('agrees');
  });

  it('hides values that its log shows, and shows values that its log hides', () => {
    expect(read(ofVariable('***'), variable('abc'), COMPLETED)).toBe('agrees');
    expect(read(ofVariable('abc'), variable('[REDACTED]'), COMPLETED)).toBe('agrees');
    expect(read(ofVariable({ user: 'a', token: '***' }), variable({ user: 'a', token: 'abc' }), COMPLETED)).toBe(
      'agrees',
    );
    expect(read({ status: 'completed', variables: {} }, variable('[REDACTED]'), COMPLETED)).toBe('agrees');
    expect(read(ofVariable({ user: 'b', token: '***' }), variable({ user: 'a', token: 'abc' }), COMPLETED)).toBe(
      'differs snapshot-other-variable',
    );
    expect(read(ofVariable(''), variable('abc'), COMPLETED)).toBe('differs snapshot-other-variable');
    expect(read(channels(['***']), channel('abc'), COMPLETED)).toBe('agrees');
    expect(read(channels(['abc']), channel('[REDACTED]'), COMPLETED)).toBe('agrees');
  });

  it('names the variables that are hidden, and says where those are all', () => {
    const other = say('variable.changed', { name: 'w', value: 1 });
    expect(hiddenIn({ v: '***', w: 1 }, variable('a'), other)).toEqual({ names: ['v'], areAll: false });
    expect(hiddenIn({ v: 'a' }, variable('[REDACTED]'))).toEqual({ names: ['v'], areAll: true });
    expect(hiddenIn({ v: 'a', own: '***' }, variable('a'))).toEqual({ names: [], areAll: false });
    expect(hiddenIn(null, variable('***'))).toEqual({ names: [], areAll: false });
  });

  it.each<[Json, ...Json[]]>([
    [['w', 'x'], 'w', 'x'],
    [['w'], 'w', 'x'],
    [{ entries: [{ value: 'x' }] }, 'x'],
    [4, 3],
  ])('may reduce what was written to a channel: %j', (shown, ...written) => {
    expect(read(channels(shown), ...written.map(channel), COMPLETED)).toBe('agrees');
  });

  it.each<[Json, ...Json[]]>([
    [[], 'x'],
    ['v', 'w', 'x'],
    [null, { a: 1 }],
  ])('does not lose all that was written to a channel: %j', (shown, ...written) => {
    expect(read(channels(shown), ...written.map(channel), COMPLETED)).toBe('differs snapshot-other-channel');
  });

  it('names the channels of which nothing can be said', () => {
    expect(names(2, 'w', 'x')).toEqual(['c']);
    expect(names(['x'], 'x')).toEqual([]);
    expect(names('y', 'x')).toEqual([]);
  });

  it('loses nothing in a workflow whose name only holds the letters of one whose channels expire', () => {
    expect(read(channels([], 'vendor-throttle'), channel('x'), COMPLETED)).toBe('differs snapshot-other-channel');
  });

  it('may let what was written to a channel expire', () => {
    expect(read(channels([], 'conformance-channel-ttl'), channel('x'), COMPLETED)).toBe('agrees');
    expect(read({ status: 'completed', channels: {} }, channel('x'), COMPLETED)).toBe('agrees');
  });
});

describe('a change in a form of the host itself', () => {
  const [gone, kept] = [
    { status: 'completed', variables: {} },
    { status: 'completed', variables: { v: 1 } },
  ];

  it.each<readonly [string, Said]>([
    ['of an event that names it', say('variable.removed', { name: 'v' })],
    ['of one that names several', say('variables.removed', { names: ['u', 'v'] })],
    ['of one that names it by a member', say('run.variables.patched', { patch: { v: null } })],
    ['of one that names none', say('variables.cleared', {})],
    ['with a scope of its own', say('variable.changed', { name: 'v', value: 2, scope: 'iteration' })],
  ])('says nothing of a variable: %s', (_, own) => {
    expect(read(gone, variable(1), own, COMPLETED)).toBe('agrees');
    expect(read(gone, variable(1), own, variable(2), COMPLETED)).toBe('differs snapshot-other-variable');
  });

  it('leaves the others as they were written', () => {
    expect(read(gone, variable(1), say('variable.removed', { name: 'w' }), COMPLETED)).toBe(
      'differs snapshot-other-variable',
    );
    expect(read(kept, variable(2), say('channel.cleared', {}), COMPLETED)).toBe('differs snapshot-other-variable');
    const ofTheRun = say('variable.changed', { name: 'v', value: 2, scope: 'run' });
    expect(read(kept, ofTheRun, COMPLETED)).toBe('differs snapshot-other-variable');
  });

  it('says nothing of a channel', () => {
    expect(read(channels([]), channel('x'), say('channel.truncated', { channel: 'c' }), COMPLETED)).toBe('agrees');
  });
});

it('tells a snapshot that names another run', () => {
  expect(namesAnotherRun(showing({ runId: 'run-s' }))).toBe(true);
  for (const snapshot of [{ runId: 'run-r' }, {}, { runId: 3 }, null]) {
    expect(namesAnotherRun(showing(snapshot))).toBe(false);
  }
  expect(namesAnotherRun({ ...showing({ runId: 'run-s' }), runId: null })).toBe(false);
});
