import { expect, it } from 'vitest';
import { checkReport, GREEN } from '../../test/sample-reports.ts';
import { outcomeOf } from './outcome.ts';

it('a failed SHOULD row is advice where only MUST rows decide, and a failure where SHOULD rows decide too', () => {
  const check = checkReport('fork.unadvertised-mode', 'fail', { level: 'SHOULD' });
  expect(outcomeOf(check, { ...GREEN, options: { level: 'must' } })).toBe('advice');
  expect(outcomeOf(check, { ...GREEN, options: { level: 'should' } })).toBe('failed');
});
