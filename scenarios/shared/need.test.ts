import { describe, expect, it } from 'vitest';
import { answeredBy } from '../../src/contract/remedy.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { leftWithout, runOf } from './need.ts';
import type { RunObservation } from './run-observation.ts';

/** What is left of a check without these runs. */
function leftOf(runs: Parameters<typeof leftWithout>[0]) {
  const left = leftWithout(runs);
  return left === undefined ? undefined : judgementOf('c', left);
}

function run(more: Partial<RunObservation>): Recorded<RunObservation> {
  const nothing = { fork: null, answered: 201, answer: null, runId: 'r', problem: null, events: [], snapshot: null };
  return { id: 'o1', type: 'run', role: 'replay', ...nothing, exchanges: ['x1'], ...more };
}

function refused(answered: number, advertised = true): Recorded<RunObservation> {
  const fork = { sourceRunId: 's', mode: 'replay', fromSeq: 2, advertised };
  return run({ fork, answered, runId: null, problem: `the request was answered with ${answered}` });
}

describe('leftWithout', () => {
  it('says nothing of runs that were seen', () => {
    expect(leftOf([run({}), run({})])).toBeUndefined();
  });

  it.each([501, 404, 405, 400, 500])('fails a refusal of an advertised mode with %d', (status) => {
    const judgement = leftOf([run({}), refused(status)]);
    expect(judgement).toMatchObject({ check: 'c', verdict: 'fail', evidence: ['o1'] });
    expect(judgement?.actual).toBe(`${status} for replay (mode replay from sequence 2 of run s)`);
  });

  it.each([
    [null, 'fork.created'],
    [0, 'fork.created'],
    [2, 'fork.created.every-sequence'],
  ])('charges the refusal of a replay from %s to %s', (fromSeq, owner) => {
    const fork = { sourceRunId: 's', mode: 'replay', fromSeq, advertised: true };
    expect(leftOf([{ ...refused(501), fork }])).toMatchObject({ verdict: 'fail', restsOn: owner });
  });

  it.each([401, 403, 429, 503])('leaves %d undecided', (status) => {
    expect(leftOf([refused(status)])?.verdict).toBe('inconclusive');
  });

  it('names the request that a gateway answered, and what to do', () => {
    const problem = answeredBy('POST /v1/runs/s:fork', 502);
    const left = leftWithout([run({ ...refused(502), problem })]);
    expect(left).toMatchObject({
      kind: 'undecided',
      reason: expect.stringContaining('POST /v1/runs/s:fork was answered with 502'),
      remedies: [{ step: 'see why a gateway answers in the place of the host, and run again' }],
    });
    expect(answeredBy('POST /v1/runs', 404)).toBe('POST /v1/runs was answered with 404');
  });

  it.each([200, 201])('leaves a fork that was accepted with %d and names no run undecided', (status) => {
    const nameless = run({ ...refused(status), problem: `the request was answered with ${status}, without a runId` });
    expect(leftOf([nameless])).toMatchObject({
      verdict: 'inconclusive',
      reason: `the replay was not made: the request was answered with ${status}, without a runId; expected 201 with a runId`,
      restsOn: 'fork.created',
    });
  });

  it('leaves a refusal of a mode that nobody advertised undecided', () => {
    expect(leftOf([refused(501, false)])?.verdict).toBe('inconclusive');
  });

  it('leaves a run that was made and not seen to its end undecided', () => {
    const judgement = leftOf([run({ problem: 'the run has not ended' })]);
    expect(judgement).toMatchObject({
      verdict: 'inconclusive',
      reason:
        'the replay r did not show its end: the run has not ended; ' +
        'GET /v1/runs/{runId}/events has to show it, and run.completed, run.failed or run.cancelled when it ends',
    });
  });

  it('names the check that says why a run could not be followed', () => {
    const events = [{ eventId: 'e', type: 'node.started', sequence: 1.5, payload: {} }];
    expect(leftOf([run({ problem: 'no number', events })])?.restsOn).toBe('sequence.monotonic');
    expect(leftOf([run({ problem: 'no run was made' })])?.restsOn).toBe('run.created');
  });

  it('leaves a run that was not driven undecided, and says which and what came before it', () => {
    expect(leftOf(['replay'])).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringMatching(/^the replay was not driven: no run was recorded before it; run it again/u),
      evidence: [],
    });
    const events = [{ eventId: 'e', runId: 'r', type: 'run.completed', sequence: 1, payload: {}, timestamp: 't' }];
    expect(leftOf([run({ role: 'source', events }), 'replay'])?.reason).toContain(
      'the last run before it is the source r, which came to completed',
    );
  });

  it('says of a run that was not seen before it says what was not driven', () => {
    expect(leftOf(['source', run({ problem: 'the run has not ended' })])?.reason).toContain(
      'the replay r did not show',
    );
  });
});

describe('runOf', () => {
  it('finds a run by its role among other observations', () => {
    const other = { ...run({ role: 'source' }), id: 'o2' };
    expect(runOf([{ id: 'o0', type: 'note', exchanges: [] }, run({}), other], 'source')?.id).toBe('o2');
    expect(runOf([run({})], 'source')).toBeUndefined();
  });
});
