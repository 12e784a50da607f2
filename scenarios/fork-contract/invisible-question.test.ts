import { describe, expect, it } from 'vitest';
import { judged, recorded, requested, run, short } from '../../test/fork-observations.ts';
import { rowsOf } from '../shared/judge-invisible-reading.ts';
import { ANSWER, CANCEL, judgeAnswer } from './invisible-question.ts';

const NOT_FOUND = { error: 'run_not_found', message: 'There is no such run.' };

/** What another tenant is answered about the run that waits, and then its owner. */
function judge(invisible: number, owner: number) {
  const rows = rowsOf(ANSWER.kind);
  const observations = recorded(
    run('source'),
    requested(rows.invisible, 'run_a', invisible, invisible === 404 ? NOT_FOUND : {}),
    requested(rows.unknown, 'run_x', 404, NOT_FOUND),
    requested(rows.unknown, 'run_y', 404, NOT_FOUND),
    requested(rows.owner, 'run_a', owner, {}),
  );
  return judged(judgeAnswer(observations));
}

const cancelled = (row: string, status: number) =>
  requested(row, 'run_a', status, status === 404 ? NOT_FOUND : { runId: 'run_a', status: 'cancelled' });

describe("an answer to the question of another tenant's run", () => {
  it('passes where it is refused, and that of its owner taken', () => {
    expect(short(judge(404, 200))).toBe('pass');
  });

  it.each([200, 404, 409, 422])('fails where it is taken, and its owner gets %i', (owner) => {
    expect(short(judge(200, owner))).toBe('fail tenants-mixed');
  });

  it('fails where it is refused, and another tenant cancels the run', () => {
    const rows = rowsOf(CANCEL.kind);
    const seen = (status: number) => [
      cancelled(rows.invisible, status),
      cancelled(rows.unknown, 404),
      cancelled(rows.unknown, 404),
      cancelled(rows.owner, 200),
    ];
    expect(judged(judgeAnswer(recorded(run('source'), ...seen(200))))).toMatchObject({
      verdict: 'fail',
      restsOn: 'fork.invisible-run.cancel',
    });
    expect(judged(judgeAnswer(recorded(run('source'), ...seen(404)))).verdict).toBe('inconclusive');
  });

  it('is undecided where its owner cannot answer either, or there was no question', () => {
    for (const owner of [403, 404, 409, 501]) expect(judge(404, owner).verdict).toBe('inconclusive');
    expect(judge(404, 404).reason).toContain('take answers at POST /v1/runs/{runId}/interrupts/{nodeId}');
    expect(judged(judgeAnswer(recorded(run('source')))).reason).toContain('did not wait');
    expect(judged(judgeAnswer(recorded(run('source', { problem: 'no end' })))).verdict).toBe('inconclusive');
  });
});
