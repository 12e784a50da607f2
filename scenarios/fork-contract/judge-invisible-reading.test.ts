import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { answered, requested, judged, recorded, run, short, UNANSWERED } from '../../test/fork-observations.ts';
import type { RequestedObservation } from '../shared/requested.ts';
import { AGAINST, judgeInvisibleDiff, judgeInvisibleReading, OWN, rowsOf } from './invisible-readings.ts';

const NOT_FOUND = { error: 'run_not_found', message: 'There is no such run.' };

interface Recorded {
  readonly kind?: string;
  readonly owner?: number;
  readonly invisible?: RequestedObservation;
  readonly unknown?: readonly [status: number, body: Json];
}

const about = (status: number, body: Json = NOT_FOUND, kind = 'run') =>
  requested(rowsOf(kind).invisible, 'run_a', status, body);

function judge({
  kind = 'run',
  owner = 200,
  invisible = about(404, NOT_FOUND, kind),
  unknown = [404, NOT_FOUND],
}: Recorded) {
  const rows = rowsOf(kind);
  const observations = recorded(
    run('source'),
    invisible,
    requested(rows.unknown, 'run_x', ...unknown),
    requested(rows.unknown, 'run_y', ...unknown),
    requested(rows.owner, 'run_a', owner, {}),
  );
  return judged(judgeInvisibleReading(observations, kind));
}

describe("a reading of another tenant's run", () => {
  it('passes refused, and tells where the refusal is not that of an unknown run', () => {
    expect(judge({})).toMatchObject({ verdict: 'pass', evidence: ['o2', 'o3', 'o4', 'o5'] });
    expect(judge({})).not.toHaveProperty('reason');
    for (const invisible of [
      about(403),
      about(404, { ...NOT_FOUND, error: 'not_yours' }),
      about(404, { error: 'x' }),
    ]) {
      const judgement = judge({ invisible });
      expect(judgement.verdict).toBe('pass');
      expect(judgement.reason).toContain('not like a run that there is not');
    }
  });

  it('fails where it is served', () => {
    expect(short(judge({ invisible: about(200, { runId: 'run_a' }) }))).toBe('fail tenants-mixed');
    expect(short(judge({ kind: 'cancel', owner: 409, invisible: about(202, {}, 'cancel') }))).toBe(
      'fail tenants-mixed',
    );
    const page = { events: [{ runId: 'run_a' }] };
    const polled = judge({ kind: 'poll', invisible: about(200, page, 'poll'), unknown: [200, { events: [] }] });
    expect(short(polled)).toBe('fail tenants-mixed');
  });

  it('passes where unknown runs are answered with the same nothing', () => {
    const empty = { events: [], isComplete: false };
    expect(short(judge({ kind: 'poll', invisible: about(200, empty, 'poll'), unknown: [200, empty] }))).toBe('pass');
  });

  it('is undecided where the owner is answered with the same nothing', () => {
    const same = judge({ kind: 'cancel', invisible: about(200, {}, 'cancel'), unknown: [200, {}] });
    expect(same).toMatchObject({ verdict: 'inconclusive' });
    expect(same.reason).toContain('its owner and unknown runs are answered alike');
  });

  it('does not apply where the host has no such endpoint', () => {
    expect(judge({ kind: 'poll', owner: 404 }).verdict).toBe('not-applicable');
    expect(judge({ kind: 'diff', owner: 501 }).verdict).toBe('not-applicable');
    expect(judge({ kind: 'run', owner: 404 }).verdict).toBe('inconclusive');
  });

  it('is undecided where nothing can be compared', () => {
    expect(judge({ owner: 401 }).verdict).toBe('inconclusive');
    expect(judge({ kind: 'cancel', owner: 409, invisible: about(404, NOT_FOUND, 'cancel') }).verdict).toBe('pass');
    expect(judge({ unknown: [401, NOT_FOUND], invisible: about(401) }).verdict).toBe('inconclusive');
    expect(judge({ invisible: about(503) }).verdict).toBe('inconclusive');
    expect(judge({ invisible: answered(rowsOf('run').invisible, 'run_a', UNANSWERED) }).verdict).toBe('inconclusive');
    const nothing = recorded(run('source'));
    expect(judged(judgeInvisibleReading(nothing, 'run')).verdict).toBe('inconclusive');
    const unseen = recorded(run('source', { problem: 'the run has not ended' }));
    expect(judged(judgeInvisibleReading(unseen, 'run')).verdict).toBe('inconclusive');
    const stream = answered(rowsOf('events').invisible, 'run_a', {
      kind: 'answer',
      status: 200,
      body: { json: false, why: 'a stream' },
    });
    expect(judge({ kind: 'events', invisible: stream, unknown: [200, {}] }).verdict).toBe('inconclusive');
  });
});

/** What the second tenant is answered: another tenant's run first, then an own one first; `control` is the own one with itself. */
const compared = (first: number, second: number, control = 200) =>
  [
    [rowsOf('diff'), first, 200],
    [rowsOf(AGAINST), second, control],
  ] as const;

const judgeBoth = (answers: ReturnType<typeof compared>, own = run(OWN)) =>
  judged(
    judgeInvisibleDiff(
      recorded(
        run('source'),
        own,
        ...answers.flatMap(([rows, status, owner]) => [
          requested(rows.invisible, 'run_a', status, status === 200 ? { a: 'run_a', b: 'run_a' } : NOT_FOUND),
          requested(rows.unknown, 'run_x', 404, NOT_FOUND),
          requested(rows.unknown, 'run_y', 404, NOT_FOUND),
          requested(rows.owner, 'run_o', owner, {}),
        ]),
      ),
    ),
  );

describe("a comparison with another tenant's run", () => {
  it('passes where it is refused on both sides', () => {
    expect(judgeBoth(compared(404, 404))).toMatchObject({ verdict: 'pass', evidence: { length: 8 } });
  });

  it('fails where it is served on either side', () => {
    expect(short(judgeBoth(compared(200, 404)))).toBe('fail tenants-mixed');
    expect(short(judgeBoth(compared(404, 200)))).toBe('fail tenants-mixed');
  });

  it('is undecided where an own run cannot be made, or not be compared with itself', () => {
    expect(judgeBoth(compared(404, 404), run(OWN, { problem: 'refused' })).verdict).toBe('inconclusive');
    for (const control of [403, 404, 405, 501]) {
      const judgement = judgeBoth(compared(404, control, control));
      expect(judgement.verdict).toBe('inconclusive');
      expect(judgement.reason).toContain('compared with itself');
    }
  });

  it('looks at one side in evidence that has no more', () => {
    const [rows] = compared(404, 404)[0];
    const old = recorded(
      run('source'),
      requested(rows.invisible, 'run_a', 404, NOT_FOUND),
      requested(rows.unknown, 'run_x', 404, NOT_FOUND),
      requested(rows.unknown, 'run_y', 404, NOT_FOUND),
      requested(rows.owner, 'run_a', 200, {}),
    );
    expect(judged(judgeInvisibleDiff(old)).verdict).toBe('pass');
  });
});
