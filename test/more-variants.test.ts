import { describe, expect, it } from 'vitest';
import { sampled } from './sampled.ts';
import { COMPOSITIONS } from './variants/compositions.ts';
import { compose } from './variants/compose.ts';
import { faults, WITHOUT_WAITING } from './variants/judged.ts';

// What waits by the clock has met every variant in the first half: these only work, one after the other. All of them are run
// before a release, so that every variant is met twice.
describe('allowed variants, composed otherwise', () => {
  it.each(sampled(COMPOSITIONS.second, 5).map((row) => [compose(row).id, row] as const))(
    'pass everything: %s',
    async (_, row) => {
      const found = await faults(row, WITHOUT_WAITING);
      expect(found.join('\n')).toBe('');
    },
  );
});
