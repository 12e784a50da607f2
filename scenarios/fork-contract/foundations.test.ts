import { describe, expect, it } from 'vitest';
import { replayOf, runAs, type Said, say } from '../../test/recorded-runs.ts';
import { foundations } from './foundations.ts';
import type { RunObservation } from '../shared/run-observation.ts';

const LOG: readonly Said[] = [
  say('run.started', { tags: ['a'] }),
  say('node.started', {}, 'n'),
  say('node.completed', { output: 1 }, 'n'),
  say('run.completed'),
];
const source = runAs('source', LOG);

const answering = (mode: string, fromSeq: number): RunObservation => ({
  ...runAs('replay', LOG, replayOf(source, 2)),
  answer: { mode, fromSeq },
});

const left = (check: string, run: RunObservation) =>
  foundations.find((claim) => claim.check === check)?.without?.({ ...run, id: 'o1' }, [], []);

describe('a fork that is another one by its own answer', () => {
  it('is none, for the row about such forks', () => {
    const branch = { ...answering('replay', 2), fork: { ...replayOf(source, 2).fork, mode: 'branch' as const } };
    expect(left('fork.created', answering('branch', 2))).toMatchObject({ runId: null, events: [], snapshot: null });
    expect(left('fork.created.branch', branch)).toMatchObject({ runId: null });
    expect(left('fork.created.every-sequence', answering('replay', 0))).toMatchObject({ runId: null });
  });

  it('stays as it is where the answer says what was requested, or names no mode and no start', () => {
    for (const answer of [{ mode: 'replay', fromSeq: 2 }, { mode: 'REPLAY', fromSeq: '2' }, {}, null]) {
      const run = { ...answering('replay', 2), answer };
      for (const check of ['fork.created', 'fork.created.every-sequence', 'fork.created.branch']) {
        expect(left(check, run)).toBeUndefined();
      }
    }
  });
});
