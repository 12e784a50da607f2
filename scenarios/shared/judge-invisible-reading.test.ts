import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { answered, requested, judged, recorded, run, short, UNANSWERED } from '../../test/fork-observations.ts';
import { judgeInvisibleReading, rowsOf, type Judged } from './judge-invisible-reading.ts';
import type { RequestedObservation } from './requested.ts';

const NOT_FOUND = { error: 'run_not_found', message: 'There is no such run.' };

/** What is particular of some kinds of request. */
const PARTICULAR: Readonly<Record<string, Partial<Judged>>> = {
  run: { isEverywhere: true },
  cancel: { refusals: [409] },
  answer: { spent: [409] },
};

const judgedKind = (kind: string): Judged => ({ kind, ...PARTICULAR[kind] });

interface Recorded {
  readonly kind?: string;
  readonly owner?: number;
  readonly invisible?: RequestedObservation;
  readonly unknown?: readonly [status: number, body: Json];
  /** What the second tenant is answered about a run of its own. */
  readonly own?: number;
}

const about = (status: number, body: Json = NOT_FOUND, kind = 'run') =>
  requested(rowsOf(kind).invisible, 'run_a', status, body);

function judge({
  kind = 'run',
  owner = 200,
  invisible = about(404, NOT_FOUND, kind),
  unknown = [404, NOT_FOUND],
  own,
}: Recorded) {
  const rows = rowsOf(kind);
  const observations = recorded(
    run('source'),
    invisible,
    requested(rows.unknown, 'run_x', ...unknown),
    requested(rows.unknown, 'run_y', ...unknown),
    requested(rows.owner, 'run_a', owner, {}),
    ...(own === undefined ? [] : [requested(rows.own, 'run_o', own, {})]),
  );
  return judged(judgeInvisibleReading(observations, judgedKind(kind)));
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

  it('is undecided where the second tenant is refused it for a run of its own, too', () => {
    expect(judge({ kind: 'cancel', own: 404 })).toMatchObject({
      verdict: 'inconclusive',
      reason: expect.stringContaining('let the second tenant do so with its own runs') as string,
    });
    expect(judge({ kind: 'cancel', own: 409 }).verdict).toBe('pass');
    expect(judge({ kind: 'cancel', own: 200 }).verdict).toBe('pass');
    expect(short(judge({ kind: 'cancel', invisible: about(202, {}, 'cancel'), own: 404 }))).toBe('fail tenants-mixed');
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

  it('fails where the refusal is the one that its owner gets, for how the run is', () => {
    expect(short(judge({ kind: 'cancel', owner: 409, invisible: about(409, {}, 'cancel') }))).toBe(
      'fail tenants-mixed',
    );
    const foreign = about(403, NOT_FOUND, 'cancel');
    expect(judge({ kind: 'cancel', owner: 409, invisible: foreign }).verdict).toBe('pass');
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

  it('is undecided where the host stumbles over it', () => {
    const stumbled = judge({ invisible: about(500, {}), unknown: [500, {}] });
    expect(stumbled.reason).toContain('no refusal');
    expect(stumbled.verdict).toBe('inconclusive');
  });

  it('does not apply where the host has no such endpoint', () => {
    expect(judge({ kind: 'poll', owner: 404 }).verdict).toBe('not-applicable');
    expect(judge({ kind: 'diff', owner: 501 }).verdict).toBe('not-applicable');
    expect(judge({ kind: 'run', owner: 404 }).verdict).toBe('inconclusive');
    const alone = recorded(run('source'), requested(rowsOf('annotate').owner, 'run_a', 501));
    expect(judged(judgeInvisibleReading(alone, judgedKind('annotate'))).verdict).toBe('not-applicable');
  });

  it('takes what can be done once as done by whom it was accepted of', () => {
    const taken = judge({ kind: 'answer', owner: 409, invisible: about(200, {}, 'answer') });
    expect(short(taken)).toBe('fail tenants-mixed');
    expect(judge({ kind: 'answer', owner: 409, invisible: about(404, NOT_FOUND, 'answer') }).verdict).toBe(
      'inconclusive',
    );
  });

  it('is undecided where nothing can be compared', () => {
    expect(judge({ owner: 401 }).verdict).toBe('inconclusive');
    expect(judge({ kind: 'cancel', owner: 409, invisible: about(404, NOT_FOUND, 'cancel') }).verdict).toBe('pass');
    expect(judge({ unknown: [401, NOT_FOUND], invisible: about(401) }).verdict).toBe('inconclusive');
    expect(judge({ invisible: about(503) }).verdict).toBe('inconclusive');
    expect(judge({ invisible: answered(rowsOf('run').invisible, 'run_a', UNANSWERED) }).verdict).toBe('inconclusive');
    const nothing = recorded(run('source'));
    expect(judged(judgeInvisibleReading(nothing, judgedKind('run'))).verdict).toBe('inconclusive');
    const unseen = recorded(run('source', { problem: 'the run has not ended' }));
    expect(judged(judgeInvisibleReading(unseen, judgedKind('run'))).verdict).toBe('inconclusive');
    const stream = answered(rowsOf('events').invisible, 'run_a', {
      kind: 'answer',
      status: 200,
      body: { json: false, why: 'a stream' },
    });
    expect(judge({ kind: 'events', invisible: stream, unknown: [200, {}] }).verdict).toBe('inconclusive');
  });
});
