import { expect, it } from 'vitest';
import { undecided, undecidedUntil } from './outcome.ts';
import { answeredBy, closedSeam, notVisited, remediesIn } from './remedy.ts';

const SEAM = '/v1/host/sample/test/mock-ai/program';

it('is found in the sentences that say so, wherever they stand', () => {
  expect(remediesIn(`no replay could be made: ${closedSeam(SEAM, 404)} to this credential; or so`)).toEqual([
    { step: 'expose mock-ai/program' },
  ]);
  expect(remediesIn(`no run: ${answeredBy('POST /v1/runs', 307, 'https://b.example/v1/runs')}`)).toEqual([
    { step: "give the host's own address as --base-url" },
  ]);
  expect(remediesIn(`the source was not made: ${answeredBy('POST /v1/runs', 403)}`)).toEqual([
    { step: 'give a credential with the scopes runs:create and runs:read' },
  ]);
  expect(remediesIn(notVisited('the host did not call http://w/1'))).toEqual([
    { step: 'let the host call the witness (--witness-url)' },
  ]);
});

it('is the first of several ways to see the same thing', () => {
  const either = `${closedSeam(SEAM, 501)}; ${notVisited('provider at the witness')}`;
  expect(undecided(either, [])).toMatchObject({ remedies: [{ step: 'expose mock-ai/program' }] });
});

it('is nothing where a reason says nothing of it, or only seems to', () => {
  for (const reason of ['', 'no run was driven', closedSeam(`/${'x'.repeat(5000)}`, 404), closedSeam('/a b', 404)]) {
    expect(undecided(reason, [])).not.toHaveProperty('remedies');
  }
});

it('ends the reason where it is given', () => {
  expect(undecidedUntil('expose a failpoint', 'nobody died', ['o1'])).toEqual({
    kind: 'undecided',
    reason: 'nobody died: expose a failpoint',
    evidence: ['o1'],
    remedies: [{ step: 'expose a failpoint' }],
  });
});
