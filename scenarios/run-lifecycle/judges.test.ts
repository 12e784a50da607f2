import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import type { Everything, Recorded } from '../../src/runner/scenario.ts';
import { replayOf, runAs, say, unfinishedRun } from '../../test/recorded-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import type { TriedObservation } from './observation.ts';
import { judgeCreated } from './created.ts';
import { judgeSnapshots } from './snapshot.ts';
import { CANCELLED, VARIABLE_FIXTURES, VARIABLES, WAITING } from './waiting.ts';

const WHOLE = [say('run.started'), say('node.completed'), say('run.completed')];
const onCreated = (seen: Parameters<typeof judgeCreated>[0]) => judgementOf('run.created', judgeCreated(seen));
const onSnapshots = (own: Parameters<typeof judgeSnapshots>[0], everything: Everything) =>
  judgementOf('run.snapshot-agrees', judgeSnapshots(own, { everything }));

const REDIRECTED = { sse: 307, json: 307, poll: 307 };
const REFUSED = { runId: null, fork: null } as const;

function tried(workflowId: string, more: Partial<TriedObservation> = {}): Recorded<TriedObservation> {
  const role = `run of ${workflowId}`;
  const nothing = { log: null, snapshot: null, exchanges: [] };
  return { id: `t-${workflowId}`, type: 'tried', workflowId, named: true, role, ...nothing, ...more };
}

function refused(workflowId: string, answered: number): Recorded<RunObservation> {
  return unfinishedRun(`run of ${workflowId}`, `the request was answered with ${answered}`, { ...REFUSED, answered });
}

/** The verdict about runs of these workflows that were refused, each with its status. */
function verdictOn(...statuses: readonly (readonly [workflowId: string, status: number, named?: boolean])[]): string {
  const seen = statuses.flatMap(([id, status, named = true]) => [refused(id, status), tried(id, { named })]);
  const { verdict, diagnosis } = onCreated(seen);
  return diagnosis === undefined ? verdict : `${verdict} ${diagnosis.code}`;
}

describe('run.created', () => {
  it('passes with one run that was read to its end', () => {
    const seen = [refused('a', 404), tried('a'), runAs('run of b', WHOLE), tried('b')];
    expect(onCreated(seen)).toMatchObject({ verdict: 'pass', evidence: ['run of b'] });
  });

  it('fails where whatever the host names is refused', () => {
    expect(verdictOn(['conformance-noop', 501])).toBe('fail named-and-refused');
    expect(verdictOn(['a', 404], ['b', 500])).toBe('fail named-and-refused');
    expect(verdictOn(['conformance-noop', 422])).toBe('fail named-and-refused');
    expect(verdictOn(['a', 404], ['conformance-noop', 404, false])).toBe('fail named-and-refused');
  });

  it('is undecided where the workflow may need inputs, was not named, or nobody looked at the request', () => {
    expect(verdictOn(['a', 400], ['b', 404])).toBe('inconclusive');
    expect(verdictOn(['conformance-noop', 404, false])).toBe('inconclusive');
    expect(verdictOn(['conformance-noop', 401])).toBe('inconclusive');
    expect(verdictOn(['conformance-noop', 503])).toBe('inconclusive');
    expect(verdictOn(['conformance-noop', 307], ['a', 308])).toBe('inconclusive');
    expect(verdictOn()).toBe('inconclusive');
  });

  it('fails where the answer names no run, or the run cannot be read', () => {
    const nameless = unfinishedRun('run of a', 'the answer names no runId', { ...REFUSED, answered: 201 });
    expect(onCreated([nameless, tried('a')]).diagnosis?.code).toBe('no-run-id');
    const unread = unfinishedRun('run of a', 'the run has not ended');
    const log = { sse: 404, json: 404, poll: 501 };
    expect(onCreated([unread, tried('a', { log })]).diagnosis?.code).toBe('log-unreadable');
    const empty = runAs('run of a', [], { problem: 'no end', snapshot: { status: 'completed' } });
    expect(onCreated([empty, tried('a', {})]).diagnosis?.code).toBe('log-empty');
    const going = runAs('run of a', [], { problem: 'no end', snapshot: { status: 'running' } });
    expect(onCreated([going, tried('a', {})]).verdict).toBe('inconclusive');
    const hidden = runAs('run of a', WHOLE, { snapshot: null });
    const none = { snapshot: 200, snapshotIsObject: false };
    expect(onCreated([hidden, tried('a', none)]).diagnosis?.code).toBe('snapshot-unreadable');
    expect(onCreated([hidden, tried('a', { snapshot: 404 })]).diagnosis?.code).toBe('snapshot-unreadable');
    const created = { snapshot: 201, snapshotIsObject: true };
    expect(onCreated([hidden, tried('a', created)])).toMatchObject({
      expected: `200 with a JSON object for the snapshot of ${hidden.runId ?? ''}`,
      actual: '201',
      diagnosis: { code: 'snapshot-unreadable' },
    });
  });

  it('is undecided where a run has not ended, or was answered otherwise for the moment', () => {
    const unread = unfinishedRun('run of a', 'the run has not ended');
    for (const log of [{ sse: 200, json: 404, poll: 404 }, { sse: 404, json: 404, poll: 503 }, REDIRECTED, null]) {
      expect(onCreated([unread, tried('a', { log })]).verdict).toBe('inconclusive');
    }
    for (const snapshot of [null, [{ status: 'completed' }]]) {
      const hidden = runAs('run of a', WHOLE, { snapshot });
      expect(onCreated([hidden, tried('a', { snapshot: 200 })]).verdict).toBe('inconclusive');
    }
    const none = { snapshot: null, snapshotIsObject: false, snapshotUnread: 'body-too-large (the bound)' };
    const judged = onCreated([runAs('run of a', WHOLE, { snapshot: null }), tried('a', none)]);
    expect(judged.verdict).toBe('inconclusive');
    expect(judged.reason).toContain('its snapshot could not be read: body-too-large (the bound)');
  });
});

function showing(role: string, status: Json): Recorded<RunObservation> {
  return runAs(role, WHOLE, { snapshot: { status } });
}

function completed(snapshot: object): Recorded<RunObservation> {
  return runAs('run', WHOLE, { snapshot: { status: 'finished', ...snapshot } });
}

/** A run that failed with an error in its log. */
function failedRun(role: string, snapshot: object): Recorded<RunObservation> {
  const said = [say('run.started'), say('run.failed', { error: { code: 'e', message: 'm' } })];
  return runAs(role, said, { snapshot: { status: 'failed', ...snapshot } });
}

/** A run whose snapshot names another one and another workflow. */
function misnamed(status: string): Recorded<RunObservation> {
  return runAs('run', WHOLE, { workflowId: 'w', snapshot: { runId: 'other', workflowId: 'other', status } });
}

function showingAll<R extends object>(run: R, status: Json, variables: Json) {
  return { ...run, snapshot: { status, variables } };
}

function child(snapshot: Json) {
  const parts = { type: 'child', parent: 'handoff', scenario: 'handoff.harvest' };
  return { ...showing('other', 'completed'), ...parts, snapshot };
}

/** A snapshot that shows one variable. */
function showingOne(v: number, status = 'completed') {
  return { status, workflowId: 'w', variables: { v }, channels: {} };
}

describe('run.snapshot-agrees', () => {
  const own = [showing('own', 'completed')];
  const other = (status: Json, scenario = 'sequence.sweep') => ({ ...showing('other', status), scenario });

  it('passes with snapshots that say what their logs say', () => {
    expect(onSnapshots(own, [other('completed')])).toMatchObject({ verdict: 'pass', evidence: ['own', 'other'] });
  });

  it('fails with a child whose snapshot shows another end, and looks at nothing else of children', () => {
    expect(onSnapshots(own, [child({ status: 'failed' })])).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'snapshot-other-end' },
      evidence: ['other'],
    });
    for (const snapshot of [{ status: 'completed' }, { status: 'running' }, null]) {
      expect(onSnapshots(own, [child(snapshot)])).toMatchObject({ verdict: 'pass', evidence: ['own'] });
    }
  });

  it('says what no snapshot shows', () => {
    expect(onSnapshots(own, []).reason).toBe(
      '1 snapshots beside their logs, none of which shows variables or channels, as they may',
    );
    const both = runAs('own', WHOLE, { snapshot: { status: 'completed', variables: {}, channels: {} } });
    expect(onSnapshots([both], []).reason).toBe('1 snapshots beside their logs');
    const listed = runAs('own', WHOLE, { snapshot: { status: 'completed', variables: [{ name: 'v' }], channels: {} } });
    expect(onSnapshots([listed], []).reason).toBe(
      '1 snapshots beside their logs, which show lists in the place of variables: what these say was not compared',
    );
  });

  it('rest on the row about states where the snapshot of a fork shows what another fork wrote', () => {
    const source = runAs('source', WHOLE);
    const writing = (role: string, value: number, shown: number) => {
      const log = [WHOLE[0], say('variable.changed', { name: 'a', value }), WHOLE[2]].filter(
        (each) => each !== undefined,
      );
      const snapshot = { status: 'completed', variables: { a: shown } };
      return runAs(role, log, { ...replayOf(source, 0), snapshot });
    };
    const fork = writing('replay', 1, 2);
    expect(onSnapshots([source, fork, writing('other replay', 2, 2)], []).restsOn).toBe('sequence.state-equal');
    expect(onSnapshots([source, fork, writing('other replay', 3, 3)], [])).not.toHaveProperty('restsOn');
  });

  it("fails by a fork's word for an end that its source calls by its name", () => {
    const [source] = own;
    if (source === undefined) return;
    const fork = (status: Json) => ({ ...showing('replay', status), ...replayOf(source, 0) });
    expect(onSnapshots([source, fork('completed')], []).verdict).toBe('pass');
    expect(onSnapshots([source, fork('succeeded')], [])).toMatchObject({ verdict: 'fail', evidence: ['replay'] });
    expect(onSnapshots([showing('own', 'succeeded'), fork('succeeded')], []).verdict).toBe('pass');
  });

  describe('with words of its own for ends', () => {
    const failed = [say('run.started'), say('run.failed', { error: { code: 'e' } })];
    const failing = (snapshot: object) => runAs('other', failed, { snapshot: { status: 'finished', ...snapshot } });

    it('fails by one word for two ends', () => {
      expect(onSnapshots([completed({}), failing({})], [])).toMatchObject({
        verdict: 'fail',
        expected:
          'a status in the snapshot of the other run-other that is not that of the run run-run: their logs end as "completed" and as "failed"',
        actual: '"finished" in both',
        diagnosis: { code: 'snapshot-other-end' },
        evidence: ['other', 'run'],
      });
    });

    it('passes where a client can tell the ends by another word, the error, or a member of the host’s own', () => {
      for (const snapshot of [{ status: 'broken' }, { error: { code: 'e' } }, { error: 'e' }, { outcome: 'failed' }]) {
        expect(onSnapshots([completed({}), failing(snapshot)], []).verdict).toBe('pass');
      }
      expect(onSnapshots([completed({ outcome: 'completed' }), failing({})], []).verdict).toBe('pass');
      expect(
        onSnapshots([completed({}), runAs('other', WHOLE, { snapshot: { status: 'finished' } })], []).verdict,
      ).toBe('pass');
    });

    it('says nothing of a status that is empty: it has no shape', () => {
      const empty = { status: '' };
      expect(onSnapshots([completed(empty), failing(empty)], []).verdict).not.toBe('fail');
    });

    it('says nothing of what another scenario recorded, which may be late, or of a log with two ends', () => {
      const elsewhere = { ...failing({}), scenario: 'sequence.sweep' };
      expect(onSnapshots([completed({})], [elsewhere]).verdict).toBe('pass');
      const both = runAs('other', [...failed, say('run.completed')], { snapshot: { status: 'finished' } });
      expect(onSnapshots([completed({}), both], []).verdict).toBe('pass');
    });
  });

  describe('of runs that failed', () => {
    const error = { code: 'e', message: 'm' };
    const showsError = failedRun('failing', { error });
    const hides = failedRun('hiding', {});

    it('fails by one that leaves out its error, where another shows its own', () => {
      expect(onSnapshots([showsError, hides], [])).toMatchObject({
        verdict: 'fail',
        expected:
          '/error/code "e" in the snapshot of the hiding run-hiding, as in sequence 1, run.failed: that of the failing run-failing shows its error',
        actual: 'no /error',
        diagnosis: { code: 'snapshot-other-error' },
        evidence: ['hiding', 'failing'],
      });
      expect(onSnapshots([showsError], [{ ...hides, scenario: 'replay.failures' }]).verdict).toBe('fail');
      expect(onSnapshots([showsError, failedRun('hiding', { error: null })], [])).toMatchObject({
        verdict: 'fail',
        actual: '/error is null',
      });
    });

    it('passes where none shows any, one has its error in a form of its own, or the log names none', () => {
      expect(onSnapshots([failedRun('hiding', { error: null }), hides], []).verdict).toBe('pass');
      expect(onSnapshots([hides], [])).toMatchObject({
        verdict: 'pass',
        reason: expect.stringContaining('those of failed runs show no error, as they may') as string,
      });
      expect(onSnapshots([showsError, failedRun('plain', { error: { reason: 'e' } })], []).verdict).toBe('pass');
      const nameless = runAs('nameless', [say('run.failed')], { snapshot: { status: 'failed' } });
      expect(onSnapshots([showsError, nameless], []).verdict).toBe('pass');
    });

    it('lets another scenario’s snapshot lag on a host whose snapshots were seen to', () => {
      const late = { id: 'late', type: 'late', role: 'failing', exchanges: [] } as const;
      expect(onSnapshots([showsError, late], [{ ...hides, scenario: 'replay.failures' }]).verdict).toBe('pass');
    });
  });

  describe('of a child', () => {
    const workflowId = 'conformance-multi-agent-handoff-child';
    const shows = (variables: Json) => ({ status: 'completed', workflowId, variables });
    const alone = runAs('run that nobody dispatched', WHOLE, { snapshot: shows({ childOutcome: 'x' }) });
    const parent = {
      ...runAs('handoff', WHOLE, { snapshot: { status: 'completed', variables: { mine: 1 } } }),
      scenario: 'handoff.harvest',
    };
    const judged = (variables: Json, ...more: readonly Recorded<RunObservation>[]) =>
      onSnapshots([...own, ...more], [parent, child(shows(variables))]);

    it('fails by a variable that neither its log nor a run by itself has', () => {
      expect(judged({ childOutcome: 'x', ghost: 1 }, alone)).toMatchObject({
        verdict: 'fail',
        diagnosis: { code: 'snapshot-added-variable' },
        evidence: ['other'],
      });
    });

    it('passes with what its parent has, with no other, and where no run by itself was seen', () => {
      expect(judged({ childOutcome: 'x', mine: 1 }, alone).verdict).toBe('pass');
      expect(judged({ childOutcome: 'y' }, alone).verdict).toBe('pass');
      expect(judged({ childOutcome: 'x', ghost: 1 }).verdict).toBe('pass');
      const ofAnother = { ...alone, snapshot: { status: 'completed', workflowId: 'w', variables: {} } };
      expect(judged({ childOutcome: 'x', ghost: 1 }, ofAnother).verdict).toBe('pass');
    });
  });

  it('names the channels in which nothing that was written is seen', () => {
    const told = [say('run.started'), say('channel.written', { channel: 'c', value: 'x' }), say('run.completed')];
    const shown = { status: 'completed', workflowId: 'w', channels: { c: 1 }, variables: {} };
    expect(onSnapshots([runAs('own', told, { snapshot: shown })], []).reason).toBe(
      '1 snapshots beside their logs; what was written is not seen in channels that hold something else made of it, as they may: c (the own run-own)',
    );
  });

  it('names the variables that hold something which no event wrote, but for what the log gives otherwise', () => {
    const told = [say('run.started', { inputs: { given: 1 } }), say('variable.changed', { name: 'v', value: 1 })];
    const variables = { v: 1, given: 1, ghost: 1, none: null };
    const shown = { status: 'completed', workflowId: 'w', variables, channels: {} };
    expect(onSnapshots([runAs('own', [...told, say('run.completed')], { snapshot: shown })], []).reason).toBe(
      '1 snapshots beside their logs; no event of their logs names these variables, which hold something: ghost (the own run-own)',
    );
  });

  it('names the channels that hold something which no event wrote', () => {
    const told = [say('run.started'), say('channel.written', { channel: 'c', value: 'x' }), say('run.completed')];
    const channels = { c: ['x'], ghost: ['x'], none: [], nothing: null, blank: '' };
    const shown = { status: 'completed', workflowId: 'w', channels, variables: {} };
    expect(onSnapshots([runAs('own', told, { snapshot: shown })], []).reason).toBe(
      '1 snapshots beside their logs; no event of their logs names these channels, which hold something: ghost (the own run-own)',
    );
  });

  describe('of a run that is read more than once', () => {
    const told = [say('run.started'), say('variable.changed', { name: 'v', value: 1 }), say('run.completed')];
    const read = (snapshot: Json, snapshotAgain: Json) => ({
      ...runAs('read', told, { snapshot, snapshotAgain }),
      scenario: 'fork.branch',
    });

    it('fails where it shows other values the second time', () => {
      expect(onSnapshots(own, [read(showingOne(1), showingOne(2))])).toMatchObject({
        verdict: 'fail',
        expected:
          '/variables/v 1 in the snapshot of the read, read once more run-read, as in sequence 1, variable.changed',
        diagnosis: { code: 'snapshot-other-variable' },
        evidence: ['read'],
      });
    });

    it('passes where it shows the same, nothing, or that it goes on, or the host was seen to be late', () => {
      for (const again of [showingOne(1), null, showingOne(2, 'running')]) {
        expect(onSnapshots(own, [read(showingOne(1), again)]).verdict).toBe('pass');
      }
      const late = { id: 'late', type: 'late', role: 'own', exchanges: [] } as const;
      expect(onSnapshots([...own, late], [read(showingOne(1), showingOne(2))]).verdict).toBe('pass');
    });

    it('names it where it showed its end with other values first', () => {
      const late = runAs('read', told, { snapshot: showingOne(1), valuesLate: true });
      expect(onSnapshots([late], []).reason).toBe(
        '1 snapshots beside their logs; first they showed the end and other values, in 1 of them: the read run-read',
      );
    });
  });

  it('names the variables that are hidden, and is open where the run that writes some hides all', () => {
    const told = [say('run.started'), say('variable.changed', { name: 'v', value: 'a' }), say('run.completed')];
    const snapshot = { status: 'completed', workflowId: VARIABLE_FIXTURES[0] ?? '', variables: { v: '***' } };
    expect(onSnapshots([runAs('own', told, { snapshot })], []).reason).toContain(
      'variables whose values the snapshot or its log hides were not compared: v (the own run-own)',
    );
    expect(onSnapshots([...own, runAs(VARIABLES, told, { snapshot })], [])).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('show plain values') as string,
    });
  });

  it("fails by a replay's variable that neither its log nor its source has", () => {
    const source = runAs('own', WHOLE, { snapshot: { status: 'completed', variables: { initial: 1 } } });
    const replay = (variables: Json) => ({
      ...runAs('replay', WHOLE, { snapshot: { status: 'completed', variables } }),
      ...replayOf(source, 0),
    });
    expect(onSnapshots([source, replay({ initial: 1 })], []).verdict).toBe('pass');
    const failing = onSnapshots([source, replay({ initial: 1, ghost: 1 })], []);
    expect(failing).toMatchObject({ verdict: 'fail', evidence: ['replay'] });
    expect(failing.diagnosis?.code).toBe('snapshot-added-variable');
  });

  it('fails by an own one, or by that of another scenario', () => {
    expect(onSnapshots([showing('own', 'failed')], []).verdict).toBe('fail');
    expect(onSnapshots(own, [other('failed')])).toMatchObject({ verdict: 'fail', evidence: ['other'] });
  });

  it('fails where a replay failed for its refusal and its snapshot says that it completed', () => {
    const error = { code: 'replay_diverged_at_refusal', message: 'm' };
    const told = [say('run.started'), say('replay.divergedAtRefusal'), say('run.failed', { error })];
    const replay = { ...runAs('replay', told), scenario: 'refusal.valid-to-refusal' };
    expect(onSnapshots(own, [replay]).diagnosis?.code).toBe('snapshot-other-end');
  });

  const verdict = (...runs: readonly Recorded<RunObservation>[]) => onSnapshots([...own, ...runs], []);

  describe('of a run that waits', () => {
    const asked = [say('run.started'), say('interrupt.requested')];
    const waiting = (status: Json) => ({ ...runAs(WAITING, asked, { snapshot: { status } }), runId: 'w', id: WAITING });
    const later = (end: string, status: Json) => {
      const run = runAs(CANCELLED, [...asked, say(end)], { snapshot: { status } });
      return { ...run, runId: 'w', id: CANCELLED };
    };

    it('passes with one that goes on, in whatever words', () => {
      for (const status of ['waiting-approval', 'suspended', 'running', null]) {
        expect(verdict(waiting(status), later('run.cancelled', 'cancelled')).verdict).toBe('pass');
      }
    });

    it('fails where it shows a variable after its cancellation of which its log knows nothing', () => {
      const before = showingAll(waiting(null), 'waiting-approval', { a: 1 });
      const after = (variables: Json) => showingAll(later('run.cancelled', 'cancelled'), 'cancelled', variables);
      expect(verdict(before, after({ a: 1 })).verdict).toBe('pass');
      const failing = verdict(before, after({ a: 1, ghost: 1 }));
      expect(failing).toMatchObject({ verdict: 'fail', evidence: [CANCELLED] });
      expect(failing.diagnosis?.code).toBe('snapshot-added-variable');
      // A snapshot that was built later than the log may not have shown its variables yet.
      expect(verdict(showingAll(waiting(null), 'running', {}), after({ a: 1 })).verdict).toBe('pass');
    });

    it('fails where it says an end, and the log came to another one', () => {
      const failing = verdict(waiting('completed'), later('run.cancelled', 'cancelled'));
      expect(failing).toMatchObject({ verdict: 'fail', actual: '"completed"', evidence: [WAITING, CANCELLED] });
      expect(failing.expected).toContain('sequence 1, interrupt.requested');
      expect(failing.diagnosis?.code).toBe('snapshot-ended-early');
    });

    it('says nothing of one that ended by itself between the readings, or was not seen to end', () => {
      expect(verdict(waiting('completed'), later('run.completed', 'completed')).verdict).toBe('pass');
      expect(verdict(waiting('completed')).verdict).toBe('pass');
    });

    it('fails where it calls a cancelled run a failed one', () => {
      const failing = verdict(waiting('waiting-approval'), later('run.cancelled', 'failed'));
      expect(failing).toMatchObject({ verdict: 'fail', evidence: [CANCELLED] });
      expect(failing.diagnosis?.code).toBe('snapshot-other-end');
    });

    it('fails where it calls a branch another end than its log does that another scenario cancelled', () => {
      const elsewhere = { runId: 'b', scenario: 'fork.branch' };
      const first = { ...waiting('waiting-approval'), ...elsewhere };
      const said = (end: string, status: Json) =>
        onSnapshots(own, [first, { ...later(end, status), ...elsewhere, role: 'cancelled branch' }]);
      expect(said('run.cancelled', 'cancelled').verdict).toBe('pass');
      for (const [end, status] of [['run.cancelled', 'failed'] as const, ['run.failed', 'cancelled'] as const]) {
        expect(said(end, status).diagnosis?.code).toBe('snapshot-other-end');
      }
    });
  });

  it('takes the snapshot of another scenario for late, and its own for wrong', () => {
    expect(onSnapshots(own, [other('running')]).verdict).toBe('pass');
    expect(onSnapshots([showing('own', 'running')], []).diagnosis?.code).toBe('snapshot-behind');
  });

  it('lets values lag on a host whose snapshots were seen to, and no end be another one', () => {
    const told = [say('run.started'), say('variable.changed', { name: 'v', value: 1 }), say('run.completed')];
    const values = (status: Json) => ({
      ...runAs('values', told, { snapshot: { status, variables: {} } }),
      scenario: 'sequence.sweep',
    });
    const late = { id: 'late', type: 'late', role: 'own', exchanges: [] } as const;
    expect(onSnapshots(own, [values('completed')]).diagnosis?.code).toBe('snapshot-other-variable');
    expect(onSnapshots([...own, late], [values('completed')]).verdict).toBe('pass');
    expect(onSnapshots([...own, late], [values('failed')]).diagnosis?.code).toBe('snapshot-other-end');
  });

  it('is decided by runs with ids of their own, and rests on the row about ids where those show nothing', () => {
    const again = { id: 'again', type: 'run-id-again', scenario: 'plan', exchanges: ['x1'], scenarios: ['s'] };
    const sharedBy = (run: { readonly runId: string | null }) => ({ ...again, runId: run.runId });
    const wrong = other('failed');
    expect(onSnapshots(own, [wrong, sharedBy(wrong)])).toMatchObject({
      verdict: 'fail',
      restsOn: 'fork.created.own-id',
    });
    const apart = { ...other('failed', 'once.tool-call'), id: 'apart', runId: 'run-apart' };
    const failing = onSnapshots(own, [wrong, sharedBy(wrong), apart]);
    expect(failing).toMatchObject({ verdict: 'fail', evidence: ['apart'] });
    expect(failing).not.toHaveProperty('restsOn');
    const [first] = own;
    expect(onSnapshots(own, first === undefined ? [] : [sharedBy(first)])).toMatchObject({
      verdict: 'inconclusive',
      restsOn: 'fork.created.own-id',
    });
  });

  it('leaves alone runs of which something was taken away, and what is read of a run later', () => {
    expect(onSnapshots(own, [other('failed', 'privacy.deleted-data')]).verdict).toBe('pass');
    expect(onSnapshots(own, [other('completed'), { ...other('failed'), id: 'later' }]).verdict).toBe('pass');
  });

  it.each([
    ['null', null, 'could not be read'],
    ['{}', {}, 'shows no status'],
  ])('is undecided where the snapshot of a run that ended is %s', (_, snapshot, what) => {
    const hidden = runAs('hidden', WHOLE, { snapshot });
    expect(onSnapshots([...own, hidden], [])).toMatchObject({
      verdict: 'inconclusive',
      reason: `the snapshot of the hidden run-hidden ${what} to compare with its log`,
      evidence: ['hidden'],
    });
    expect(onSnapshots(own, [{ ...hidden, scenario: 'sequence.sweep' }]).verdict).toBe('inconclusive');
    expect(onSnapshots([showing('own', 'failed'), hidden], []).verdict).toBe('fail');
  });

  it('is open for the shape of snapshots where these show no status', () => {
    const hidden = runAs('hidden', WHOLE, { snapshot: {} });
    expect(onSnapshots([...own, hidden], [])).toMatchObject({ restsOn: 'schema.run-snapshot' });
    const unseen = runAs('hidden', WHOLE, { snapshot: null });
    expect(onSnapshots([...own, unseen], [])).not.toHaveProperty('restsOn');
  });

  it('fails where the snapshot of a run that has ended is answered with 200 and nothing', () => {
    const empty = runAs('hidden', WHOLE, { snapshot: null, snapshotIsEmpty: true });
    expect(onSnapshots([...own, empty], [])).toMatchObject({
      verdict: 'fail',
      actual: '200 without a body',
      diagnosis: { code: 'snapshot-empty' },
      evidence: ['hidden'],
    });
    expect(onSnapshots(own, [{ ...empty, scenario: 'sequence.sweep' }]).verdict).toBe('fail');
    const going = runAs('hidden', [], { snapshot: null, snapshotIsEmpty: true, problem: 'it goes on' });
    expect(onSnapshots([...own, going], []).verdict).toBe('pass');
  });

  it('is undecided without a run that ended', () => {
    expect(onSnapshots([], []).verdict).toBe('inconclusive');
    expect(onSnapshots([unfinishedRun('own', 'no')], []).verdict).toBe('inconclusive');
  });
});

describe('a snapshot beside its log', () => {
  it('is judged by what it says, whatever run and workflow it names', () => {
    expect(onSnapshots([misnamed('completed')], []).verdict).toBe('pass');
    expect(onSnapshots([misnamed('failed')], []).diagnosis?.code).toBe('snapshot-other-end');
  });

  it.each([
    ['inconclusive', 'conformance-determinism-variable-write', { a: 1 }],
    ['pass', 'conformance-determinism-variable-write', {}],
    ['pass', 'conformance-noop', { a: 1 }],
  ] as const)('is %s where %s shows %j, and no event gives a variable a value', (verdict, workflowId, variables) => {
    const run = runAs('run with variables', WHOLE, { snapshot: { workflowId, status: 'completed', variables } });
    expect(onSnapshots([run], []).verdict).toBe(verdict);
  });
});
