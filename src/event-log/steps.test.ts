import { describe, expect, it } from 'vitest';
import { diffSteps, foldSteps, type StateStep } from './steps.ts';

type Reported = readonly [type: string, payload: unknown];

function steps(runId: string, ...told: readonly Reported[]): readonly StateStep[] {
  const folded = foldSteps(
    told.map(([type, payload], sequence) => ({ eventId: `${runId}-${sequence}`, runId, type, sequence, payload })),
  );
  if (!folded.ok) throw new Error(folded.message);
  return folded.steps;
}

const ids = { sourceRunId: 'src', replayRunId: 'rep' };
const STARTED: Reported = ['run.started', {}];
const wrote = (name: string, value: unknown): Reported => ['variable.changed', { name, value }];

describe('the steps of a log', () => {
  it('are its different states, whatever stands between', () => {
    const found = steps('src', STARTED, ['node.started', {}], wrote('a', 1), wrote('a', 1), wrote('a', 2));
    expect(found.map(({ sequence }) => sequence)).toEqual([0, 2, 4]);
  });

  it('are the same in whatever order an object has its members', () => {
    const found = steps('src', STARTED, wrote('a', { b: 1, c: 2 }), wrote('a', { c: 2, b: 1 }), wrote('a', { b: 1 }));
    expect(found.map(({ sequence }) => sequence)).toEqual([0, 1, 3]);
  });

  it('cannot be had of a log that cannot be read', () => {
    expect(foldSteps([{ type: 'run.started' }])).toMatchObject({ ok: false, at: 'event 1' });
  });
});

describe('two logs', () => {
  it('agree through other events between, and with their own run ids in values', () => {
    const replay = steps('rep', STARTED, ['vendor.note', {}], wrote('a', 'run rep'));
    expect(diffSteps(steps('src', STARTED, wrote('a', 'run src')), replay, ids)).toBeUndefined();
  });

  it('of tens of thousands of variables are compared change by change, names with their own run ids too', () => {
    const many = (run: string) => Array.from({ length: 30_000 }, (_, index) => wrote(`v${index} of run ${run}`, index));
    const [source, replay] = [steps('src', STARTED, ...many('src')), steps('rep', STARTED, ...many('rep'))];
    expect(diffSteps(source, replay, ids)).toBeUndefined();
    expect(source.at(-1)?.state.variables.size).toBe(30_000);
    expect(diffSteps(source, [...replay.slice(0, -1), ...steps('rep', wrote('w', 0))], ids)).toMatchObject({
      source: { sequence: 30_000 },
    });
  });

  it('part where the first state differs, though both end alike', () => {
    const source = steps('src', STARTED, wrote('a', 1), wrote('a', 3));
    const found = diffSteps(source, steps('rep', STARTED, wrote('a', 2), wrote('a', 3)), ids);
    expect(found).toMatchObject({
      source: { sequence: 1 },
      replay: { sequence: 1 },
      difference: { pointer: '/variables/a', source: 1, replay: 2 },
    });
  });

  it('part where one of them goes no further', () => {
    const found = diffSteps(steps('src', STARTED, wrote('a', 1)), steps('rep', STARTED), ids);
    expect(found?.source?.sequence).toBe(1);
    expect(found).not.toHaveProperty('replay');
  });
});
