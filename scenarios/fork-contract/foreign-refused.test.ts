import { describe, expect, it } from 'vitest';
import { fork, judged, recorded, requested, run, short, UNANSWERED, answered } from '../../test/fork-observations.ts';
import { judgeRefusedForeign, rowsWith, WHATS } from './foreign-refused.ts';

const NOT_FOUND = { error: 'run_not_found', message: 'There is no such run.' };
const REFUSED = { error: 'validation_error', message: 'No.' };

function answer(row: string, name: string, status: number) {
  return requested(row, name, status, status === 404 ? NOT_FOUND : REFUSED);
}

/** What the second tenant is answered to wrong requests: of another tenant's run, and of those that there are not. */
function judge(invisible: number, unknown: number, plain = 404) {
  const answers = WHATS.flatMap((what) => {
    const rows = rowsWith(what);
    return [
      answer(rows.invisible, 'run_a', invisible),
      answer(rows.unknown, 'run_x', unknown),
      answer(rows.unknown, 'run_y', unknown),
    ];
  });
  const plainly = [
    answer('invisible', 'run_a', plain),
    answer('unknown', 'run_x', 404),
    answer('unknown', 'run_y', 404),
  ];
  const observations = recorded(run('source'), fork('owner', 'run_b'), ...plainly, ...answers);
  return judged(judgeRefusedForeign(observations, 'fork.invisible-run', 'owner'));
}

describe('a request that is wrong in itself', () => {
  it.each([404, 400, 422])('passes where another tenant’s run and none are answered %i alike', (status) => {
    expect(judge(status, status)).toMatchObject({ verdict: 'pass' });
  });

  it('fails where it tells one from the other', () => {
    expect(short(judge(422, 404))).toBe('fail existence-revealed');
    expect(short(judge(404, 400))).toBe('fail existence-revealed');
  });

  it('rests on the row about forks that are not wrong, where that fails as well', () => {
    expect(judge(422, 404, 403)).toMatchObject({ restsOn: 'fork.invisible-run' });
  });

  it('is undecided without the requests, or their answers', () => {
    const plainly = [
      answer('invisible', 'run_a', 404),
      answer('unknown', 'run_x', 404),
      answer('unknown', 'run_y', 404),
    ];
    const rows = rowsWith(WHATS[0] ?? '');
    const unanswered = [
      answered(rows.invisible, 'run_a', UNANSWERED),
      answer(rows.unknown, 'run_x', 404),
      answer(rows.unknown, 'run_y', 404),
    ];
    for (const more of [[], unanswered]) {
      const observations = recorded(run('source'), fork('owner', 'run_b'), ...plainly, ...more);
      expect(judged(judgeRefusedForeign(observations, 'fork.invisible-run', 'owner')).verdict).toBe('inconclusive');
    }
  });
});
