import { describe, expect, it } from 'vitest';
import { readDiscovery } from '../../src/contract/discovery.ts';
import {
  judgementIn,
  refusedReplay,
  replayCalled,
  runCalled,
  say,
  unfinished,
  verdictOf,
} from '../../test/recorded-runs.ts';
import type { Json } from '../../src/evidence/types.ts';
import { ASKS_AGAIN } from '../shared/past-question.ts';
import { emptyAnswer, supervisorsQuestion } from './other-answers.ts';

const ID = 'replay.interrupt-short-circuits.empty-answer';
const source = runCalled('src', going(0));

function going(value: Json, end = 'run.completed') {
  return [say('run.started'), say('variable.changed', { name: 'approval', value }), say(end)];
}

function verdict(...replays: Parameters<typeof verdictOf>[2]): string {
  return verdictOf(emptyAnswer, ID, [source, ...replays]);
}

/** What is said where the answer to a run's question was answered so. */
function reasonWhere(answered: number): string | undefined {
  const answer = { type: 'answer', id: 'a', role: 'source', mark: '', answered, exchanges: [] } as const;
  return judgementIn(emptyAnswer, ID, [runCalled('src', [say('run.started')]), answer]).reason;
}

describe('an answer that is 0', () => {
  it('is taken by a replay as it was given', () => {
    expect(verdict(replayCalled('rep', going(0)))).toBe('pass');
    expect(verdict(replayCalled('rep', [say('run.started'), say('run.completed')]))).toBe('pass');
  });

  it('is neither asked for again nor replaced', () => {
    expect(verdict(replayCalled('rep', [], { problem: ASKS_AGAIN }))).toBe('fail asked-again');
    expect(verdict(replayCalled('rep', going(null)))).toBe('fail other-resume-value');
    expect(verdict(refusedReplay('full replay', source))).toBe('fail fork-refused');
  });

  it('need not be taken at all, and is undecided where a run was not seen', () => {
    expect(verdict()).toBe('inconclusive');
    expect(verdict(replayCalled('rep', [], { problem: 'it has not ended' }))).toBe('inconclusive');
    expect(verdict(replayCalled('rep', going(0, 'run.failed')))).toBe('inconclusive');
    const rejected = [runCalled('src', going(0, 'run.failed')), replayCalled('rep', going(0, 'run.failed'))];
    expect(verdictOf(emptyAnswer, ID, rejected)).toBe('inconclusive');
    expect(verdictOf(emptyAnswer, ID, [unfinished(source)])).toBe('inconclusive');
  });
});

it('says of an answer that was not taken whether there is a place for answers', () => {
  expect(reasonWhere(404)).toMatch(/answered 404 to the source's question: take answers at POST /u);
  expect(reasonWhere(422)).toMatch(/answered 422 .* a host need not take every answer/u);
});

describe('answers in runs of their own', () => {
  const falseSource = runCalled('src-false', going(false), { role: 'source answered with false' });
  const past = { role: 'full replay past false', of: 'src-false' };
  const of = (...replays: Parameters<typeof verdictOf>[2]): string =>
    verdict(replayCalled('rep', going(0)), falseSource, ...replays);

  it('are taken by replays as they were given', () => {
    expect(of(replayCalled('rep-false', going(false), past))).toBe('pass');
    expect(of()).toBe('pass');
  });

  it('are neither asked for again nor replaced, and the finding names the answer', () => {
    const asked = replayCalled('rep-false', [], { ...past, problem: ASKS_AGAIN });
    expect(of(asked)).toBe('fail asked-again');
    const judgement = judgementIn(emptyAnswer, ID, [source, replayCalled('rep', going(0)), falseSource, asked]);
    expect(judgement.expected).toContain('goes on with the answer false that');
    expect(of(replayCalled('rep-false', going(null), past))).toBe('fail other-resume-value');
  });

  it('are undecided where none of them was taken', () => {
    const untaken = runCalled('src-false', going(false, 'run.failed'), { role: 'source answered with false' });
    expect(verdictOf(emptyAnswer, ID, [unfinished(source), untaken])).toBe('inconclusive');
  });
});

it('what a supervisor asked is not asked again', () => {
  const id = 'replay.interrupt-short-circuits.supervisor';
  const of = (replay: Parameters<typeof verdictOf>[2][number]): string =>
    verdictOf(supervisorsQuestion, id, [source, replay]);
  expect(of(replayCalled('rep', going(0)))).toBe('pass');
  expect(of(replayCalled('rep', [], { problem: ASKS_AGAIN }))).toBe('fail asked-again');
  expect(of(replayCalled('rep', [], { problem: 'it has not ended' }))).toBe('inconclusive');
});

function gateOf(model?: unknown): boolean {
  return supervisorsQuestion.gate(readDiscovery({ multiAgent: { executionModel: model } })).open;
}

it('asks nothing of a host without the model that supervisors are of', () => {
  expect(gateOf({ supported: true, version: 1 })).toBe(true);
  expect(gateOf({ supported: false, version: 1 })).toBe(false);
  expect(gateOf()).toBe(false);
});
