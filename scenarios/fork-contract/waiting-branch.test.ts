import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import { event, fork, judged, recorded, refusedFork, run, short } from '../../test/fork-observations.ts';
import { judgeCancelled, judgeWaiting, ROLES } from './waiting-branch.ts';

function answer(role: string, answered: number | null): Observation {
  return { type: 'answer', role, mark: role, answered, exchanges: [] } as Observation;
}

const branch = fork('branch', 'run_b', { mode: 'branch', fromSeq: 1 });

function judge(...observations: readonly Observation[]) {
  return judged(judgeWaiting(recorded(run('source'), ...observations)));
}

describe('a branch of a run that waits', () => {
  it('passes where its source takes an answer of its own afterwards', () => {
    expect(judge(branch, answer('branch', 200), answer('source', 200))).toMatchObject({
      verdict: 'pass',
      evidence: { length: 4 },
    });
  });

  it.each([404, 409, 410, 422])('fails where the question of its source is closed by then (%i)', (status) => {
    const judgement = judge(branch, answer('branch', 200), answer('source', status));
    expect(short(judgement)).toBe('fail not-independent');
    expect(judgement.actual).toContain(`was answered with ${status}`);
  });

  it('does not apply where no such branch is made, as it may', () => {
    const refused = judge(refusedFork('branch', 501, 'branch'), answer('source', 200));
    expect(refused).toMatchObject({ verdict: 'not-applicable', restsOn: 'fork.created.branch' });
  });

  it.each([
    ['refused with the status for duplicates', 409],
    ['what the host failed over', 500],
    ['requested at another time', 503],
    ['requested by another caller', 403],
  ])('is undecided where it is %s, resting on the row about branches', (_, status) => {
    const judgement = judge(refusedFork('branch', status, 'branch'), answer('source', 200));
    expect(judgement).toMatchObject({ verdict: 'inconclusive', restsOn: 'fork.created.branch' });
  });

  it.each([
    ['the branch does not wait', [branch, answer('source', 200)]],
    ['the branch takes no answer', [branch, answer('branch', 403), answer('source', 200)]],
    ['the source takes none for another reason', [branch, answer('branch', 200), answer('source', 503)]],
    ['the source gives no answer', [branch, answer('branch', 200), answer('source', null)]],
    ['the source did not wait', []],
  ])('is undecided where %s', (_, observations) => {
    expect(short(judge(...observations))).toBe('inconclusive');
  });

  const left = fork(ROLES.left, 'run_l', { mode: 'branch', fromSeq: 1 });
  const answered = [branch, left, answer('branch', 200), answer('source', 200)];

  it('passes where a branch takes an answer of its own after its source', () => {
    expect(short(judge(...answered, answer(ROLES.left, 200)))).toBe('pass');
  });

  it.each([404, 409, 410, 422])('fails where the question of such a branch is closed by then (%i)', (status) => {
    const judgement = judge(...answered, answer(ROLES.left, status));
    expect(short(judgement)).toBe('fail not-independent');
    expect(judgement.expected).toContain('still waits when its source was answered');
  });

  it('is undecided where such a branch takes none for another reason', () => {
    expect(short(judge(...answered, answer(ROLES.left, 503)))).toBe('inconclusive');
  });

  it('says nothing more where the source was cancelled with a branch', () => {
    const again = run(ROLES.again, { events: cancelledLog });
    const taken = judge(branch, answer('branch', 200), answer('source', 200), again);
    expect(taken).toMatchObject({ verdict: 'fail', restsOn: 'fork.branch-is-independent.cancelled' });
    expect(judge(branch, answer('branch', 200), answer('source', 410), again)).toMatchObject({
      restsOn: 'fork.branch-is-independent.cancelled',
    });
  });
});

const cancelledLog = [event(0, 'run.started'), event(1, 'run.cancelled')];

function judgeOther(...observations: readonly Observation[]) {
  return judged(judgeCancelled(recorded(run('source'), ...observations)));
}

describe('a branch that is cancelled, or whose source is', () => {
  const other = fork(ROLES.other, 'run_o', { mode: 'branch', fromSeq: 1 });
  const cancelled = fork(ROLES.cancelled, 'run_o', { mode: 'branch', fromSeq: 1, events: cancelledLog });
  const gone = run(ROLES.gone, { runId: 'run_g', events: cancelledLog });
  const orphan = fork(ROLES.orphan, 'run_p', { mode: 'branch', fromSeq: 1 });
  const again = run(ROLES.again, { events: cancelledLog });
  const first = (status: number): readonly Observation[] => [other, cancelled, answer('source', status)];
  const second = (status: number): readonly Observation[] => [gone, orphan, answer(ROLES.orphan, status)];

  it('passes where the run that was not cancelled takes an answer', () => {
    expect(judgeOther(...first(200), ...second(200))).toMatchObject({ verdict: 'pass', evidence: { length: 6 } });
    expect(short(judgeOther(...first(200)))).toBe('pass');
    expect(short(judgeOther(...second(200)))).toBe('pass');
  });

  it('fails where it is cancelled, too', () => {
    expect(judgeOther(...first(410), again, ...second(200)).expected).toContain('when its branch was cancelled');
    const twin = answer(ROLES.behind, 200);
    expect(judgeOther(...first(200), twin, ...second(422)).expected).toContain('when its source was cancelled');
  });

  it('is not known to be closed with its source where no branch takes an answer', () => {
    expect(judgeOther(...first(200), answer(ROLES.behind, 409), ...second(409))).toMatchObject({
      verdict: 'inconclusive',
      restsOn: 'fork.branch-is-independent.waiting',
    });
  });

  it('fails where it takes an answer, and ends cancelled all the same', () => {
    expect(judgeOther(...first(200), again)).toMatchObject({ verdict: 'fail', evidence: { length: 1 } });
    const later = fork(ROLES.orphanAgain, 'run_p', { mode: 'branch', fromSeq: 1, events: cancelledLog });
    expect(judgeOther(...first(200), run(ROLES.again), ...second(200), later)).toMatchObject({ verdict: 'fail' });
    const open = fork(ROLES.orphanAgain, 'run_p', { mode: 'branch', fromSeq: 1, events: [] });
    expect(judgeOther(...second(200), open)).toMatchObject({ verdict: 'pass' });
  });

  it('fails where the snapshot of the other run says that it was cancelled, too', () => {
    const completed = [event(0, 'run.started'), event(1, 'run.completed')];
    const shown = (status: string) => run(ROLES.again, { events: completed, snapshot: { status } });
    expect(judgeOther(...first(200), shown('cancelled'))).toMatchObject({
      verdict: 'fail',
      actual: '"cancelled"',
      restsOn: 'run.snapshot-agrees',
    });
    expect(judgeOther(...first(200), shown('failed'))).toMatchObject({
      verdict: 'inconclusive',
      restsOn: 'run.snapshot-agrees',
    });
    expect(short(judgeOther(...first(200), shown('completed')))).toBe('pass');
    expect(short(judgeOther(...first(200), shown('running')))).toBe('pass');
  });

  it('fails where the snapshot of a source that was cancelled says for a whole time-out that it runs', () => {
    const running = { ...gone, snapshot: { status: 'running' } };
    const shownLater = (status: string) => ({ ...gone, role: `${ROLES.gone}, waited for`, snapshot: { status } });
    expect(judgeOther(...second(200), running, shownLater('running'))).toMatchObject({
      verdict: 'fail',
      restsOn: 'run.snapshot-agrees',
    });
    expect(short(judgeOther(...second(200), running, shownLater('cancelled')))).toBe('pass');
    expect(short(judgeOther(...second(200), running))).toBe('pass');
  });

  it('says nothing more where the source was not cancelled and is closed all the same', () => {
    const taken = answer('branch', 200);
    expect(judgeOther(taken, ...first(409))).toMatchObject({ restsOn: 'fork.branch-is-independent.waiting' });
  });

  it('does not apply where no such branch is made, as it may', () => {
    expect(short(judgeOther(refusedFork(ROLES.other, 422, 'branch'), answer('source', 200)))).toBe('not-applicable');
  });

  it.each([409, 500])('is undecided where it is answered with %i, which does not say so', (status) => {
    expect(short(judgeOther(refusedFork(ROLES.other, status, 'branch'), answer('source', 200)))).toBe('inconclusive');
  });

  it.each([
    ['nothing was cancelled', [other, answer('source', 200)]],
    ['what was cancelled ends otherwise', [other, { ...cancelled, events: [] }, answer('source', 200)]],
    ['the source takes no answer for another reason', first(503)],
    ['the source did not wait', []],
    ['no answer was taken from anybody', [...first(422), again, ...second(404)]],
  ])('is undecided where %s', (_, observations) => {
    expect(short(judgeOther(...observations))).toBe('inconclusive');
  });
});
