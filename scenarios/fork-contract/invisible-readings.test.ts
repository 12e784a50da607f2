import { describe, expect, it } from 'vitest';
import { judged, recorded, requested, run, short } from '../../test/fork-observations.ts';
import { OPTIONS, verdictOf } from '../../test/recorded-runs.ts';
import type { RequestedObservation } from '../shared/requested.ts';
import { rowsOf } from '../shared/judge-invisible-reading.ts';
import { OWN } from '../shared/second-tenant.ts';
import { AGAINST, AGAINST_OWN, invisibleReadings, judgeInvisibleDiff, STREAMS } from './invisible-readings.ts';

const NOT_FOUND = { error: 'run_not_found', message: 'There is no such run.' };

/** What the second tenant is answered: another tenant's run first, then an own one first, then second; `control` is the own one with itself. */
const compared = (first: number, second: number, control = 200, third = 404) =>
  [
    [rowsOf('diff'), first, 200],
    [rowsOf(AGAINST.kind), second, control],
    [rowsOf(AGAINST_OWN.kind), third, control],
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
    expect(judgeBoth(compared(404, 404))).toMatchObject({ verdict: 'pass', evidence: { length: 12 } });
  });

  it('fails where it is served on either side', () => {
    expect(short(judgeBoth(compared(200, 404)))).toBe('fail tenants-mixed');
    expect(short(judgeBoth(compared(404, 200)))).toBe('fail tenants-mixed');
    expect(short(judgeBoth(compared(404, 404, 200, 200)))).toBe('fail tenants-mixed');
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

/** What another tenant is answered to the reading of the whole log, and of a part. */
function judgedPart(whole: number, part: number) {
  const answers = [['events', whole] as const, ['events.resumed', part] as const].flatMap(([kind, status]) => {
    const rows = rowsOf(kind);
    return [
      requested(rows.owner, 'run_a', 200, {}),
      requested(rows.invisible, 'run_a', status, status === 200 ? { events: [] } : NOT_FOUND),
      requested(rows.unknown, 'run_x', 404, NOT_FOUND),
      requested(rows.unknown, 'run_y', 404, NOT_FOUND),
    ];
  });
  const judgements = invisibleReadings.judge(recorded(run('source'), ...answers), OPTIONS);
  return judgements.find(({ check }) => check === 'fork.invisible-run.events.resumed');
}

describe('readings of a log from one of its events on', () => {
  it('fail for themselves, and rest on the whole log where that is served as well', () => {
    expect(judgedPart(404, 404)).toMatchObject({ verdict: 'pass' });
    expect(judgedPart(404, 200)).toMatchObject({ verdict: 'fail' });
    expect(judgedPart(404, 200)).not.toHaveProperty('restsOn');
    expect(judgedPart(200, 200)).toMatchObject({ restsOn: 'fork.invisible-run.events' });
  });
});

const answersTo = (kind: string, status: number, isAsked = true) => {
  const rows = rowsOf(kind);
  const invisible = requested(rows.invisible, 'run_a', status, status === 200 ? { events: [] } : NOT_FOUND);
  if (!isAsked) return [invisible];
  return [
    invisible,
    requested(rows.unknown, 'run_x', 404, NOT_FOUND),
    requested(rows.unknown, 'run_y', 404, NOT_FOUND),
    requested(rows.owner, 'run_a', 200, {}),
  ];
};

const judgedStream = (...stream: readonly RequestedObservation[]): string =>
  verdictOf(
    invisibleReadings,
    'fork.invisible-run.events',
    recorded(run('source'), ...answersTo('events', 404), ...stream),
  );

describe('the log in another stream mode', () => {
  it('is a log that another tenant is refused', () => {
    expect(judgedStream()).toBe('pass');
    expect(STREAMS).toHaveLength(3);
    for (const { kind } of STREAMS) {
      expect(judgedStream(...answersTo(kind, 404, false))).toBe('pass');
      expect(judgedStream(...answersTo(kind, 200))).toBe('fail tenants-mixed');
    }
  });
});

describe('a tenant to whom a run that there is not is forbidden', () => {
  const answers = ['run', 'cancel'].flatMap((kind) => {
    const rows = rowsOf(kind);
    return [rows.invisible, rows.unknown, rows.unknown]
      .map((row) => requested(row, 'run_x', 403, { error: 'forbidden', message: 'No.' }))
      .concat(requested(rows.owner, 'run_a', 200, {}));
  });
  const judgedFor = (own = run(OWN)) =>
    invisibleReadings
      .judge(recorded(run('source'), own, ...answers), OPTIONS)
      .filter(({ check }) => /\.(?:run|cancel)$/u.test(check))
      .map(short);

  it('reads its own runs, so that its readings of others are refused for what they are', () => {
    expect(judgedFor()).toEqual(['pass', 'inconclusive']);
    expect(judgedFor(run(OWN, { problem: 'refused' }))).toEqual(['inconclusive', 'inconclusive']);
  });
});
