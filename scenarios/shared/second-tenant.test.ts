import { describe, expect, it } from 'vitest';
import { fail, pass, undecided } from '../../src/contract/outcome.ts';
import { judged, recorded, run } from '../../test/fork-observations.ts';
import { OWN, whereServed } from './second-tenant.ts';

const REFUSED = run(OWN, { runId: null, answered: 500, problem: 'POST /v1/runs: 500', snapshot: null, events: [] });
const UNREAD = run(OWN, { problem: 'GET /v1/runs/run_a: 404', snapshot: null, events: [] });

const said = (...own: readonly ReturnType<typeof run>[]) =>
  judged(whereServed(() => pass(['o1']))(recorded(run('source'), ...own)));

describe('what the second tenant is refused', () => {
  it('passes where that tenant is served a run of its own, and in evidence that has none', () => {
    expect(said(run(OWN)).verdict).toBe('pass');
    expect(said(run(OWN, { problem: 'no end' })).verdict).toBe('pass');
    expect(said().verdict).toBe('pass');
  });

  it.each([
    [REFUSED, 'also to make a run of its own (POST /v1/runs: 500)'],
    [UNREAD, 'cannot read it (GET /v1/runs/run_a: 404)'],
  ])('is undecided where it is not', (own, reason) => {
    for (const outcome of [pass(['o1']), undecided('500', ['o1'])]) {
      const judgement = judged(whereServed(() => outcome)(recorded(run('source'), own)));
      expect(judgement).toMatchObject({ verdict: 'inconclusive', evidence: ['o2'] });
      expect(judgement.reason).toContain(reason);
    }
  });

  it('is no matter of its credential where nobody can read a run', () => {
    const unread = run('source', { snapshot: null });
    const judgement = judged(whereServed(() => pass(['o1']))(recorded(unread, UNREAD)));
    expect(judgement).toMatchObject({ verdict: 'inconclusive', restsOn: 'run.created' });
    expect(judgement.reason).toMatch(/cannot read it .*as nobody can$/u);
  });

  it('fails all the same where it is served', () => {
    const served = fail({ expected: '404', actual: '200', diagnosis: { code: 'code', message: 'why' } }, ['o1']);
    expect(judged(whereServed(() => served)(recorded(run('source'), REFUSED))).verdict).toBe('fail');
  });
});
