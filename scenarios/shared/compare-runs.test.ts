import { sharedCause } from './diagnoses.ts';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { replayCalled, runCalled, type Said } from '../../test/recorded-runs.ts';
import { compareLogs, comparePrefixes, shown } from './compare-runs.ts';
import { compareStates } from './compare-states.ts';
import type { RunObservation } from './run-observation.ts';

type Reported = readonly [type: string, payload?: Json];

/** A run whose log tells what is given, with identities and clocks of its own. */
function run(runId: string, told: readonly Reported[], more: Partial<RunObservation> = {}): RunObservation {
  const events = told.map(([type, payload = {}], sequence): Json => ({
    eventId: `${runId}-${sequence}`,
    runId,
    type,
    sequence,
    payload,
    timestamp: `2026-01-01T00:00:00.00${runId.length}Z`,
    ...(sequence === 0 ? {} : { causationId: `${runId}-${sequence - 1}` }),
  }));
  return {
    type: 'run',
    role: runId === 'src' ? 'source' : 'replay',
    fork: null,
    answered: 201,
    answer: null,
    runId,
    problem: null,
    events,
    snapshot: { runId, status: 'completed', variables: {}, channels: {} },
    exchanges: [],
    ...more,
  };
}

const REPORTED: readonly Reported[] = [
  ['run.started'],
  ['variable.changed', { name: 'a', value: 1 }],
  ['variable.changed', { name: 'b', value: 'run src' }],
  ['run.completed'],
];

function changed(index: number, payload: Json): readonly Reported[] {
  return REPORTED.map(([type, before], at) => (at === index ? [type, payload] : [type, before ?? {}]));
}

/** The run with a member of the host's own in every event. */
function tagged(log: RunObservation, tag: string): RunObservation {
  return { ...log, events: log.events.map((event) => ({ ...(event as Record<string, Json>), 'x-tag': tag })) };
}

/** The run with a version in every event. */
function versioned(log: RunObservation, schemaVersion: number): RunObservation {
  return { ...log, events: log.events.map((event) => ({ ...(event as Record<string, Json>), schemaVersion })) };
}

/** A run whose start says this. */
function start(runId: string, payload: Json): RunObservation {
  return run(runId, [['run.started', payload], ['run.completed']]);
}

function mismatchOf(compared: ReturnType<typeof compareLogs>) {
  return compared.kind === 'different' ? compared.mismatch : undefined;
}

describe('compareLogs', () => {
  it('finds two logs the same that differ in identity, clock and own run id', () => {
    const replay = run('rep', changed(2, { name: 'b', value: 'run rep' }));
    expect(compareLogs(run('src', REPORTED), replay)).toEqual({ kind: 'same' });
  });

  it('leaves what stands beside what happened to the row about histories, and a payload to nobody', () => {
    const source = tagged(run('src', REPORTED), 'a');
    const owner = { restsOn: 'sequence.prefix-equal' };
    const later = { fork: { sourceRunId: 'src', mode: 'replay', fromSeq: 2, advertised: true } };
    expect(mismatchOf(compareLogs(source, tagged(run('rep', REPORTED, later), 'b')))).toMatchObject(owner);
    expect(mismatchOf(comparePrefixes(source, tagged(run('rep', REPORTED), 'b'), 2))).toMatchObject(owner);
    const told = REPORTED.map(([type]): Reported => [type, { else: true }]);
    expect(mismatchOf(compareLogs(source, tagged(run('rep', told), 'b')))).not.toHaveProperty('restsOn');
  });

  it('leaves what stands beside what happened to the host where the replay wrote the event itself', () => {
    const source = tagged(run('src', REPORTED), 'a');
    expect(compareLogs(source, tagged(run('rep', REPORTED), 'b'))).toEqual({ kind: 'same' });
    expect(compareLogs(source, run('rep', REPORTED))).toEqual({ kind: 'same' });
    expect(compareLogs(versioned(source, 1), versioned(run('rep', REPORTED), 2))).toEqual({ kind: 'same' });
    const later = { fork: { sourceRunId: 'src', mode: 'replay', fromSeq: 1, advertised: true } };
    const compared = compareLogs(versioned(source, 1), versioned(run('rep', REPORTED, later), 2));
    expect(compared).toMatchObject({ kind: 'different', mismatch: { diagnosis: { code: 'value' } } });
  });

  it('leaves to a replay what its own start says beside what that of its source says', () => {
    const source = start('src', { inputs: { a: 1 } });
    const first = start('rep', { inputs: { a: 1 }, forkedFrom: { runId: 'src' } });
    expect(compareLogs(source, first)).toEqual({ kind: 'same' });
    expect(compareLogs(first, start('again', { inputs: { a: 1 }, forkedFrom: { runId: 'rep' } }))).toEqual({
      kind: 'same',
    });
    expect(compareLogs(source, start('rep', { inputs: { a: 2 } }))).toMatchObject({ kind: 'different' });
    expect(compareLogs(source, start('rep', {}))).toMatchObject({ kind: 'different' });
    const later = { fork: { sourceRunId: 'src', mode: 'replay', fromSeq: 1, advertised: true } };
    expect(compareLogs(source, { ...first, ...later })).toMatchObject({ kind: 'different' });
  });

  it('names both sides, both runs, the sequence, the pointer and the class', () => {
    const compared = compareLogs(run('src', REPORTED), run('rep', changed(1, { name: 'a', value: 2 })));
    expect(compared).toMatchObject({
      kind: 'different',
      mismatch: {
        expected: 'sequence 1, variable.changed, in the source src /payload/value: 1',
        actual: 'sequence 1, variable.changed, in the replay rep /payload/value: 2',
        diagnosis: { code: 'value' },
      },
    });
  });

  it('leaves out what is declared volatile, and nothing else', () => {
    const replay = run('rep', changed(1, { name: 'a', value: 1, ms: 5 }));
    expect(compareLogs(run('src', REPORTED), replay, ['/payload/ms'])).toEqual({ kind: 'same' });
    expect(compareLogs(run('src', REPORTED), replay, ['/payload/other'])).toMatchObject({ kind: 'different' });
    expect(comparePrefixes(run('src', REPORTED), replay, 3, ['/payload/ms'])).toEqual({ kind: 'same' });
  });

  it('takes gaps in the numbers of what a run writes itself for no difference', () => {
    const plain = run('rep', changed(2, { name: 'b', value: 'run rep' }));
    const gaps = plain.events.map((event, at) => ({ ...(event as object), sequence: at * 3 }));
    expect(compareLogs(run('src', REPORTED), { ...plain, events: gaps })).toEqual({ kind: 'same' });
    expect(comparePrefixes(run('src', REPORTED), { ...plain, events: gaps }, 2)).toMatchObject({ kind: 'different' });
  });

  it('says where a log cannot be read', () => {
    const broken = run('rep', REPORTED, { events: [{ type: 'run.started' }] });
    expect(compareLogs(run('src', REPORTED), broken)).toMatchObject({ kind: 'unreadable' });
  });
});

function said(...types: readonly string[]): readonly Said[] {
  return types.map((type): Said => [type]);
}

const naming = (runId: string): readonly Said[] => [
  ['run.started'],
  ['memory.written', { parentRunId: runId }],
  ['memory.written', { parentRunId: runId }],
  ['run.completed'],
];

/** A run that calls a tool under its own id, and says at the end of the call that this was its key. */
function called(runId: string, key: string): RunObservation {
  return run(runId, [
    ['run.started'],
    ['tool_invocation_started', { idempotency_key: runId }],
    ['tool_invocation_finished', { idempotency_key: key, outcome: 'success' }],
    ['run.completed'],
  ]);
}

describe('the key of a call that is not the one of its start', () => {
  it('is for the row about keys in replays to name, and only that', () => {
    expect(compareLogs(called('src', 'src'), called('other', 'other')).kind).toBe('same');
    const compared = compareLogs(called('src', 'src'), called('other', 'of nobody'));
    expect(compared).toMatchObject({ kind: 'different', mismatch: { restsOn: 'once.idempotency-key.replay' } });
  });
});

describe('comparePrefixes', () => {
  it('takes a history whose events are still those of the source and name the fork, which is the run that it is', () => {
    const fork = run('rep', changed(2, { name: 'b', value: 'run rep' }));
    const events = fork.events.map((event, at) => ({ ...(event as object), ...(at < 3 && { runId: 'src' }) }));
    expect(comparePrefixes(run('src', REPORTED), { ...fork, events }, 3)).toEqual({ kind: 'same' });
    expect(comparePrefixes(run('src', REPORTED), { ...run('rep', REPORTED), events }, 3)).toEqual({ kind: 'same' });
    const other = changed(2, { name: 'b', value: 'run else' });
    expect(comparePrefixes(run('src', REPORTED), run('rep', other), 3)).toMatchObject({ kind: 'different' });
  });

  it('leaves a fact that the history lacks to the row about facts, and no other event', () => {
    const log = ['run.started', 'memory.written', 'node.completed', 'run.completed'].map((type): Reported => [type]);
    const without = (at: number): unknown => comparePrefixes(run('src', log), run('rep', log.toSpliced(at, 1)), 3);
    const restsOn = 'replay.recorded-facts-verbatim.in-history';
    expect(without(1)).toMatchObject({ mismatch: { restsOn } });
    expect(without(2)).not.toMatchObject({ mismatch: { restsOn } });
  });

  it('says that an event is lost, or added, where the next one of the other log stands in its place', () => {
    const log = ['run.started', 'log.appended', 'node.completed', 'run.completed'].map((type): Reported => [type]);
    const codeOf = (told: readonly Reported[], of: readonly Reported[] = log): unknown =>
      mismatchOf(comparePrefixes(run('src', of), run('rep', told), 2))?.diagnosis?.code;
    expect(codeOf(log.filter((_, at) => at !== 1))).toBe('missing');
    expect(codeOf([...log.slice(0, 1), ['memory.written'], ...log.slice(1)])).toBe('extra');
    expect(codeOf(log.with(1, ['memory.written']))).toBe('type');
    expect(codeOf([...log.slice(0, 1), ['node.completed'], ['log.appended'], ...log.slice(3)])).toBe('order');
    expect(
      codeOf(
        REPORTED.filter((_, at) => at !== 1),
        REPORTED,
      ),
    ).toBe('missing');
    expect(codeOf(changed(1, { name: 'a', value: 2 }), REPORTED)).toBe('value');
    const lost = comparePrefixes(run('src', log), run('rep', log.toSpliced(1, 1)), 2);
    expect(mismatchOf(lost)?.actual).toBe('no event there in the replay rep: nothing');
  });

  const source = run('src', REPORTED);

  it('looks below the fork point only', () => {
    const fork = run('rep', changed(2, { name: 'b', value: 'other' }));
    expect(comparePrefixes(source, fork, 2)).toEqual({ kind: 'same' });
    expect(comparePrefixes(source, fork, 3)).toMatchObject({ kind: 'different' });
  });

  it('misses an event that was not inherited', () => {
    expect(comparePrefixes(source, run('rep', REPORTED.slice(0, 1)), 2)).toMatchObject({ kind: 'different' });
  });

  it('finds the last event of a history twice, in the place of what the source has next', () => {
    const log = said('run.started', 'variable.changed', 'node.completed', 'run.completed');
    const forkWith = (...types: readonly string[]) => replayCalled('rep', said(...types), { from: 2 });
    const twice = forkWith('run.started', 'variable.changed', 'variable.changed', 'node.completed', 'run.completed');
    const ours = runCalled('src', log);
    expect(comparePrefixes(ours, twice, 2)).toMatchObject({
      kind: 'different',
      mismatch: { actual: 'the last one twice: variable.changed at sequence 1 and 2' },
    });
    expect(comparePrefixes(runCalled('src', log), forkWith(...log.map(([type]) => type)), 2)).toEqual({ kind: 'same' });
    // The source has it twice, too.
    const doubled = said('run.started', 'channel.written', 'channel.written', 'run.completed');
    const copy = forkWith(...doubled.map(([type]) => type));
    expect(comparePrefixes(runCalled('src', doubled), copy, 2)).toEqual({ kind: 'same' });
    const named = replayCalled('rep', naming('rep'), { from: 2 });
    expect(comparePrefixes(runCalled('src', naming('src')), named, 2)).toEqual({ kind: 'same' });
    // What a branch does anew is its own.
    const branch = { ...twice, fork: { ...twice.fork, mode: 'branch' } } as typeof twice;
    expect(comparePrefixes(ours, branch, 2)).toEqual({ kind: 'same' });
  });

  it('leaves to a replay that it starts a node anew at its fork point, says again that it ends, or says that it diverged', () => {
    const forkWith = (...types: readonly string[]) => replayCalled('rep', said(...types), { from: 2 });
    const working = runCalled('src', said('run.started', 'node.started', 'node.completed', 'run.completed'));
    const restarted = forkWith('run.started', 'node.started', 'node.started', 'node.completed', 'run.completed');
    expect(comparePrefixes(working, restarted, 2)).toEqual({ kind: 'same' });
    const ending = runCalled('src', said('run.started', 'log.appended', 'run.completed'));
    const noted = forkWith('run.started', 'log.appended', 'log.appended', 'run.completed');
    expect(comparePrefixes(ending, noted, 2)).toEqual({ kind: 'same' });
    const writing = runCalled('src', said('run.started', 'variable.changed', 'run.completed'));
    const diverged = forkWith(
      'run.started',
      'variable.changed',
      'replay.diverged',
      'variable.changed',
      'run.completed',
    );
    expect(comparePrefixes(writing, diverged, 2)).toEqual({ kind: 'same' });
  });

  it('leaves replay.* events out, wherever they stand', () => {
    const rest = REPORTED.slice(1);
    for (const fork of [
      run('rep', [['run.started'], ['replay.noted'], ...rest]),
      run('rep', [['replay.noted'], ...REPORTED]),
    ]) {
      expect(comparePrefixes(source, fork, 2)).toEqual({ kind: 'same' });
    }
  });

  it('takes the numbers as they are', () => {
    const renumbered = run('rep', REPORTED);
    const events = renumbered.events.map((event) => ({
      ...(event as { sequence: number }),
      sequence: (event as { sequence: number }).sequence + 1,
    }));
    expect(comparePrefixes(source, { ...renumbered, events }, 2)).toMatchObject({
      kind: 'different',
      mismatch: { expected: 'the first event at sequence 0 as in the source src' },
    });
  });
});

function state(runId: string, variables: Json, more: object = {}, told = UNCHANGED): RunObservation {
  return run(runId, told, { snapshot: { runId, status: 'completed', variables, ...more } });
}

/** A log that gives no variable a value. */
const UNCHANGED: typeof REPORTED = [['run.started'], ['run.completed']];

describe('compareStates', () => {
  it('takes the own run id in a value for the other one', () => {
    expect(compareStates(state('src', { a: 'src' }), state('rep', { a: 'rep' }))).toEqual({ kind: 'same' });
  });

  it('names the pointer and both values', () => {
    expect(compareStates(state('src', { a: 1 }), state('rep', { a: 2 }))).toEqual({
      kind: 'different',
      mismatch: {
        expected: '/variables/a: 1 as in the snapshot of the source src',
        actual: '/variables/a: 2 in the snapshot of the replay rep',
        diagnosis: sharedCause('state-differs'),
      },
    });
  });

  it('reads a part that neither side shows as equal, and one that only one shows as different', () => {
    expect(compareStates(state('src', {}), state('rep', {}))).toEqual({ kind: 'same' });
    expect(compareStates(state('src', {}, { channels: { c: 1 } }), state('rep', {}))).toMatchObject({
      kind: 'different',
    });
  });

  it('cannot compare what was not read', () => {
    expect(compareStates(run('src', REPORTED), run('rep', REPORTED, { snapshot: null }))).toEqual({
      kind: 'unreadable',
      reason: 'the snapshot of the replay could not be read',
    });
  });
});

/** What is said beside where two nodes that completed so differ. */
function reasonOf(ours: Json, theirs: Json): unknown {
  const [source, replay] = [ours, theirs].map((payload, index) =>
    run(index === 0 ? 'src' : 'rep', [['run.started'], ['node.completed', payload]]),
  );
  if (source === undefined || replay === undefined) return undefined;
  const compared = compareLogs(source, replay);
  return compared.kind === 'different' ? compared.mismatch.reason : compared.kind;
}

describe('what differs in how it was made', () => {
  it('may be declared volatile, and is shown how', () => {
    expect(reasonOf({ durationMs: 1 }, { durationMs: 2 })).toMatch(/declare it: --volatile \/payload\/durationMs$/u);
    const [one, two] = [
      { durationMs: 1, usage: { tokens: 3 } },
      { durationMs: 2, usage: { tokens: 4 } },
    ];
    expect(reasonOf(one, two)).toMatch(/--volatile \/payload\/durationMs --volatile \/payload\/usage\/tokens$/u);
  });

  it('is nothing to declare where what happened differs', () => {
    expect(reasonOf({ output: 1 }, { output: 2 })).toBeUndefined();
    expect(reasonOf({ output: 1, durationMs: 1 }, { output: 2, durationMs: 2 })).not.toMatch(/volatile/u);
  });
});

it('cuts a value that is shown between characters', () => {
  expect(shown(`${'a'.repeat(298)}\u{1f600}`)).toBe(`"${'a'.repeat(298)}…`);
});
