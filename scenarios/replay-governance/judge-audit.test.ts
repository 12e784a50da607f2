import { describe, expect, it } from 'vitest';
import { isOutcome } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { fork, recorded, refusedFork, run, short } from '../../test/fork-observations.ts';
import { judgeAudit, judgeAuditSecret, seeAudit } from './audit.ts';

function seam(answer: Json, problem: string | null = null): Observation {
  return { type: 'seam', seam: 'audit', status: 200, problem, answer, exchanges: ['x3'] } as Observation;
}

function seamOfFork(answer: Json): Observation {
  return { ...seam(answer), seam: 'audit of the fork of the fork' } as Observation;
}

function heard(shows: boolean, about: object = {}): Observation {
  const found = shows ? [{ canary: 1, spelling: 'as it is' }] : [];
  const answer = {
    surface: 'log',
    request: 'GET log',
    status: 200,
    shows: found,
    marker: shows,
    exchange: 'x1',
    ...about,
  };
  return { type: 'heard', role: 'source', answers: [answer], exchanges: ['x1'] } as Observation;
}

function search(...spellings: readonly string[]): Observation {
  return { type: 'audit-search', spellings, exchanges: [] } as Observation;
}

const RUNS = [run('source'), heard(false), fork('fork', 'run_b')];
const RECORD = { action: 'run.forked', runId: 'run_b', sourceRunId: 'run_a', mode: 'replay' };

function judgedBy(judge: typeof judgeAudit, observations: readonly Observation[]) {
  const seen = seeAudit(recorded(...observations));
  return judgementOf('c', isOutcome(seen) ? seen : judge(seen));
}

function audited(...observations: readonly Observation[]): string {
  return short(judgedBy(judgeAudit, observations));
}

function secret(...observations: readonly Observation[]): string {
  return judgedBy(judgeAuditSecret, observations).verdict;
}

describe('judgeAudit', () => {
  it.each<[string, Observation]>([
    ['pass', seam({ events: [{ action: 'other' }, RECORD] })],
    ['pass', seam([{ what: { fork: ['run_b'], of: { id: 'run_a' } } }])],
    ['pass', seam({ events: ['fork run_b of run_a by somebody'] })],
    ['fail not-audited', seam({ events: ['fork run_bc of run_a', 'x-run_b of run_a'] })],
    ['fail not-audited', seam({ events: [] })],
    ['fail not-audited', seam({ events: [{ ...RECORD, runId: 'run_c' }] })],
    ['fail audited-without-source', seam({ events: [{ ...RECORD, sourceRunId: 'run_b' }] })],
    ['pass', seam({ events: [null, 1, 'run_b'] })],
    ['pass', seam({ events: [{ action: 'fork.created', forkRunId: 'run_b', actor: 'key-1', source: 'api' }] })],
    ['pass', seam({ events: [{ action: 'run.forked', runId: 'run_a', mode: 'replay', actor: 'key-1' }] })],
    ['pass', seam({ events: [{ runId: 'run_a', replayed: { by: 'key-1' } }] })],
    ['fail not-audited', seam({ events: [{ action: 'run.created', runId: 'run_a', forkMode: null }] })],
    ['fail not-audited', seam({ events: [{ action: 'run.forked', runId: 'run_a', forkRunId: 'run_c' }] })],
    ['fail not-audited', seam({ events: [{ action: 'run.forked', runId: 'run_x' }] })],
    ['inconclusive', seam({ list: [RECORD] })],
    ['inconclusive', seam(null)],
    ['inconclusive', seam({ events: [RECORD] }, 'answered 500')],
  ])('%s', (expected, answer) => expect(audited(...RUNS, answer)).toBe(expected));

  it('needs a fork, and an answer', () => {
    const answer = seam({ events: [RECORD] });
    expect(audited()).toBe('inconclusive');
    expect(audited(run('source'), answer)).toBe('inconclusive');
    expect(audited(run('source'), refusedFork('fork', 501), answer)).toBe('inconclusive');
    expect(audited(...RUNS)).toBe('inconclusive');
  });
});

const AGAIN = [...RUNS, fork('fork of the fork', 'run_z'), seam({ events: [RECORD] })];

describe('the audit of a fork of a fork', () => {
  const record = { action: 'run.forked', runId: 'run_z', sourceRunId: 'run_b', mode: 'replay' };

  it.each<[string, Json]>([
    ['pass', { events: [RECORD, record] }],
    ['pass', { events: [{ ...record, sourceRunId: 'run_a' }] }],
    ['pass', { events: [RECORD, { action: 'run.forked', sourceRunId: 'run_b' }] }],
    ['pass', { events: [{ action: 'run.forked', forkRunId: 'run_z' }] }],
    ['fail not-audited', { events: [RECORD] }],
    ['fail audited-without-source', { events: [{ ...record, sourceRunId: 'run_z' }] }],
    ['pass', null],
  ])('%s by %j', (expected, answer) => expect(audited(...AGAIN, seamOfFork(answer))).toBe(expected));

  it('says nothing where none was made, or the first one is not audited', () => {
    const [answer, none] = [seamOfFork({ events: [] }), refusedFork('fork of the fork', 501)];
    expect(audited(...RUNS, none, seam({ events: [RECORD] }), answer)).toBe('pass');
    expect(audited(...RUNS, seam({ events: [] }), answer)).toBe('fail not-audited');
  });
});

describe('the audit of a second fork', () => {
  const record = { action: 'run.forked', runId: 'run_s', sourceRunId: 'run_a', mode: 'replay' };
  const bare = { action: 'run.forked', runId: 'run_a' };
  const made = fork('second fork', 'run_s');
  const judge = (first: Json, answer: Json, second = made) =>
    audited(...RUNS, seam([first]), second, { ...seam(answer), seam: 'audit of the second fork' } as Observation);

  it.each<[string, Json, Json]>([
    ['pass', RECORD, [RECORD, record]],
    ['pass', RECORD, [record]],
    ['pass', bare, [bare, bare]],
    ['pass', RECORD, null],
    ['fail not-audited', RECORD, [RECORD]],
    ['fail not-audited', bare, [bare]],
    ['fail audited-without-source', RECORD, [RECORD, { ...record, sourceRunId: 'run_b' }]],
  ])('%s where the first left %j, and then there is %j', (expected, first, answer) =>
    expect(judge(first, answer)).toBe(expected),
  );

  it('says nothing where none was made', () => {
    expect(judge(RECORD, [RECORD], refusedFork('second fork', 501))).toBe('pass');
  });
});

describe('judgeAuditSecret', () => {
  it('names where the source itself shows the secret', () => {
    const shown = [run('source'), heard(true), fork('fork', 'run_b'), seam({ events: [RECORD] }), search()];
    expect(judgedBy(judgeAuditSecret, shown).reason).toMatch(/itself shows .*: log: redact/u);
  });

  const answer = seam({ events: [RECORD] });
  const REFUSED = { surface: 'refusal', request: 'POST /v1/runs/run_a:fork', status: 422 };

  it.each<[string, readonly Observation[]]>([
    ['pass', [...RUNS, answer, search()]],
    ['pass', [...RUNS, seam({ events: [{ action: 'run.forked', runId: 'run_a' }] }), search()]],
    ['fail', [...RUNS, answer, search('base64')]],
    ['inconclusive', [...RUNS, seam({ events: [] }), search()]],
    ['pass', [run('source'), heard(true, REFUSED), fork('fork', 'run_b'), answer, search()]],
    ['inconclusive', [...RUNS, answer]],
    ['inconclusive', [run('source'), heard(true), fork('fork', 'run_b'), answer, search('as it is')]],
    ['inconclusive', []],
  ])('%s', (expected, observations) => expect(secret(...observations)).toBe(expected));
});
