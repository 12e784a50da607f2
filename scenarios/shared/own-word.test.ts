import { expect, it } from 'vitest';
import { fork, run } from '../../test/fork-observations.ts';
import { ownWordFault } from './beside-source.ts';

const snapshot = (status: string) => ({ status });
const source = run('source', { snapshot: snapshot('completed') });
const replay = (status: string) => fork('replay', 'run_b', { snapshot: snapshot(status) });

it('finds a word of its own in a fork whose source shows the one that is named', () => {
  expect(ownWordFault(replay('succeeded'), [source])).toMatchObject({
    actual: '"succeeded"',
    code: 'snapshot-other-end',
  });
});

it.each([
  ['the same word', replay('completed'), [source]],
  ['a word that the source has, too', replay('succeeded'), [run('source', { snapshot: snapshot('succeeded') })]],
  ['no word at all', replay(''), [source]],
  ['a word for a run that goes on', replay('executing'), [source]],
  ['another end, which is the other rule', replay('failed'), [source]],
  ['no snapshot', { ...replay('completed'), snapshot: null }, [source]],
  ['a fork that has not ended', { ...replay('succeeded'), problem: 'the run has not ended' }, [source]],
  ['a run that is no fork', { ...replay('succeeded'), fork: null }, [source]],
  ['no source', replay('succeeded'), []],
])('finds nothing in %s', (_, each, of) => {
  expect(ownWordFault(each, of)).toBeUndefined();
});
