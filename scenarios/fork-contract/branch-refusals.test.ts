import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import {
  answered,
  ENVELOPE,
  fork,
  recorded,
  refusedFork,
  requested,
  run,
  short,
  UNANSWERED,
} from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { branch } from './branch.ts';
import { FIRST_BRANCH } from './branch-drive.ts';
import { UNKNOWN_READ } from './refusal-table.ts';

const control = fork(FIRST_BRANCH, 'run_b', { mode: 'branch', fromSeq: 1 });
const MADE = { runId: 'run_c', mode: 'branch' };

function judge(check: string, made: Observation, ...requests: readonly Observation[]) {
  const found = branch
    .judge(recorded(run('source'), made, ...requests), OPTIONS)
    .find((judgement) => judgement.check === check);
  if (found === undefined) throw new TypeError('the row is judged');
  return found;
}

function unstarted(name: string, status: number, request: string): Observation {
  return Object.assign(requested('branch-start', name, status, status === 201 ? MADE : ENVELOPE), { request });
}

describe('a branch that has to be refused', () => {
  it.each([
    [
      'fork.rejects-bad-from-seq.branch',
      'bad-from-seq',
      'a branch with a negative fromSeq',
      { right: [400], wrong: [404, 422] },
    ],
    [
      'fork.rejects-absent-sequence.branch',
      'absent-sequence',
      'a branch far past the end',
      { right: [400, 422], wrong: [404] },
    ],
    ['fork.unknown-run.branch', 'unknown-run', 'a run that there is not', { right: [404], wrong: [400, 410] }],
    ['fork.requires-credentials.branch', 'no-credential', 'no credential', { right: [401], wrong: [403, 404] }],
  ])('%s', (check, row, name, { right, wrong }) => {
    const judged = (status: number) => short(judge(check, control, requested(row, name, status)));
    expect(right.map(judged)).toEqual(right.map(() => 'pass'));
    expect(wrong.map(judged)).toEqual(wrong.map(() => 'fail other-refusal'));
    expect(short(judge(check, control, requested(row, name, 201, MADE)))).toBe('fail carried-out');
    expect(short(judge(check, control, answered(row, name, UNANSWERED)))).toBe('inconclusive');
    expect(short(judge(check, control))).toBe('inconclusive');
    const refused = judge(check, refusedFork(FIRST_BRANCH, 501, 'branch'), requested(row, name, 400));
    expect(refused.restsOn).toBe('fork.created.branch');
    const made = judge(check, refusedFork(FIRST_BRANCH, 501, 'branch'), requested(row, name, 201, MADE));
    expect([short(made), made.restsOn]).toEqual(['fail carried-out', undefined]);
  });

  it.each([
    [400, 201, 'fork.rejects-bad-from-seq.branch'],
    [201, 201, undefined],
    [400, 404, undefined],
  ])(
    'without a start (%d), rests on the row about bad ones where null alone is carried out (%d)',
    (none, nil, owner) => {
      const found = judge(
        'fork.branch-needs-from-seq',
        control,
        unstarted('a branch without fromSeq', none, '{"mode":"branch"}'),
        unstarted('a branch with fromSeq null', nil, '{"mode":"branch","fromSeq":null}'),
      );
      expect([found.verdict, found.restsOn]).toEqual(['fail', owner]);
    },
  );

  it('is undecided of a run whose made-up id is one', () => {
    const made = requested('unknown-run', 'a run that there is not', 201, MADE);
    const read = requested(UNKNOWN_READ, 'a run that there is not', 200, {});
    expect(short(judge('fork.unknown-run.branch', control, made, read))).toBe('inconclusive');
  });
});
