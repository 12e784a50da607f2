import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { childRun, decided, type Entry, HAPPY, handoffRun, replaced, transition } from '../../test/handoff-runs.ts';
import { HANDOFF, HANDOFF_CHILD } from './fixtures.ts';
import { happy } from './whole-paths.ts';

function judged(log: readonly Entry[]) {
  return happy.judge([handoffRun(log), childRun()], OPTIONS).find(({ check }) => check === 'handoff.payloads');
}

/** The happy path, an event of it with another payload. */
function saying(name: string, more: { readonly [name: string]: Json }): readonly Entry[] {
  const of = HAPPY.find(({ as }) => as === name);
  return replaced(HAPPY, name, { payload: { ...(of?.payload as object), ...more } });
}

/** The happy path, its events of a type with empty payloads. */
function emptied(type: string): readonly Entry[] {
  return HAPPY.map((entry) => (entry.type === type ? { ...entry, payload: {} } : entry));
}

/** What is said of the payloads, and of the chain, each with the row that it rests on. */
function open(log: readonly Entry[]) {
  const all = happy.judge([handoffRun(log), childRun()], OPTIONS);
  return ['handoff.payloads', 'handoff.causation-chain'].map((check) => {
    const { verdict, restsOn } = all.find((each) => each.check === check) ?? {};
    return [verdict, restsOn];
  });
}

function deciding(more: { readonly [name: string]: Json }) {
  return judged(saying('decision', { decision: { kind: 'next-worker', nextWorkerIds: ['the-worker'], ...more } }));
}

describe('the payloads of a handoff', () => {
  it.each<readonly [string, readonly Entry[]]>([
    ['as the documents declare them', HAPPY],
    ['the names of the child', saying('harvested', { harvestedKeys: ['childOutcome'] })],
    ['a decision of no agent', saying('decision', { agentId: null })],
    ['no keys yet where nothing is harvested', saying('completed', { harvestedKeys: [] })],
    ['no keys, and an attestation', saying('harvested', { harvestedKeys: null, attestation: { by: 'host' } })],
    ['turns that count up', replaced(saying('decision', { iteration: 1 }), 'end', turn('terminate', 2))],
    ['turns that count from 0', replaced(saying('decision', { iteration: 0 }), 'end', turn('terminate', 1))],
    ['turns that all say 1', replaced(saying('decision', { iteration: 1 }), 'end', turn('terminate', 1))],
    ['why a transition is', saying('completed', { error: null })],
    [
      'more of a decision',
      saying('decision', { decision: { kind: 'next-worker', confidence: 1, nextWorkerIds: ['the-worker'] } }),
    ],
  ])('pass with %s', (_, log) => {
    expect(judged(log)?.verdict).toBe('pass');
  });

  it('advise on a member of a decision that no document shows', () => {
    expect(deciding({ confidence: 1, reason: null })?.reason).toBeUndefined();
    expect(deciding({ zz: 1 })).toMatchObject({ verdict: 'pass', reason: expect.stringContaining('"zz"') as string });
  });

  it('advise on a decision without agentId', () => {
    const log = replaced(HAPPY, 'decision', { payload: { decision: { kind: 'next-worker' } } });
    expect(judged(log)).toMatchObject({ verdict: 'pass', reason: expect.stringContaining('/agentId') as string });
  });

  it.each([{}, { harvestedKeys: null }])('advise on a harvest with %j as its keys', (more) => {
    const log = replaced(HAPPY, 'harvested', transition('', 'output.harvested', 'completed', more));
    expect(judged(log)).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining('/harvestedKeys') as string,
    });
    expect(judged(HAPPY)?.reason).toBeUndefined();
  });

  it.each<readonly [string, readonly Entry[], string]>([
    ['a member of its own in a transition', saying('began', { attempt: 1 }), '/attempt is not declared'],
    ['one in a decision', saying('decision', { prompt: 'x' }), '/prompt is not declared'],
    ['other keys', saying('harvested', { harvestedKeys: ['parentResult', 'more'] }), '["parentResult","more"]'],
    ['keys before the harvest', saying('completed', { harvestedKeys: ['parentResult'] }), '["parentResult"]'],
    ['an attestation before it', saying('succeeded', { attestation: {} }), '{}'],
    ['another child than before', saying('completed', { childRunId: 'run-other' }), '"run-other"'],
    ['another worker than before', saying('completed', { workerId: 'another' }), '"another"'],
    ['no child behind the one that was named', saying('completed', { childRunId: null }), 'null'],
    ['its child as the parent', saying('succeeded', { parentRunId: 'child-1' }), '"child-1"'],
    ['another parent', saying('began', { parentRunId: 'run-other' }), '"run-other"'],
    [
      'another worker',
      replaced(HAPPY, 'began', transition('began', 'dispatch.began', 'decision', { workerId: 'w' })),
      '"w"',
    ],
  ])('fail with %s', (_, log, actual) => {
    expect(judged(log)).toMatchObject({ verdict: 'fail', actual: expect.stringContaining(actual) as string });
  });

  it('say nothing where no transition says its phase, or no decision its kind, and rest on the rows that say so', () => {
    const [path, loop] = ['handoff.happy-path', 'handoff.loop'];
    expect(open(emptied('core.workflowChain.event'))).toEqual([
      ['inconclusive', path],
      ['inconclusive', undefined],
    ]);
    expect(open(emptied('runOrchestrator.decided'))[0]).toEqual(['inconclusive', loop]);
    expect(open(saying('began', { phase: '' }))[0]).toEqual(['pass', undefined]);
    const misplaced = replaced(emptied('core.workflowChain.event'), 'began', { payload: { attempt: 1 } });
    expect(open(misplaced)[0]).toEqual(['fail', undefined]);
  });

  it('say nothing where there are none', () => {
    expect(judged(HAPPY.filter(({ type }) => type.startsWith('run.')))?.verdict).toBe('inconclusive');
  });
});

/** The public workflow, whose decision names these; its transitions name none. */
function naming(workers: readonly string[] | undefined, more: object = {}) {
  const log = HAPPY.map((entry) =>
    entry.type === 'core.workflowChain.event'
      ? { ...entry, payload: { ...(entry.payload as object), workerId: null } }
      : entry,
  );
  const run = handoffRun(replaced(log, 'decision', decided('decision', 'next-worker', workers)), {
    workflowId: HANDOFF,
    ...more,
  });
  return happy.judge([run, childRun()], OPTIONS).find(({ check }) => check === 'handoff.payloads');
}

describe('the workers of a decision', () => {
  it('are those of the plan, which may name their version, or none', () => {
    expect(naming([HANDOFF_CHILD])?.verdict).toBe('pass');
    expect(naming([`${HANDOFF_CHILD}@1.0.0`])?.verdict).toBe('pass');
    expect(naming(undefined)?.verdict).toBe('pass');
  });

  it.each([[[]], [['somebody-else']], [['somebody-else', 'and-another']], [[HANDOFF_CHILD, 'nobody']]])(
    'are not %j',
    (workers) => {
      expect(naming(workers)).toMatchObject({ verdict: 'fail', actual: JSON.stringify(workers) });
    },
  );

  it('say nothing of workflows whose plan is not known, as in older evidence', () => {
    expect(naming(['somebody-else'], { workflowId: undefined })?.verdict).toBe('pass');
  });
});

function turn(kind: string, iteration: number): Partial<Entry> {
  const { payload } = decided('end', kind);
  return { payload: { ...(payload as object), iteration } };
}
