import { expect, it } from 'vitest';
import { nextSteps } from './next-steps.ts';

function check(id: string, steps: readonly string[], restsOn?: string) {
  const remedies = steps.map((step) => ({ step }));
  return { id, remedies, ...(restsOn === undefined ? {} : { restsOn }) };
}

it('is in order of what it unlocks, and counts a check where the last thing that it lacks is named', () => {
  const checks = [
    check('a', ['seed w']),
    check('b', ['expose s', 'seed w']),
    check('c', ['expose s']),
    check('d', ['expose s']),
    check('e', []),
  ];
  expect(nextSteps(checks)).toEqual([
    { steps: ['expose s'], checks: ['c', 'd'] },
    { steps: ['seed w'], checks: ['a', 'b'] },
  ]);
});

it('names together what only together helps, in whatever order it was found', () => {
  const checks = [
    check('a', ['seed w', 'expose s']),
    check('b', ['expose s', 'seed w', 'seed w']),
    check('c', ['seed v']),
  ];
  expect(nextSteps(checks)).toEqual([
    { steps: ['seed v'], checks: ['c'] },
    { steps: ['expose s', 'seed w'], checks: ['a', 'b'] },
  ]);
});

it('says what is untested, but for two of these together', () => {
  const one = { step: 'give a', untested: 'this' };
  const other = { step: 'give b', untested: 'that' };
  expect(nextSteps([{ id: 'a', remedies: [one] }])).toEqual([{ steps: ['give a'], checks: ['a'], untested: 'this' }]);
  expect(nextSteps([{ id: 'a', remedies: [one, other] }])).toEqual([{ steps: ['give a', 'give b'], checks: ['a'] }]);
});

it('leaves out what rests on a failed check: that comes first', () => {
  expect(nextSteps([check('a', ['seed w'], 'run.created')])).toEqual([]);
});

it('counts what rests on a check that lacks something, with whatever it lacks itself', () => {
  const checks = [check('a', ['take answers']), check('b', [], 'a'), check('c', ['take the answer'], 'a')];
  expect(nextSteps(checks)).toEqual([{ steps: ['take answers'], checks: ['a', 'b', 'c'] }]);
});
