import { describe, expect, it } from 'vitest';
import { event } from '../../test/fork-observations.ts';
import { apartFrom } from './apart-from.ts';

const [MODELS, HANDOFFS] = [
  ['refusal.', 'cache-key.'],
  ['handoff.', 'replay.no-second-child'],
];

describe('what a run does nothing of', () => {
  it('is what its log shows nothing of', () => {
    expect(apartFrom({ events: [event(0, 'run.started'), event(1, 'run.completed')] })).toEqual([
      ...MODELS,
      ...HANDOFFS,
    ]);
  });

  it('is no model where anything in the log may be about one, no handoff where it tells of one', () => {
    const started = event(0, 'node.started', { payload: { typeId: 'core.ai.chat' } });
    expect(apartFrom({ events: [started] })).toEqual(HANDOFFS);
    expect(apartFrom({ events: [event(0, 'provider.usage')] })).toEqual(HANDOFFS);
    expect(apartFrom({ events: [event(0, 'core.workflowChain.event')] })).toEqual(MODELS);
  });
});
