import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import { as, event, fork, recorded, run, short } from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { spanRedaction } from './span-redaction.ts';

function heard(role: string, surface: string, shows: boolean): Observation {
  const found = shows ? [{ canary: 1, spelling: 'as it is' }] : [];
  const answer = { surface, request: surface, status: 200, shows: found, marker: true, exchange: 'x1' };
  return { type: 'heard', role, answers: [answer], exchanges: ['x1'] } as Observation;
}

/** One source and its replay; whether spans of each show the secret. */
function runs(inSource: boolean, inFork: boolean): readonly Observation[] {
  const places = [{ canary: 1, place: 'there', beside: true, arrived: true }];
  return [
    run('source'),
    { type: 'planted', places, request: '[]', exchanges: [] } as Observation,
    heard('source', 'log', false),
    fork('replay', 'run_b', { events: as('run_b', [event(0, 'run.started'), event(1, 'run.completed')]) }),
    heard('spans of the source', 'span', inSource),
    heard('spans of the replay', 'span', inFork),
  ];
}

function judged(...observations: readonly Observation[]): readonly string[] {
  return spanRedaction.judge(recorded(...observations), OPTIONS).map(short);
}

describe('spans of two sources and their forks', () => {
  it('fail where those of either fork show what those of its own source hide', () => {
    expect(judged(...runs(false, false), ...runs(false, false))).toEqual(['pass']);
    expect(judged(...runs(false, true), ...runs(false, false))).toEqual(['fail shown-by-fork']);
    expect(judged(...runs(false, false), ...runs(false, true))).toEqual(['fail shown-by-fork']);
    expect(judged(...runs(true, false), ...runs(false, true))).toEqual(['fail shown-by-fork']);
    expect(judged(...runs(false, false), ...runs(true, true))).toEqual(['pass']);
  });

  it('are judged by the first where the second was not made', () => {
    expect(judged(...runs(false, false))).toEqual(['pass']);
    expect(judged(...runs(false, true))).toEqual(['fail shown-by-fork']);
    expect(judged(...runs(false, false), run('source', { runId: null, problem: 'no' }))).toEqual(['pass']);
  });
});
