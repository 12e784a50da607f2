import { describe, expect, it } from 'vitest';
import type { EventDraft } from './event.ts';
import { applyEvent, fold, type RunState } from './fold.ts';
import { packState, unpackState } from './packed-state.ts';

const DRAFTS: readonly EventDraft[] = [
  { type: 'run.started', payload: { inputs: { $entries: [1], $absent: true, $$x: 2, __proto__: 3 } } },
  { type: 'node.started', nodeId: 'a', payload: {} },
  { type: 'variable.changed', nodeId: 'a', payload: { name: '$entries', value: { $entries: ['a', 1] } } },
  { type: 'variable.changed', nodeId: 'a', payload: { name: 'nothing', value: null } },
  { type: 'version.pinned', nodeId: 'a', payload: { changeId: 'c', version: 2 } },
  { type: 'channel.written', nodeId: 'a', payload: { name: 'c', value: [{ $$: '$' }] } },
  { type: 'interrupt.requested', nodeId: 'a', payload: { interruptId: 'i', kind: 'approval', key: 'k' } },
  { type: 'node.suspended', nodeId: 'a', payload: {} },
  { type: 'interrupt.resolved', nodeId: 'a', payload: { interruptId: 'i', kind: 'approval', key: 'k' } },
  { type: 'node.failed', nodeId: 'a', payload: { error: { code: 'c', message: 'm' } } },
];

describe('a packed state', () => {
  it.each(DRAFTS.map((_, index) => index + 1))('is the same state again after JSON, %i events into a run', (count) => {
    const state: RunState = DRAFTS.slice(0, count).reduce<RunState>(
      (before, draft) => applyEvent(before, { ...draft, timestamp: '2026-01-01T00:00:00.000Z' }),
      fold([]),
    );
    const text = JSON.stringify(packState(state));
    expect(unpackState(JSON.parse(text))).toEqual(state);
  });
});
