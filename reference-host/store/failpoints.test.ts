import { expect, it } from 'vitest';
import { createFailpoints } from './failpoints.ts';

it('keeps the newest names that were passed, and how many there were', () => {
  const failpoints = createFailpoints(() => undefined);
  for (let count = 0; count < 25_000; count += 1) failpoints.pass(`p${count}`);
  const { passed, total } = failpoints.passed();
  expect(total).toBe(25_000);
  expect(passed).toHaveLength(10_000);
  expect([passed[0], passed.at(-1)]).toEqual(['p15000', 'p24999']);
});
