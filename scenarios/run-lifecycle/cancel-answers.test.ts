import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { LOG, recorded, requested, run, short } from '../../test/fork-observations.ts';
import { CANCEL_ENDED } from '../shared/cancel.ts';
import { cancelledOtherwise } from './cancel-answers.ts';
import { CANCEL } from './waiting.ts';

/** What is said of the answer to the cancellation of a run whose log ends with run.completed. */
function judged(row: string, status: number, body: Json): string {
  const cancelled = { ...requested(row, 'a cancellation', status, body), sent: 'POST /v1/runs/run_a/cancel' };
  const ended = { ...run('run'), runId: 'run_a', events: LOG };
  const everything = recorded(ended, cancelled).map((each) => ({ ...each, scenario: 'sequence.readings' }));
  const outcome = cancelledOtherwise(everything);
  return outcome === undefined ? 'nothing' : short(judgementOf('c', outcome));
}

describe('the answer to a cancellation that any scenario sent', () => {
  it('names the run that was to be cancelled, if one', () => {
    for (const row of [CANCEL, CANCEL_ENDED]) {
      expect(judged(row, 200, { runId: 'run_a', status: 'completed' })).toBe('nothing');
      expect(judged(row, 202, {})).toBe('nothing');
      expect(judged(row, 409, { runId: 'run_b' })).toBe('nothing');
      expect(judged(row, 200, { runId: 'run_b', status: 'completed' })).toBe('fail cancel-untrue');
    }
  });

  it('says no other end of a run that had come to one', () => {
    expect(judged(CANCEL_ENDED, 200, { runId: 'run_a', status: 'cancelled' })).toBe('fail cancel-untrue');
    expect(judged(CANCEL_ENDED, 200, { runId: 'run_a', status: 'cancelling' })).toBe('nothing');
    expect(judged(CANCEL, 200, { runId: 'run_a', status: 'cancelled' })).toBe('nothing');
  });
});
