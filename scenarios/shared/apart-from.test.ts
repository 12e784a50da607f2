import { describe, expect, it } from 'vitest';
import { replayCalled, runCalled, type Said } from '../../test/recorded-runs.ts';
import { apartFrom } from './apart-from.ts';

const [MODELS, TOOLS, HANDOFFS, WRITTEN] = [
  ['refusal.', 'cache-key.'],
  ['replay.no-second-external-call.'],
  ['handoff.', 'replay.no-second-child'],
  ['replay.version-pins-kept.', 'replay.recorded-facts-verbatim.', 'replay.interrupt-short-circuits.'],
];

function apart(said: readonly Said[], again = said) {
  return apartFrom(runCalled('src', said), replayCalled('fork', again, { of: 'src' }), ['/payload/tookMs']);
}

describe('what a replay that differs has nothing to do with', () => {
  it('is what its log shows nothing of', () => {
    expect(apart([['run.started'], ['run.completed']])).toEqual({
      apart: [...MODELS, ...TOOLS, ...HANDOFFS, ...WRITTEN],
      differs: [],
    });
  });

  it('is no row about events of which it has one', () => {
    expect(apart([['memory.written']]).apart).toEqual([...MODELS, ...TOOLS, ...HANDOFFS, WRITTEN[0], WRITTEN[2]]);
    const asked: readonly Said[] = [['version.pinned'], ['interrupt.requested']];
    expect(apart(asked).apart).toEqual([...MODELS, ...TOOLS, ...HANDOFFS, WRITTEN[1]]);
  });

  it('is no model where anything in the log may be about one, no handoff where it tells of one', () => {
    expect(apart([['node.started', { typeId: 'core.ai.chat' }]]).apart).toEqual([...HANDOFFS, ...WRITTEN]);
    expect(apart([['provider.usage']]).apart).toEqual([...HANDOFFS, ...WRITTEN]);
    expect(apart([['node.started', { typeId: 'core.tool.http' }]]).apart).toEqual([...MODELS, ...HANDOFFS, ...WRITTEN]);
    expect(apart([['core.workflowChain.event']]).apart).toEqual([...MODELS, ...TOOLS, ...WRITTEN]);
  });

  it('is no type of event in which it differs', () => {
    const said: readonly Said[] = [['run.started'], ['log.appended', { text: 'a', tookMs: 1 }], ['run.completed']];
    const [began, , ended] = said as [Said, Said, Said];
    expect(apart(said, [began, ['log.appended', { text: 'b', tookMs: 2 }], ended]).differs).toEqual(['log.appended']);
    expect(apart(said, [began, ['log.appended', { text: 'a', tookMs: 2 }], ended]).differs).toEqual([]);
    expect(apart(said, [began, ended]).differs).toEqual(['log.appended']);
  });
});
