import { describe, expect, it } from 'vitest';
import { runCalled, say } from '../../test/recorded-runs.ts';
import { type Candidates, firstExecuted, isExecuted } from './first-executed.ts';
import type { RunObservation } from './run-observation.ts';

const DONE = runCalled('done', [say('run.started'), say('node.started', {}, 'a'), say('run.completed')]);
const REFUSED: Partial<RunObservation> = { runId: null, answered: 404, answer: null, events: [] };
const UNKNOWN = runCalled('unknown', [], { ...REFUSED, problem: 'POST /v1/runs was answered with 404' });
const STUMBLING = runCalled('stumbling', [], { ...REFUSED, answered: 500, problem: 'answered with 500' });
const BUSY = runCalled('busy', [], { ...REFUSED, answered: 503, problem: 'POST /v1/runs was answered with 503' });
const HANGING = runCalled('hanging', [say('run.started')], { problem: 'it did not end' });
const ASKING = runCalled('asking', [say('run.started'), say('interrupt.requested', {}, 'gate')]);

function failed(code: string): RunObservation {
  return runCalled(code, [say('run.started'), say('run.failed', { error: { code } })]);
}

/** The runs of candidates that are called like them; whoever is started is noted. */
function trying(runs: Readonly<Record<string, RunObservation>>, holds?: (run: RunObservation) => boolean) {
  const started: string[] = [];
  const candidates = Object.keys(runs).map((workflowId) => ({ workflowId })) as unknown as Candidates;
  const start = async ({ workflowId }: { readonly workflowId: string }): Promise<RunObservation> => {
    started.push(workflowId);
    return runs[workflowId] ?? UNKNOWN;
  };
  return { started, tried: firstExecuted(candidates, start, holds) };
}

describe('a candidate', () => {
  it.each([
    ['that completed', DONE, true],
    ['that was left at its question', ASKING, true],
    ['that failed by itself', failed('conformance_failure'), true],
    ['that is unknown', UNKNOWN, false],
    ['that was not seen to its end', HANGING, false],
    ['of an unknown kind of nodes', failed('unsupported_node_type'), false],
    ['that takes a capability', failed('capability_required'), false],
  ])('%s: executed or not', (_, run, executed) => {
    expect(isExecuted(run)).toBe(executed);
  });
});

describe('the first that was executed', () => {
  it('is the public one, and no other is started', async () => {
    const { started, tried } = trying({ theirs: DONE, ours: ASKING });
    expect(await tried).toEqual({ candidate: { workflowId: 'theirs' }, run: DONE });
    expect(started).toEqual(['theirs']);
  });

  it.each([UNKNOWN, STUMBLING, BUSY, HANGING, failed('node_module_not_found')])(
    'is the next one behind %#',
    async (run) => {
      const { started, tried } = trying({ theirs: run, ours: DONE });
      expect((await tried).candidate.workflowId).toBe('ours');
      expect(started).toEqual(['theirs', 'ours']);
    },
  );

  it('is one that really failed, whatever it shows: others would not be tried', async () => {
    const { started, tried } = trying({ theirs: failed('conformance_failure'), ours: DONE }, () => false);
    expect((await tried).candidate.workflowId).toBe('theirs');
    expect(started).toEqual(['theirs']);
  });

  it('holds what is asked for; where none does, the last stands that was executed', async () => {
    const holds = (run: RunObservation): boolean => run === ASKING;
    expect((await trying({ theirs: DONE, ours: ASKING }, holds).tried).run).toBe(ASKING);
    expect((await trying({ theirs: DONE, ours: UNKNOWN }, holds).tried).run).toBe(DONE);
    expect((await trying({ theirs: DONE, ours: DONE }, holds).tried).candidate.workflowId).toBe('ours');
  });
});

describe('where none was executed', () => {
  it.each([
    [{ theirs: UNKNOWN, ours: HANGING }, 'ours'],
    [{ theirs: HANGING, ours: UNKNOWN }, 'theirs'],
    [{ theirs: UNKNOWN, ours: BUSY }, 'ours'],
    [{ theirs: UNKNOWN, ours: UNKNOWN }, 'ours'],
  ])('the one that came furthest stands, and tells of the other (%#)', async (runs, workflowId) => {
    const { candidate, run } = await trying(runs).tried;
    expect(candidate.workflowId).toBe(workflowId);
    const other = workflowId === 'ours' ? 'theirs' : 'ours';
    expect(run.problem).toContain(`; nor ${other}: ${runs[other].problem ?? ''}`);
  });
});
