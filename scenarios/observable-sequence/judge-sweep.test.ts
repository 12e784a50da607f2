import { describe, expect, it } from 'vitest';
import {
  judgementIn,
  observed,
  refusedReplay,
  replayOf,
  runAs,
  say,
  unfinishedRun,
  type Said,
} from '../../test/recorded-runs.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Recordings } from '../shared/of-type.ts';
import { sweepForks } from './sweep.ts';

const judgePrefixes = (seen: Recordings, volatile: readonly string[]) =>
  judgementIn(sweepForks, 'sequence.prefix-equal', seen, { volatile });
const judgeStates = (seen: Recordings, volatile: readonly string[]) =>
  judgementIn(sweepForks, 'sequence.state-equal', seen, { volatile });

const TOLD: readonly Said[] = [
  say('run.started'),
  say('variable.changed', { name: 'a', value: 1 }, 'n'),
  say('channel.written', { name: 'c', value: 'x' }, 'n'),
  say('variable.changed', { name: 'a', value: 2 }, 'n'),
  say('run.completed'),
];
const source = runAs('source of conformance-noop', TOLD);
const fork = (fromSeq: number, told = TOLD) => runAs(`replay from ${fromSeq}`, told, replayOf(source, fromSeq));
const other = (index: number, value: Said) => TOLD.map((each, at) => (at === index ? value : each));

const written = (memoryId: string, value = 1): readonly Said[] => [
  say('run.started'),
  say('variable.changed', { name: 'a', value }, 'n'),
  say('memory.written', { memoryId, writtenAt: '2026-01-01T00:00:00.000Z' }, 'n'),
  say('run.completed'),
];

/** A run that calls a tool under a key. */
const call = (idempotencyKey: string, result = 1): readonly Said[] => [
  say('run.started'),
  say('tool_invocation_finished', { idempotency_key: idempotencyKey, result }, 'n'),
  say('run.completed'),
];

describe('the history of forks', () => {
  it('passes where it is the source’s, and says what was swept and what was left out', () => {
    const absent = unfinishedRun('source of conformance-determinism-clock', 'the request was answered with 404');
    expect(judgePrefixes([source, fork(0), fork(3), absent], [])).toMatchObject({
      verdict: 'pass',
      reason: '1 forks of noop (2); left out: determinism-clock (the request was answered with 404)',
    });
  });

  it('fails where two events of a fork have one id, and no two of its source', () => {
    const withIdOf = (run: typeof source, at: number, of: number) => ({
      ...run,
      events: run.events.map((event, index) =>
        index === at ? { ...Object(event), eventId: Object(run.events[of]).eventId } : event,
      ) as Json[],
    });
    const judgement = judgePrefixes([source, withIdOf(fork(2), 2, 1)], []);
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'schema.run-event' });
    expect(judgement.expected).toContain('an eventId of its own for sequence 2, channel.written');
    expect(judgement.actual).toContain('that of sequence 1, variable.changed');
    expect(judgePrefixes([withIdOf(source, 4, 3), withIdOf(fork(2), 2, 1)], []).verdict).toBe('pass');
    const named = [1, 2, 3, 4].reduce((run, at) => withIdOf(run, at, 0), fork(3));
    expect(judgePrefixes([source, named], []).diagnosis?.code).toBe('shared-event-id');
  });

  it('fails where an event below the fork point says something else', () => {
    const judgement = judgePrefixes(
      [source, fork(3, other(1, say('variable.changed', { name: 'a', value: 7 }, 'n')))],
      [],
    );
    expect(judgement).toMatchObject({ verdict: 'fail', evidence: [source.id, 'replay from 3'] });
    expect(judgement.expected).toContain('/payload/value: 1');
  });

  it('rests on the row about facts where nothing but recorded facts was made anew', () => {
    const remembered = runAs('source of conformance-noop', written('m1'));
    const again = (value?: number) =>
      runAs(`replay with ${value ?? 'the same'}`, written('m2', value), replayOf(remembered, 3));
    const owned = judgePrefixes([remembered, again()], []);
    expect(owned).toMatchObject({ verdict: 'fail', restsOn: 'replay.recorded-facts-verbatim.in-history' });
    expect(owned.diagnosis?.code).toBe('regenerated-fact');
    expect(judgePrefixes([remembered, again(), again(7)], []).restsOn).toBeUndefined();
    const broken = { ...refusedReplay('replay from 2', remembered), answered: 500 };
    expect(judgePrefixes([remembered, again(), broken], []).restsOn).toBeUndefined();
  });

  it('rests on the row about keys where nothing but the key of a call is another one', () => {
    const called = runAs('source of conformance-noop', call('k1'));
    const again = (told: readonly Said[]) => runAs('replay from 2', told, replayOf(called, 2));
    expect(judgePrefixes([called, again(call('k2'))], [])).toMatchObject({
      verdict: 'fail',
      restsOn: 'once.idempotency-key.replay',
    });
    expect(judgePrefixes([called, again(call('k2', 2))], []).restsOn).toBeUndefined();
  });

  it('does not look at and after the fork point', () => {
    const changed = fork(3, other(3, say('variable.changed', { name: 'a', value: 7 }, 'n')));
    expect(judgePrefixes([source, changed], []).verdict).toBe('pass');
  });

  it('fails where an advertised fork is refused, also after one that was not seen', () => {
    const slow = unfinishedRun('replay from 1', 'the run has not ended', replayOf(source, 1));
    const seen = [source, slow, refusedReplay('replay from 2', source)];
    expect(judgePrefixes(seen, []).verdict).toBe('fail');
    // One row says so where the one about replays from every event is not judged.
    expect(judgeStates(seen, [])).toMatchObject({ verdict: 'fail', restsOn: 'sequence.prefix-equal' });
  });

  it('is undecided where a fork was not seen, where only the start was forked, and where nothing was', () => {
    const slow = unfinishedRun('replay from 1', 'the run has not ended', replayOf(source, 1));
    expect(judgePrefixes([source, fork(3), slow], []).verdict).toBe('inconclusive');
    expect(judgePrefixes([source, fork(0)], []).verdict).toBe('inconclusive');
    expect(
      judgePrefixes([unfinishedRun('source of conformance-noop', 'the request was answered with 404')], []),
    ).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('run the public workflow conformance-noop, or name one of your own') as string,
    });
  });

  it('leaves declared fields out, and says so', () => {
    const volatile = fork(3, other(1, say('variable.changed', { name: 'a', value: 1, ms: 5 }, 'n')));
    expect(judgePrefixes([source, volatile], []).verdict).toBe('fail');
    expect(judgePrefixes([source, volatile], ['/payload/ms'])).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining('declared volatile and not compared: /payload/ms') as string,
    });
  });
});

/** A run whose log says this, and a replay that is like it. */
function pair(told: readonly Said[], more: object = {}, of = 'conformance-noop') {
  const from = runAs(`source of ${of}`, told, more);
  return [from, runAs('a replay', told, { ...replayOf(from, 2), ...more })];
}

/** A run of a workflow, with a replay whose history differs, and one that writes another value. */
function twoOf(name: string) {
  const [from = source] = pair(TOLD, {}, name);
  const owned = runAs('of a history', [...TOLD.slice(0, 1), ...TOLD.slice(2)], replayOf(from, 3));
  const own = runAs('own', other(1, say('variable.changed', { name: 'a', value: 9 }, 'n')), replayOf(from, 1));
  return [from, owned, own];
}

/** A replay that ends in another way. */
function endingIn(...said: readonly Said[]) {
  return fork(1, [...TOLD.slice(0, 4), ...said]);
}

describe('the states of forks', () => {
  it('pass where they agree at the fork point, on the way and at the end', () => {
    expect(judgeStates([source, fork(0), fork(3)], []).verdict).toBe('pass');
  });

  it('fail where the fork point lacks a variable', () => {
    const lost = fork(3, [...TOLD.slice(0, 1), ...TOLD.slice(2)]);
    // Its history lacks it, too, and the row about histories says so.
    expect(judgeStates([source, lost], [])).toMatchObject({ verdict: 'fail', restsOn: 'sequence.prefix-equal' });
  });

  it('fail on the way though the ends agree', () => {
    const judgement = judgeStates(
      [source, fork(1, other(1, say('variable.changed', { name: 'a', value: 9 }, 'n')))],
      [],
    );
    expect(judgement).toMatchObject({ verdict: 'fail' });
    expect(judgement.expected).toContain('sequence 1 /variables/a: 1');
    expect(judgement.restsOn).toBeUndefined();
  });

  it('fail in each workflow for itself, what another row has to do with last', () => {
    const { restsOn, further } = judgeStates([...twoOf('conformance-noop'), ...twoOf('conformance-delay')], []);
    expect(restsOn).toBeUndefined();
    expect(further).toMatchObject([{ differs: ['variable.changed'], expected: expect.stringContaining('delay') }]);
    expect(judgeStates(twoOf('conformance-noop'), [])).not.toHaveProperty('further');
  });

  it('leave it to the row about divergence where one that says that it differs ends by that', () => {
    const judgement = judgeStates([source, endingIn(say('replay.diverged'), say('run.failed'))], []);
    expect(judgement.restsOn).toBe('replay.divergence-continues');
    expect(judgeStates([source, endingIn(say('run.failed'))], []).restsOn).toBeUndefined();
  });

  it('fail at the end though the logs agree', () => {
    const snapshot = { runId: 'x', status: 'failed', variables: {}, channels: {} };
    const shown = { ...fork(1), snapshot };
    const judgement = judgeStates([source, shown], []);
    expect(judgement.expected).toContain('/status: "completed"');
    // Where its own log says otherwise, snapshots of forks lose their state as such.
    expect(judgement.restsOn).toBe('fork.branch-applies-overlay.projected-state');
  });

  it('are open where a snapshot shows no end yet: how late it may be, another row says', () => {
    const late = { ...fork(1), snapshot: { runId: 'x', status: 'running', variables: {}, channels: {} } };
    const judgement = judgeStates([source, late], []);
    expect(judgement).toMatchObject({ verdict: 'inconclusive' });
    expect(judgement.reason).toContain('whose log has ended, says "running"');
  });

  it('do not mind other events between, nor an interrupt that is not shown to wait', () => {
    const waited = [
      ...TOLD.slice(0, 1),
      say('interrupt.requested', { kind: 'approval' }),
      say('interrupt.resolved', {}),
      ...TOLD.slice(1),
    ];
    const waiting = runAs('source of conformance-noop', waited);
    const short = runAs('replay', [...TOLD.slice(0, 2), say('vendor.note'), ...TOLD.slice(2)], replayOf(waiting, 1));
    expect(judgeStates([waiting, short], []).verdict).toBe('pass');
  });

  it('are undecided where values are written and none is shown', () => {
    const hidden = [
      say('run.started'),
      say('variable.changed', { name: 'a' }, 'n'),
      say('channel.written', {}, 'n'),
      say('run.completed'),
    ];
    const judged = judgeStates(pair(hidden), []);
    expect(judged.verdict).toBe('inconclusive');
    expect(judged.reason).toContain('neither the logs nor the snapshots of noop show the value');
    const silent = [say('run.started'), say('vendor.note'), say('run.completed')];
    expect(judgeStates(pair(silent, {}, 'conformance-determinism-random'), []).verdict).toBe('inconclusive');
    // No value is known to be written, so that the status is all there is.
    expect(judgeStates(pair(silent), []).verdict).toBe('pass');
    const snapshot = { runId: 'x', status: 'completed', variables: { a: 0 } };
    expect(judgeStates(pair(hidden, { snapshot }), []).verdict).toBe('pass');
    // What is declared volatile is not compared.
    expect(judgeStates(pair(hidden, { snapshot }), ['/payload/value']).verdict).toBe('inconclusive');
    // One workflow that shows its values is enough.
    expect(judgeStates([source, fork(3), ...pair(hidden, {}, 'vendor.flow')], []).verdict).toBe('pass');
  });

  it('are undecided where a snapshot was not read', () => {
    const unread = { ...fork(1), snapshot: null };
    expect(judgeStates([source, unread], []).verdict).toBe('inconclusive');
  });
});

describe('workflows that the host has of its own', () => {
  const theirs = runAs('source of vendor.flow', TOLD);
  const replay = (fromSeq: number, told = TOLD) => runAs(`theirs from ${fromSeq}`, told, replayOf(theirs, fromSeq));
  const failed: readonly Said[] = [say('run.started'), say('run.failed', { error: { code: 'no_access' } })];

  it('are judged as all others are', () => {
    expect(judgePrefixes([theirs, replay(3)], []).verdict).toBe('pass');
    const changed = replay(3, other(1, say('variable.changed', { name: 'a', value: 7 }, 'n')));
    expect(judgePrefixes([source, fork(3), theirs, changed], []).verdict).toBe('fail');
    expect(judgeStates([source, fork(3), theirs, changed], []).verdict).toBe('fail');
  });

  it('cost themselves only where they hang, fail, are cancelled or are not replayed, and say so', () => {
    const seen = [
      source,
      fork(3),
      unfinishedRun('source of hangs', 'the run has not ended: it was cancelled'),
      runAs('source of fails', failed),
      runAs('source of conformance-cancellable', [say('run.started'), say('run.cancelled')]),
      theirs,
      unfinishedRun('replay of vendor.flow from 2', 'the run has not ended', replayOf(theirs, 2)),
      { ...refusedReplay('replay of vendor.flow from 1', theirs), answered: 422, problem: 'answered with 422' },
    ];
    for (const judgement of [judgePrefixes(seen, []), judgeStates(seen, [])]) {
      expect(judgement.verdict).toBe('pass');
      expect(judgement.reason).toContain(
        'left out: hangs (the run has not ended: it was cancelled), ' +
          'fails (it failed (no_access): give it inputs with --workflow), ' +
          'cancellable (it was cancelled), 2 replays of vendor.flow (the run has not ended)',
      );
    }
  });

  it('are red where the host itself breaks when it forks them, in one row', () => {
    const seen = [source, fork(3), theirs, refusedReplay('replay of vendor.flow from 1', theirs)];
    expect([judgePrefixes(seen, []).verdict, judgeStates(seen, []).verdict]).toEqual(['fail', 'pass']);
  });

  it('need not fail in the same state: that is a row of its own', () => {
    const broken = runAs('source of conformance-failure', failed);
    const ended = runAs('its replay', [say('run.started'), say('run.completed')], replayOf(broken, 1));
    expect(judgeStates([source, fork(3), broken, ended], []).verdict).toBe('pass');
    expect(judgePrefixes([source, fork(3), broken, ended], []).verdict).toBe('pass');
  });

  it('may let channels expire after the run: what a snapshot still shows of them depends on when it was read', () => {
    const workflowId = 'conformance-channel-ttl';
    const expiring = (channels: Json, more: object) =>
      runAs('source of conformance-channel-ttl', TOLD, {
        workflowId,
        snapshot: { status: 'completed', variables: {}, channels },
        ...more,
      });
    const early = expiring({ c: ['x'] }, {});
    const late = expiring({ c: [] }, { ...replayOf(early, 3), runId: 'late' });
    expect(judgeStates([early, late], []).verdict).toBe('pass');
    const plain = { ...late, workflowId: 'vendor.flow' };
    expect(judgeStates([{ ...early, workflowId: 'vendor.flow' }, plain], []).verdict).toBe('fail');
  });
});

function reasonWith(more: object): string | undefined {
  const share = observed('s', 'swept', { advertised: 82, swept: 41, leftOut: [], ...more });
  return judgePrefixes([source, fork(3), share], []).reason;
}

describe('the share of a sweep', () => {
  it('stands first', () => {
    expect(reasonWith({})).toMatch(/^41 of 82 advertised workflows were swept; 1 forks of noop \(1\)/u);
    const leftOut = [
      { workflowId: 'a', why: 'time' },
      { workflowId: 'b', why: '--sweep 3' },
      { workflowId: 'c', why: 'time' },
    ];
    expect(reasonWith({ leftOut })).toContain('swept, 2 left out: time (a, c), 1 left out: --sweep 3 (b); 1 forks');
  });

  it('names some where there are many, and is not there where nothing is advertised', () => {
    const leftOut = Array.from({ length: 30 }, (_, index) => ({ workflowId: `w${index}`, why: 'time' }));
    expect(reasonWith({ leftOut })).toMatch(/30 left out: time \(w0, .*, w23 and 6 more\)/u);
    expect(reasonWith({ advertised: 0, swept: 0 })).toMatch(/^1 forks/u);
  });
});
