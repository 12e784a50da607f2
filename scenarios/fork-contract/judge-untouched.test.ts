import { describe, expect, it } from 'vitest';
import { as, event, fork, judged, LOG, recorded, refusedFork, run, short } from '../../test/fork-observations.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { judgeUntouched, SOURCE_AGAIN } from './judge-untouched.ts';

function judge(
  after: Partial<RunObservation>,
  before: Partial<RunObservation> = {},
  control = fork('replay', 'run_b'),
) {
  return judgeAll(run('source', before), control, run(SOURCE_AGAIN, after));
}

function judgeAll(...observations: readonly RunObservation[]) {
  const all = recorded(...observations);
  return judged(leftWithoutControl(all, 'replay') ?? judgeUntouched(all));
}

function snapshot(more: object) {
  return { snapshot: { runId: 'run_a', status: 'completed', variables: {}, ...more } };
}

describe('an untouched run', () => {
  it('passes where log and snapshot are what they were', () => {
    expect(judge({})).toMatchObject({ verdict: 'pass', evidence: ['o3', 'o1'] });
  });

  it('does not mind members that no document names', () => {
    const judgement = judge(snapshot({ readAt: 2 }), snapshot({ readAt: 1 }));
    expect(judgement).toMatchObject({ verdict: 'pass' });
    expect(judgement.reason).toContain('readAt');
    const events = LOG.map((each) => ({ ...(each as object), shard: 7 }));
    expect(short(judge({ events }))).toBe('pass');
  });

  it('takes a member that is null for an absent one', () => {
    const events = LOG.map((each) => ({ causationId: null, ...(each as object) }));
    expect(short(judge({ events }))).toBe('pass');
  });

  it('fails an event more, and says which', () => {
    const judgement = judge({ events: [...LOG, event(3, 'run.annotated')] });
    expect(judgement).toMatchObject({ verdict: 'fail', expected: '3 events in the source run_a, as before' });
    expect(judgement.actual).toContain('run.annotated');
  });

  it('fails a payload that changed, with place and both values', () => {
    const events = [event(0, 'run.started', { payload: { forks: 1 } }), ...LOG.slice(1)];
    expect(judge({ events })).toMatchObject({
      verdict: 'fail',
      expected: 'sequence 0 (run.started) /payload: {} as in the source run_a',
      actual: '{"forks":1} in the source again run_a',
    });
  });

  it.each([{ metadata: { forks: 1 } }, { tags: ['x'] }, { status: 'running' }, { variables: { a: 1 } }])(
    'fails a snapshot with %j',
    (members) => {
      expect(short(judge(snapshot(members), snapshot({})))).toBe('fail');
    },
  );

  it('is undecided where a snapshot was not read, or had not caught up', () => {
    expect(judge({ snapshot: null })).toMatchObject({ verdict: 'inconclusive', restsOn: 'run.created' });
    expect(short(judge({}, { snapshot: null }))).toBe('inconclusive');
    expect(judge({}, snapshot({ status: 'running' }))).toMatchObject({
      verdict: 'inconclusive',
      restsOn: 'run.snapshot-agrees',
    });
    expect(short(judge({ problem: 'not read' }))).toBe('inconclusive');
  });

  it('proves nothing without a fork', () => {
    expect(short(judge({}, {}, refusedFork('replay', 503)))).toBe('inconclusive');
    expect(short(judge({}, {}, refusedFork('replay', 501)))).toBe('fail');
    expect(short(judgeAll(run('source'), fork('replay', 'b', { events: as('b') })))).toBe('inconclusive');
  });
});
