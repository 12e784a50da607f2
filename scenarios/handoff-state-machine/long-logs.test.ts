import { describe, expect, it } from 'vitest';
import { after, type Entry, HAPPY, handoffRun, transition } from '../../test/handoff-runs.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { readChain } from './chain.ts';
import { happy } from './whole-paths.ts';

/** So many that steps which grow with their square would not come to an end here. */
const MANY = 20_000;

function many(made: (index: number) => Entry): readonly Entry[] {
  return after(HAPPY, 'began', ...Array.from({ length: MANY }, (_, index) => made(index)));
}

function name(index: number): string {
  return index < 0 ? 'began' : `t${index}`;
}

/** Phases of the host's own, each caused by the one before; behind them as many that the last of them caused. */
function ownPhases(index: number): Entry {
  const half = MANY / 2;
  return index < half
    ? transition(name(index), 'own.phase', name(index - 1))
    : transition(name(index), 'child.completed', name(half - 1));
}

const LOGS: readonly (readonly [string, handoffs: number, readonly Entry[]])[] = [
  ['one worker', 1, many((index) => transition(name(index), 'dispatch.succeeded', name(index - 1)))],
  ['one worker, phases of the host between', 1, many(ownPhases)],
  [
    'a worker each',
    MANY + 1,
    many((index) => transition(name(index), 'dispatch.began', 'nobody', { workerId: name(index) })),
  ],
  [
    'a child each',
    MANY + 1,
    many((index) =>
      transition(name(index), 'child.completed', 'x', { workerId: name(index), childRunId: name(index) }),
    ),
  ],
  ['no worker named', MANY + 1, many((index) => transition(name(index), 'dispatch.began', 'x', { workerId: null }))],
];

describe('a log of many transitions', () => {
  it.each(LOGS)('is taken apart: %s', (_, handoffs, log) => {
    expect(readChain(handoffRun(log)).handoffs).toHaveLength(handoffs);
  });

  it.each(LOGS)('is judged, in few words: %s', (_, _handoffs, log) => {
    const judgements = happy.judge([handoffRun(log)], OPTIONS);
    expect(judgements.find(({ check }) => check === 'handoff.happy-path')).toMatchObject({
      verdict: 'fail',
      actual: expect.stringMatching(/^.{0,3000}; \d+ more/u) as string,
    });
  });

  it('is followed past phases of the host itself', () => {
    const judgements = happy.judge([handoffRun(many(ownPhases))], OPTIONS);
    expect(judgements.find(({ check }) => check === 'handoff.causation-chain')).toMatchObject({
      actual: expect.stringContaining(`sequence ${3 + MANY / 2}, child.completed`) as string,
    });
  });
});
