import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import { OPTIONS, recordedRun } from '../../test/recorded-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { shapes } from './shapes.ts';

const QUESTION = { runId: 'r1', nodeId: 'gate', interruptId: 'i', kind: 'approval', key: 'k' };
const GIVEN = { action: 'accept', note: 'go on', sure: true };

function event(sequence: number, type: string, payload: Json): Json {
  const timestamp = '2026-01-01T00:00:00Z';
  return { eventId: `e${sequence}`, runId: 'r1', nodeId: 'gate', type, sequence, payload, timestamp };
}

/** A run whose question was resolved so. */
function resolved(payload: Json, more: Partial<RunObservation> = {}): Recorded<Observation> {
  const events = [event(0, 'interrupt.requested', QUESTION), event(1, 'interrupt.resolved', payload)];
  return recordedRun('r1', { events, snapshot: { runId: 'r1', workflowId: 'w', status: 'completed' }, ...more });
}

/** The answer that was sent to a node, and how the host took it. */
function sent(status = 200, nodeId = 'gate', runId = 'r1'): Recorded<Observation> {
  const answer = { kind: 'answer', status, body: { json: true, value: {} } };
  const about = { row: 'interrupt-answer', name: 'a', sent: `POST /v1/runs/${runId}/interrupts/${nodeId}`, runId };
  const request = JSON.stringify({ resumeValue: GIVEN });
  return { id: 'o2', type: 'asked', ...about, request, answer, exchanges: [] } as Recorded<Observation>;
}

function judged(...observations: readonly Recorded<Observation>[]): Judgement | undefined {
  const everything = observations.map((each) => ({ ...each, scenario: 'schema.wire' }));
  return shapes.judge([], OPTIONS, everything).find(({ check }) => check === 'schema.interrupt');
}

describe('the answer that an answered question shows', () => {
  it.each<readonly [string, Json]>([
    ['the one that was given', { ...QUESTION, resumeValue: GIVEN }],
    ['more than was given', { ...QUESTION, resumeValue: { ...GIVEN, by: 'someone' } }],
    ['a part of it, in other letters', { ...QUESTION, resumeValue: { action: ' ACCEPT' } }],
    ['a form of its own', { ...QUESTION, resumeValue: 'accepted' }],
    ['members of its own', { ...QUESTION, resumeValue: { decision: 'approved', action: ['accept'], sure: 'yes' } }],
    ['hidden values', { ...QUESTION, resumeValue: { action: '[redacted]', note: '****' } }],
  ])('may be %s', (_, payload) => {
    expect(judged(resolved(payload), sent())?.verdict).toBe('pass');
  });

  it.each<readonly [string, Json, string, string]>([
    ['left out', QUESTION, '/resumeValue', '/resumeValue is missing: it was answered with {"action":"accept"'],
    ['null', { ...QUESTION, resumeValue: null }, '/resumeValue', 'is null: it was answered with'],
    ['empty', { ...QUESTION, resumeValue: {} }, '/resumeValue', 'is {}: it was answered with'],
    ['another word', { ...QUESTION, resumeValue: { action: 'reject' } }, '/resumeValue/action', 'is "reject": it was'],
    ['the contrary', { ...QUESTION, resumeValue: { ...GIVEN, sure: false } }, '/resumeValue/sure', 'is false: it was'],
  ])('may not be %s', (_, payload, place, actual) => {
    expect(judged(resolved(payload), sent())).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'other-shape' },
      places: [place],
      actual: expect.stringContaining(actual) as string,
    });
  });

  it('is not looked at where none is known to have been taken, or the run is a fork', () => {
    const other = resolved({ ...QUESTION, resumeValue: { action: 'reject' } });
    expect(judged(other)?.verdict).toBe('pass');
    expect(judged(other, sent(409))?.verdict).toBe('pass');
    expect(judged(other, sent(200, 'ask'))?.verdict).toBe('pass');
    expect(judged(other, sent(200, 'gate', 'r2'))?.verdict).toBe('pass');
    const fork = { sourceRunId: 'r0', mode: 'replay', fromSeq: 0, advertised: true } as const;
    expect(judged(resolved(QUESTION, { fork }), sent())?.verdict).toBe('pass');
  });
});
