import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { recordedRun, replayOf } from '../../test/recorded-runs.ts';
import { foundationBrokenBy, undrivenText, unobservedText } from './unobserved.ts';

const END = [{ eventId: 'e', runId: 'r', type: 'run.failed', sequence: 4, payload: {}, timestamp: 't' }];
const source = recordedRun('r', { role: 'source', workflowId: 'w' });

describe('unobservedText', () => {
  it.each([
    [
      'a run that was refused',
      { runId: null, answered: 404, problem: 'POST /v1/runs was answered with 404' },
      'the source was not made: POST /v1/runs was answered with 404; POST /v1/runs has to take w',
    ],
    [
      'a fork that was refused',
      { runId: null, answered: 403, problem: 'it was answered with 403', fork: replayOf(source, 2).fork },
      'the source was not made: it was answered with 403; expected 201 with a runId',
    ],
    [
      'a fork that was not requested',
      { runId: null, answered: null, problem: 'its source was not seen: x', fork: replayOf(source, 2).fork },
      'the source was not made: its source was not seen: x',
    ],
    [
      'a run whose log shows an end that says nothing',
      { events: END, problem: 'the fixture was not executed' },
      'the source r of w came to the end failed and cannot be judged: the fixture was not executed',
    ],
  ])('says of %s what came and what was expected', (_, more, text) => {
    expect(unobservedText({ ...source, ...more })).toBe(text);
  });

  it('names what a run was waited for, and where it is looked for', () => {
    const open = { ...source, events: [], problem: 'the log has no terminal event yet' };
    expect(unobservedText(open, 'its question')).toMatch(
      /^the source r of w did not show its question: the log has no terminal event yet; GET .* has to show it/u,
    );
    expect(unobservedText({ ...open, problem: 'its question could not be answered' })).toMatch(
      /answered; POST .*interrupts\/\{nodeId\} has to take an answer$/u,
    );
  });
});

describe('undrivenText', () => {
  it('names the run, and how far the last one before it came', () => {
    expect(undrivenText('replay')).toContain('the replay was not driven: no run was recorded before it');
    expect(undrivenText('replay', [{ ...source, events: END }])).toContain('is the source r, which came to failed');
    expect(undrivenText('replay', [{ ...source, events: [] }])).toContain('which came to no end');
    expect(undrivenText('replay', [{ ...source, problem: 'nothing' }])).toContain('which came to nothing');
  });
});

function event(sequence: Json, type = 'node.started'): Json {
  return { eventId: 'e', type, sequence, payload: {} };
}

const ENDED = { status: 'completed' };
const problem = 'it was not followed';

describe('a run that was not followed to its end', () => {
  it.each<readonly [on: string | undefined, events: readonly Json[], snapshot: Json]>([
    ['sequence.monotonic', [event(0), event(1.5)], null],
    ['sequence.monotonic', [event('0')], ENDED],
    ['sequence.monotonic', [event(-1)], null],
    ['sequence.single-terminal-event', [event(0), event(1)], ENDED],
    [undefined, [event(0), event(1)], { status: 'running' }],
    [undefined, [event(0), event(1)], null],
    [undefined, [event(0), event(1, 'run.completed')], ENDED],
    ['run.created', [], ENDED],
    [undefined, [], { status: 'running' }],
    ['schema.run-event', [event(0), { type: 'node.started', sequence: 1, payload: {} }], null],
    ['schema.run-event', [{ eventId: 'e', type: 7, sequence: 1 }], ENDED],
    [undefined, ['no event'], null],
  ])('rests on %s', (on, events, snapshot) => {
    expect(foundationBrokenBy({ problem, events, snapshot })).toBe(on);
    expect(foundationBrokenBy({ problem: null, events, snapshot })).toBeUndefined();
  });
});
