import { expect, it } from 'vitest';
import { askBetweenUnknown } from './between-unknown.ts';
import { unknownLike } from './unknown-id.ts';

it('asks about a run between two that there are not, each when the one before was answered', async () => {
  const sent: string[] = [];
  const asked = await askBetweenUnknown('run_1', async (row, name) => {
    sent.push(`begin ${row} ${name}`);
    await Promise.resolve();
    sent.push(`end ${row} ${name}`);
    return name;
  });
  const names = [unknownLike('run_1', 1), 'run_1', unknownLike('run_1', 2)];
  expect(asked).toEqual(names);
  expect(sent).toEqual(
    names.flatMap((name) =>
      ['begin', 'end'].map((turn) => `${turn} ${name === 'run_1' ? 'invisible' : 'unknown'} ${name}`),
    ),
  );
});
