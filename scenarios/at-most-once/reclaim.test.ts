import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded, Scenario } from '../../src/runner/scenario.ts';
import { observed, OPTIONS, type Said, runCalled, verdictOf } from '../../test/recorded-runs.ts';
import { FIRST, SECOND } from './fixtures.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { cutsBetween, reclaim } from './reclaim.ts';
import type { ReclaimObservation } from './reclaim-judges.ts';

const ATTEMPT = 'once.external-key.reclaim';
const KEYS = 'once.idempotency-key.retry';

type Tool = typeof FIRST;

const keyOf = ({ nodeId, toolName, args }: Tool): string =>
  idempotencyKey({ runId: 'r', nodeId, toolName, args }) ?? '';

function call({ effect }: Tool, key: string | null) {
  return { kind: 'effect', name: effect, idempotencyKey: key, answer: { nonce: effect } };
}

const first = call(FIRST, 'aetheris:r:first:1');
const second = call(SECOND, 'aetheris:r:second:2');

function logged(...calls: readonly (readonly [Tool, string])[]): ReturnType<typeof runCalled>['events'] {
  const steps = calls.map(([{ nodeId }, key]): Said => ['tool_invocation_started', { idempotency_key: key }, nodeId]);
  return runCalled('r', [['run.started'], ...steps]).events;
}

/** A log whose keys are made of the ids of steps. */
function stepped(...calls: readonly (readonly [Tool, string])[]): ReturnType<typeof runCalled>['events'] {
  const steps = calls.map(([tool, stepId]): Said => {
    const payload = { idempotency_key: keyOf({ ...tool, nodeId: stepId }), step_id: stepId };
    return ['tool_invocation_started', payload, tool.nodeId];
  });
  return runCalled('r', [['run.started'], ...steps]).events;
}

/** A log whose starts of the two tools say so of their claims. */
function claimed(one: Json, other: Json): ReturnType<typeof runCalled>['events'] {
  const start = 'tool_invocation_started';
  return runCalled('r', [
    [start, one, FIRST.nodeId],
    [start, other, SECOND.nodeId],
  ]).events;
}

const RIGHT: Omit<ReclaimObservation, 'type' | 'exchanges'> = {
  cut: 'before-acquire@2',
  by: 'name',
  runId: 'r',
  problem: null,
  died: true,
  before: logged([FIRST, keyOf(FIRST)]),
  callsAtDeath: [first],
  events: logged([FIRST, keyOf(FIRST)], [SECOND, keyOf(SECOND)]),
  snapshot: { status: 'completed' },
  calls: [first, second],
};

function tried(change: Partial<ReclaimObservation>, id = 'o1'): Recorded<Observation> {
  return observed(id, 'reclaim', { ...RIGHT, ...change });
}

/** The decision that lets a tool be executed, of this attempt. */
function by(claim: Json, { nodeId } = SECOND): readonly Json[] {
  return [{ nodeId, attempt: claim, decision: 'AllowExecute' }];
}

function attempt(...tries: readonly Partial<ReclaimObservation>[]): string {
  return verdictOf(
    reclaim,
    ATTEMPT,
    tries.map((each, index) => tried(each, `o${index}`)),
  );
}

function keys(...tries: readonly Partial<ReclaimObservation>[]): string {
  return verdictOf(
    reclaim,
    KEYS,
    tries.map((each, index) => tried(each, `o${index}`)),
  );
}

describe('cutsBetween', () => {
  it('begins with what lies before the second claim, whatever it is called', () => {
    expect(cutsBetween(['before-execute', 'after-ledger-commit', 'before-acquire', 'before-put-effect'])).toEqual([
      { name: 'before-acquire', hit: 2 },
      { name: 'after-ledger-commit', hit: 1 },
      { name: 'before-execute', hit: 2 },
    ]);
    expect(cutsBetween(['Acquire.Before', 'tool_call:before'])).toEqual([
      { name: 'Acquire.Before', hit: 2 },
      { name: 'tool_call:before', hit: 2 },
    ]);
    expect(cutsBetween(['somewhere', 'before-append-event'])).toEqual([]);
  });
});

describe('a second call after a death', () => {
  it('passes under another attempt', () => {
    expect(attempt({})).toBe('pass');
    expect(attempt({ callsAtDeath: [], calls: [first, second] }, {})).toBe('pass');
  });

  it('fails under the attempt of the dead worker, where the host shows that the run was claimed anew', () => {
    const kept = { calls: [first, call(SECOND, 'aetheris:r:second:1')] };
    expect(attempt({ ...kept, events: claimed({ attempt_id: '1' }, { attempt_id: '2' }) })).toBe('fail attempt-kept');
    expect(attempt({ ...kept, events: claimed({}, { attempt_id: '2' }) })).toBe('fail attempt-kept');
    expect(attempt({ ...kept, events: claimed({ worker_id: 'a' }, { workerId: 'b' }) })).toBe('fail attempt-kept');
  });

  it('fails so as well where the decisions alone show it', () => {
    const kept = { calls: [first, call(SECOND, 'aetheris:r:second:1')], events: RIGHT.events };
    const decided = by(0, FIRST);
    expect(attempt({ ...kept, decided, decidedAfter: by(1) })).toBe('fail attempt-kept');
    for (const decidedAfter of [null, [], by(0), by('0'), by(1, FIRST), by(null)]) {
      expect(attempt({ ...kept, decided, decidedAfter })).toBe('inconclusive');
    }
    expect(attempt({ ...kept, decided: null, decidedAfter: by(2) })).toBe('inconclusive');
    const waited = [{ nodeId: SECOND.nodeId, attempt: 2, decision: 'WaitOtherWorker' }];
    expect(attempt({ ...kept, decided, decidedAfter: waited })).toBe('inconclusive');
  });

  it('may keep the attempt of a claim that its worker resumes', () => {
    const kept = { calls: [first, call(SECOND, 'aetheris:r:second:1')] };
    const own = { attempt_id: '1', worker_id: 'a' };
    for (const events of [
      RIGHT.events,
      claimed(own, own),
      claimed({}, own),
      claimed({ attempt_id: 7 }, { attempt_id: '7' }),
    ]) {
      expect(attempt({ ...kept, events })).toBe('inconclusive');
      expect(reasons({ ...kept, events })[0]).toMatch(/no reclaim is shown.*give attempt_id and worker_id/u);
    }
  });

  it('fails where a tool is called again, wherever the death lay', () => {
    expect(attempt({ calls: [first, first, second] })).toBe('fail duplicate-call');
    expect(attempt({ calls: [first, second, second] })).toBe('fail duplicate-call');
    expect(attempt({ calls: [first, first] }, {})).toBe('fail duplicate-call');
    const scenario: Scenario = reclaim;
    const judgements = scenario.judge([tried({ calls: [first, first, second] })], OPTIONS);
    expect(judgements.find(({ check }) => check === ATTEMPT)?.restsOn).toBe('once.committed');
  });

  it('may keep the attempt 0, which is that of no claim, where no claim is shown', () => {
    const [own, other] = [call(FIRST, 'aetheris:r:first:0'), call(SECOND, 'aetheris:r:second:0')];
    const unclaimed = { callsAtDeath: [own], calls: [own, other] };
    expect(attempt(unclaimed)).toBe('inconclusive');
    expect(attempt({ ...unclaimed, events: claimed({}, { attempt_id: '2' }) })).toBe('fail attempt-kept');
  });

  it('says nothing where no death lay between the calls, or the run was ended in doubt', () => {
    for (const judged of [attempt, keys]) {
      expect(judged()).toBe('inconclusive');
      expect(judged({ died: false, problem: 'the host did not die' })).toBe('inconclusive');
      expect(judged({ callsAtDeath: [] })).toBe('inconclusive');
      expect(judged({ callsAtDeath: [first, second] })).toBe('inconclusive');
      expect(judged({ calls: [first] })).toBe('inconclusive');
      expect(judged({ problem: 'the run was left patience' })).toBe('inconclusive');
    }
  });

  it('leaves keys of another form to another check', () => {
    expect(attempt({ calls: [call(FIRST, null), second], callsAtDeath: [call(FIRST, null)] })).toBe('inconclusive');
    expect(attempt({ calls: [first, call(SECOND, 'other')] })).toBe('inconclusive');
  });
});

function reasons(change: Partial<ReclaimObservation>): readonly (string | undefined)[] {
  const scenario: Scenario = reclaim;
  return scenario.judge([tried(change)], OPTIONS).map(({ reason }) => reason);
}

describe('a place that was found by trial', () => {
  it('is named as such, whatever the verdict', () => {
    const vain = 'no death lay behind the call of the second tool: expose a failpoint between the tool and PutEffect';
    expect(reasons({})).toEqual([
      'with a death at before-acquire@2',
      `${vain}, such as after-execute`,
      'with a death at before-acquire@2',
    ]);
    for (const reason of [...reasons({ by: 'trial' }), ...reasons({ by: 'trial', callsAtDeath: [] })]) {
      expect(reason).toMatch(/names of the failpoints are not understood/u);
    }
  });
});

describe('a second tool that was called when the host died', () => {
  const SECOND_TOOL = 'once.executed-not-recorded.second-tool';
  const doubted = { cut: 'after-execute@2', callsAtDeath: [first, second], events: [], snapshot: { status: 'failed' } };
  const judge = (change: Partial<ReclaimObservation>): string =>
    verdictOf(reclaim, SECOND_TOOL, [tried({}), tried({ ...doubted, ...change }, 'o2')]);

  it('is not called again, nor is the first', () => {
    expect(judge({})).toBe('pass');
    expect(judge({ calls: [first, second, second] })).toBe('fail duplicate-call');
    expect(judge({ calls: [first, second, first], problem: 'the run was left patience' })).toBe('fail duplicate-call');
  });

  it('does not complete with a made-up result', () => {
    const completed = { status: 'completed' };
    const shown = { ...completed, outputs: [FIRST.effect, SECOND.effect] };
    const judgeBeside = (control: object): string =>
      verdictOf(reclaim, SECOND_TOOL, [
        tried({ snapshot: control as typeof completed }),
        tried({ ...doubted, snapshot: completed }, 'o2'),
      ]);
    expect(judgeBeside(shown)).toBe('fail lost-result');
    expect(judgeBeside(completed)).toBe('inconclusive');
    expect(judge({ snapshot: shown })).toBe('pass');
  });

  it('is not known where nothing died there, or the run did not end', () => {
    for (const change of [{ died: false }, { callsAtDeath: [first] }, { problem: 'the run was left patience' }]) {
      expect(judge(change)).toBe('inconclusive');
    }
  });
});

describe('the keys after a death', () => {
  it('pass by the formula, seen before or not', () => {
    expect(keys({})).toBe('pass');
    expect(keys({ before: [] })).toBe('pass');
  });

  it('fail where the first tool’s key changes', () => {
    expect(keys({ before: logged([FIRST, 'a']) })).toBe('fail key-changes');
    expect(keys({ events: logged([FIRST, keyOf(FIRST)], [FIRST, 'b'], [SECOND, keyOf(SECOND)]) })).toBe(
      'fail key-changes',
    );
  });

  it('fail where a key is not by the formula', () => {
    const short = keyOf(SECOND).slice(0, 32);
    expect(keys({ events: logged([FIRST, keyOf(FIRST)], [SECOND, short]) })).toBe('fail truncated');
    expect(keys({ events: logged([FIRST, keyOf(FIRST)], [SECOND, 'b']) })).toBe('fail unknown-key');
  });

  it('may be written otherwise, and be made of steps that were shown before', () => {
    const upper = keyOf(SECOND).toUpperCase();
    expect(keys({ events: logged([FIRST, keyOf(FIRST)], [SECOND, upper]) })).toBe('pass');
    const named = { before: stepped([FIRST, 's-1']), events: stepped([FIRST, 's-1'], [SECOND, 's-2']) };
    const early = { callsAtDeath: [first, second], events: stepped([SECOND, 's-2']) };
    expect(keys(named, early)).toBe('pass');
    expect(keys(named)).toBe('inconclusive');
    expect(keys({ ...named, events: stepped([FIRST, 's-1'], [SECOND, 's-1']) })).toBe('fail unknown-key');
    expect(keys(named, { ...early, events: stepped([SECOND, 's-3']) })).toBe('inconclusive');
  });

  it('say nothing where no key shows', () => {
    expect(keys({ events: logged([FIRST, keyOf(FIRST)]) })).toBe('inconclusive');
    expect(keys({ events: [] })).toBe('inconclusive');
  });
});
