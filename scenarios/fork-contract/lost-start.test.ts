import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { replayOf, runAs, type Said, say } from '../../test/recorded-runs.ts';
import { withoutLostStart } from './lost-start.ts';

const first = say('variable.changed', { name: 'a', value: 1 }, 'writer');
const LOG: readonly Said[] = [
  say('run.started'),
  first,
  say('node.completed', { output: 2 }, 'b'),
  say('node.started', {}, 'c'),
  say('run.completed'),
];
const showing = (variables: Json) => ({ snapshot: { status: 'completed', variables } });
const source = runAs('source', LOG, showing({ a: 1, b: 2, c: 3 }));

const left = (variables: Json, fromSeq = 3, log = LOG) => {
  const fork = runAs('fork', log, { ...showing(variables), ...replayOf(source, fromSeq) });
  return withoutLostStart(fork, [source, fork]);
};

/** The log, with the value that the last node takes over. */
const reading = (value: Json): readonly Said[] => [
  ...LOG.slice(0, 4),
  say('variable.changed', { name: 'c', value }, 'c'),
];

describe('a fork that lost something of the state at its fork point', () => {
  it.each([
    ['a variable that its history wrote', { b: 2, c: 3 }],
    ['what a node of that name put out before', { a: 1, c: 3 }],
    ['a value of its history, which is another one now', { a: 0, b: 2, c: 3 }],
  ])('is set aside without %s', (_, variables) => {
    expect(left(variables)).toMatchObject({ events: [], snapshot: null });
  });

  it('is set aside where a node takes another value over than that of its source', () => {
    const taking = runAs('taking', reading(1), showing({ a: 1, c: 1 }));
    const taken = runAs('fork', reading(0), { ...showing({ a: 1, c: 0 }), ...replayOf(taking, 3) });
    expect(withoutLostStart(taken, [taking, taken])).toBeDefined();
  });

  it('stays where its history itself is another one: that is for the row about histories to say', () => {
    const otherwise = LOG.with(1, say('variable.changed', { name: 'a', value: 'else' }, 'writer'));
    expect(left({ a: 1, b: 2, c: 3 }, 3, otherwise)).toBeUndefined();
  });

  it('stays where it has it, where it may have written it otherwise itself, and where it begins at the start', () => {
    expect(left({ a: 1, b: 2, c: 3 })).toBeUndefined();
    expect(left({ a: 1, b: 2, c: 4 })).toBeUndefined();
    expect(left({ a: 2, b: 2, c: 3 }, 1)).toBeUndefined();
    expect(left({}, 0)).toBeUndefined();
  });
});
