import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { observed, type Said, runCalled, unfinished, verdictOf } from '../../test/recorded-runs.ts';
import { workers } from './workers.ts';

type AnyRecorded = Recorded<Observation>;

const started: Said = ['tool_invocation_started', { idempotency_key: 'k' }, 'charge'];
const finished: Said = ['tool_invocation_finished', { idempotency_key: 'k', outcome: 'success' }, 'charge'];
const whole: readonly Said[] = [
  ['run.started'],
  started,
  finished,
  ['command_committed', {}, 'charge'],
  ['run.completed'],
];
const cut: readonly Said[] = [['run.started'], started, finished, ['run.failed']];

interface Driven {
  readonly told?: readonly Said[];
  readonly calls?: number;
  readonly answer?: Json;
  readonly decisions?: readonly string[] | null;
  /** Whose decisions they are; each another one's where absent. */
  readonly attempts?: readonly string[];
  readonly unseen?: boolean;
}

function driven(
  index: number,
  { told = whole, calls = 1, answer = { nonce: 'n' }, decisions, attempts, unseen = false }: Driven,
): readonly AnyRecorded[] {
  const role = `run ${index}`;
  const run = runCalled(`r${index}`, told, { role });
  const made = Array.from({ length: calls }, () => ({ kind: 'effect', name: 'charge', idempotencyKey: null, answer }));
  const names = decisions === undefined ? ['AllowExecute', 'WaitOtherWorker'] : decisions;
  const list =
    names?.map((decision, place) => ({ nodeId: 'charge', attempt: attempts?.[place] ?? `${place + 1}`, decision })) ??
    null;
  return [
    unseen ? unfinished(run) : run,
    observed(`c${index}`, 'calls', { after: role, url: 'http://witness/w/t', calls: made }),
    observed(`d${index}`, 'decisions', { of: role, decisions: list }),
  ];
}

function judged(...runs: readonly Driven[]): string {
  return verdictOf(
    workers,
    'once.single-owner',
    runs.flatMap((run, index) => driven(index, run)),
  );
}

describe('two workers', () => {
  it('pass where one executes and the other does not', () => {
    expect(judged({}, {})).toBe('pass');
    expect(judged({ decisions: ['allow_execute', 'WaitOtherWorker', 'WaitOtherWorker', 'ReturnRecordedResult'] })).toBe(
      'pass',
    );
    expect(judged({ decisions: ['Rejected', 'AllowExecute'] })).toBe('pass');
  });

  it('pass where some runs had only one worker at the call', () => {
    expect(judged({}, { decisions: ['AllowExecute'] })).toBe('pass');
  });

  it('fail with a second call, seen to the end or not, with the seam or not', () => {
    expect(judged({}, { calls: 2 })).toBe('fail duplicate-call');
    expect(judged({ calls: 2, decisions: null })).toBe('fail duplicate-call');
    expect(judged({ calls: 2, unseen: true })).toBe('fail duplicate-call');
  });

  it('fail with two owners', () => {
    expect(judged({}, { decisions: ['AllowExecute', 'AllowExecute'] })).toBe('fail two-owners');
    const twice = ['AllowExecute', 'AllowExecute', 'WaitOtherWorker'];
    expect(judged({}, { decisions: twice, attempts: ['1', '1', '2'] })).toBe('pass');
    expect(judged({ decisions: twice, attempts: ['', '', ''] })).toBe('inconclusive');
  });

  it('fail where both write', () => {
    expect(judged({ told: [['run.started'], started, started, finished, ['run.completed']] })).toBe(
      'fail written-twice',
    );
    expect(judged({ told: [['run.started'], started, finished, finished, ['run.completed']], decisions: null })).toBe(
      'fail written-twice',
    );
  });

  it('fail where the run does not complete, unless the host gave up waiting for the tool', () => {
    expect(judged({ told: cut })).toBe('fail not-completed');
    expect(judged({ told: cut, answer: null })).toBe('inconclusive');
  });

  it('say nothing where it is not known that there were two', () => {
    expect(judged({ decisions: null })).toBe('inconclusive');
    expect(judged({ decisions: ['AllowExecute'] }, { decisions: [] })).toBe('inconclusive');
    expect(judged({ decisions: ['WaitOtherWorker'] })).toBe('inconclusive');
    expect(judged({ decisions: ['AllowExecute', 'SomethingElse'] })).toBe('inconclusive');
  });

  it('say nothing where no run was driven, nobody was called or a run was not seen', () => {
    expect(judged()).toBe('inconclusive');
    expect(judged({ calls: 0 })).toBe('inconclusive');
    expect(judged({}, { unseen: true })).toBe('inconclusive');
    expect(verdictOf(workers, 'once.single-owner', driven(0, {}).slice(0, 1))).toBe('inconclusive');
  });
});
