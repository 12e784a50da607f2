import { expect, it } from 'vitest';
import { checkReport, GREEN, RED } from '../../test/sample-reports.ts';
import { REPORTERS } from './index.ts';
import { outcomeOf, whyOf } from './outcome.ts';

it('a failed SHOULD row is advice where only MUST rows decide, and a failure where SHOULD rows decide too', () => {
  const check = checkReport('fork.unadvertised-mode', 'fail', { level: 'SHOULD' });
  expect(outcomeOf(check, { ...GREEN, options: { level: 'must' } })).toBe('advice');
  expect(outcomeOf(check, { ...GREEN, options: { level: 'should' } })).toBe('failed');
});

/** Why one is what it is, of which something was seen and something is said. */
function why(verdict: 'fail' | 'inconclusive'): string {
  const { diagnosis: _diagnosis, ...check } = checkReport('fork.created', verdict, { actual: '500', reason: 'r' });
  return whyOf(check);
}

it('a failure is what was seen, whatever is said beside it, and what is left open is why', () => {
  expect([why('fail'), why('inconclusive')]).toEqual(['500', 'r']);
});

it.each([...REPORTERS])('%s cuts no command, which has to be pasted', async (_, load) => {
  const { render, announce } = await load();
  const reproduce = `curl -sS http://h/${'a'.repeat(5000)}`;
  const report = { ...RED, checks: [checkReport('fork.created', 'fail', { reproduce })] };
  for (const page of [render(report, { records: [], color: false }), ...(announce ? [announce(report)] : [])]) {
    expect(page).toContain(reproduce);
  }
});
