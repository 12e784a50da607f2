import { describe, expect, it } from 'vitest';
import { replayCalled, runCalled, say } from '../../test/recorded-runs.ts';
import type { Json } from '../../src/evidence/types.ts';
import { partingsOf } from './partings.ts';

/** A log that says which run it is of. */
function told(runId: string) {
  return [say('run.started', { runId }), say('run.completed')];
}

describe('where two logs part', () => {
  it('is nowhere where the events of a replay name its source, and their payloads the replay', () => {
    const replay = replayCalled('rep', told('rep'));
    const events = replay.events.map((event): Json => ({ ...Object(event), runId: 'src' }) as Json);
    expect(partingsOf(runCalled('src', told('src')), { ...replay, events }, [])).toMatchObject({ isSame: true });
  });
});
