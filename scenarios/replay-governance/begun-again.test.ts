import { describe, expect, it } from 'vitest';
import { event, fork, recorded } from '../../test/fork-observations.ts';
import { need } from '../shared/need.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { begunAgain } from './begun-again.ts';

const [CONTROL, RUN] = ['control', 'run'] as const;
const FIRST = ['node.started', 'node.completed'].map((type, at) => event(at, type, { nodeId: 'first' }));
const SECOND = ['node.started', 'node.completed'].map((type, at) => event(at + 2, type, { nodeId: 'second' }));
const AGAIN = ['node.started', 'node.completed'].map((type, at) => event(at + 2, type, { nodeId: 'first' }));

function problem(ours: RunObservation['events'], theirs: RunObservation['events']): unknown {
  const seen = recorded(fork(CONTROL, 'run_c', { events: ours }), fork(RUN, 'run_d', { events: theirs }));
  const runs = need(seen, CONTROL, RUN);
  return 'control' in runs ? begunAgain(runs.control, runs.run, 2)?.actual : runs;
}

describe('begunAgain', () => {
  const WHOLE = [...FIRST, ...SECOND];

  it.each<[string, RunObservation['events'], RunObservation['events'], string | undefined]>([
    ['a log that begins at the boundary', WHOLE, SECOND, undefined],
    ['a log with its history', WHOLE, WHOLE, undefined],
    ['a log that begins at the boundary with what had ended', WHOLE, [...AGAIN, ...SECOND], '1 times'],
    ['a log with its history, and that again', WHOLE, [...FIRST, ...AGAIN, ...SECOND], '2 times'],
    ['a control that does so, too', [...FIRST, ...AGAIN], AGAIN, undefined],
    ['a node that had not ended', [...FIRST.slice(0, 1), ...SECOND], [...AGAIN, ...SECOND], undefined],
    ['events of no node', [event(0, 'node.completed')], [event(2, 'node.started')], undefined],
  ])('%s', (_, ours, theirs, expected) => expect(problem(ours, theirs)).toBe(expected));
});
