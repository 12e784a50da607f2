import { describe, expect, it } from 'vitest';
import { replayCalled, runCalled, type Said } from '../../test/recorded-runs.ts';
import { asInSource, lackingIn, otherwiseIn } from './otherwise-in-replays.ts';

const SAYS: Said = ['replay.diverged'];

function log(value: unknown, node = 'n', more: object = {}): readonly Said[] {
  return [
    ['run.started'],
    ['variable.changed', { name: 'v', value } as never, node],
    ['node.completed', { output: value, ...more } as never, node],
    ['run.completed'],
  ];
}

const source = runCalled('src', log(1));
const pairWith = (said: readonly Said[]) => ({ source, replay: replayCalled('again', said) });

const lacking = (said: readonly Said[]) => lackingIn([pairWith(said)]).map(({ members }) => members);

describe('what a replay shows otherwise', () => {
  it.each([
    [
      'another value',
      log(2),
      [
        ['variable.changed', ['value']],
        ['node.completed', ['output']],
      ],
    ],
    ['a member more', log(1, 'n', { isReplay: true }), [['node.completed', ['isReplay']]]],
    ['another node', log(1, 'm'), [['variable.changed', ['nodeId']]]],
    ['the same, and a report', [...log(1).slice(0, 2), SAYS, ...log(1).slice(2)], []],
    ['an event more', [...log(2), ['log.appended']] as readonly Said[], []],
    ['another event', [['run.started'], ['node.failed'], ['run.completed']] as readonly Said[], []],
  ])('is found by the types of events: %s', (_, said, expected) => {
    const found = otherwiseIn(pairWith(said)).map(({ type, members }) => [type, members]);
    expect(found).toEqual(expected);
  });

  it('is lacking where no event of the type has it any more', () => {
    const [started, changed, completed, ended] = log(1) as [Said, Said, Said, Said];
    const bare: Said = ['node.completed', {}, 'n'];
    expect(lacking([started, changed, bare, ended])).toEqual([['output']]);
    expect(lacking([started, changed, ['node.completed', { output: 2 }, 'n'], ended])).toEqual([]);
    expect(lacking(log(1, 'm'))).toEqual([]);
    const twice = { source: runCalled('src', [started, changed, completed, completed, ended]) };
    const replay = replayCalled('again', [started, changed, completed, bare, ended]);
    expect(lackingIn([{ ...twice, replay }])).toEqual([]);
  });

  it('is as in the source where that is set aside, in the snapshot, too', () => {
    const { replay } = pairWith([['run.started'], SAYS, ...log('1', 'm').slice(1)]);
    const shown = { ...replay, snapshot: { status: 'completed', variables: { v: '1' } } };
    const first = { ...source, snapshot: { variables: { v: 1 }, channels: {} } };
    const otherwise = [{ type: 'variable.changed', members: ['value', 'nodeId'] }];
    const left = asInSource(shown, otherwise, [first, shown]);
    expect(left?.snapshot).toEqual({ status: 'completed', variables: { v: 1 } });
    expect(left?.events).toMatchObject([
      { type: 'run.started' },
      { type: 'replay.diverged' },
      { nodeId: 'n', payload: { name: 'v', value: 1 } },
      { nodeId: 'n', payload: { output: '1' } },
      { type: 'run.completed' },
    ]);
  });

  it('leaves the values of a replay that goes on behind the end of a cancelled run', () => {
    const { replay } = pairWith([...log('1').slice(0, -1), ...log('2').slice(1)]);
    const shown = { ...replay, snapshot: { variables: { v: '1', more: 2 } } };
    const first = { ...source, snapshot: { variables: { v: 1 } } };
    const left = asInSource(shown, otherwiseIn(pairWith(log('1'))), [first, shown]);
    expect(left?.snapshot).toEqual({ variables: { v: 1, more: 2 } });
  });

  it('is nothing in a run that is no replay, or whose source is not known', () => {
    const otherwise = otherwiseIn(pairWith(log(2)));
    const { replay } = pairWith(log(2));
    expect(asInSource(source, otherwise, [source, replay])).toBeUndefined();
    expect(asInSource(replay, otherwise, [])).toBeUndefined();
    expect(asInSource(replay, [], [source])).toBeUndefined();
  });

  it('is as in the run in which all began where a replay was replayed', () => {
    const { replay } = pairWith(log(2));
    const again = replayCalled('once-more', log(3), { of: 'again' });
    const left = asInSource(again, otherwiseIn(pairWith(log(2))), [source, replay, again]);
    expect(left?.events[1]).toMatchObject({ payload: { value: 1 } });
  });
});
