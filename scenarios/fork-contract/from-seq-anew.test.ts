import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { as, event, fork, judged, recorded, run, short } from '../../test/fork-observations.ts';
import { judgeAnew } from './from-seq-anew.ts';

function log(value: string, ...more: readonly Json[]): readonly Json[] {
  const written = event(1, 'variable.changed', { nodeId: 'constant', payload: { name: 'constant', value } });
  return [event(0, 'run.started'), written, ...more, event(5, 'run.completed')];
}

const changed = (problem: string | null): Observation =>
  ({ type: 'revision', revision: '2.0.0', problem, exchanges: [] }) as Observation;
const source = run('source', { events: as('run_a', log('first')) });
const fresh = run('fresh run', { runId: 'run_f', events: as('run_f', log('second')) });

function verdict(events: readonly Json[], other = fresh): string {
  const replay = fork('replay from the write', 'run_r', { fromSeq: 1, events: as('run_r', events) });
  return short(judged(judgeAnew(recorded(source, changed(null), other, replay))));
}

/** The verdict where the event is taken over, and a report names another one before the node puts this out. */
function reported(sequence: number, value: string): string {
  const [begin = null, write = null] = log('first');
  const report = event(2, 'replay.diverged', { payload: { originalEventId: `e${sequence}` } });
  const end = event(3, 'node.completed', { nodeId: 'constant', payload: { output: value } });
  return verdict([begin, write, report, end, event(4, 'run.completed')]);
}

describe('the event at fromSeq', () => {
  it('is executed by the current code', () => {
    expect(verdict(log('second'))).toBe('pass');
  });

  it('may be reported as a divergence in place of the source’s', () => {
    const [begin, , end] = log('second');
    const report = event(1, 'replay.diverged', { nodeId: 'constant' });
    expect(verdict([begin ?? null, report, end ?? null])).toBe('pass');
    expect(verdict(log('first', event(2, 'replay.diverged', { nodeId: 'constant' })))).toBe('inconclusive');
  });

  it('is advised against where it is taken over', () => {
    expect(verdict(log('first'))).toBe('fail inherits-from-seq');
  });

  it('is advised against as well where what is reported comes later', () => {
    expect(reported(5, 'second')).toBe('fail inherits-from-seq');
    expect(reported(1, 'second')).toBe('inconclusive');
    expect(reported(5, 'first')).toBe('inconclusive');
    expect(reported(9, 'second')).toBe('inconclusive');
  });

  it('was not seen where the code did not change, or the replay shows neither value', () => {
    const same = run('fresh run', { runId: 'run_f', events: as('run_f', log('first')) });
    expect(verdict(log('first'), same)).toBe('inconclusive');
    expect(verdict(log('third'))).toBe('inconclusive');
    expect(short(judged(judgeAnew(recorded(source, changed('POST answered 404')))))).toBe('inconclusive');
    expect(short(judged(judgeAnew([])))).toBe('inconclusive');
  });
});
