import { describe, expect, it } from 'vitest';
import { CALL_START, conformantRuns, observed } from '../../test/refusal-runs.ts';
import { edited, judged, replacing, REPLAYS, withPayload, without, type Members } from '../../test/refusal-edits.ts';

describe('a conformant host', () => {
  it.each(['valid', 'refusal'] as const)('passes with a source that is %s, on either way and on both', (kind) => {
    const [mock, witness] = [conformantRuns('mock', kind), conformantRuns('witness', kind)];
    expect(judged(observed('mock', mock), kind)).toEqual({});
    expect(judged(observed('witness', witness), kind)).toEqual({});
    expect(judged([...observed('mock', mock), ...observed('witness', witness)], kind)).toEqual({});
  });

  it('may show neither state nor code in its snapshots', () => {
    const runs = edited(conformantRuns('mock', 'valid'), [...REPLAYS, 'source', 'before', 'after'], (run) => ({
      snapshot: { runId: run.runId, workflowId: 'w', status: (run.snapshot as Members)['status'] },
    }));
    expect(judged(observed('mock', runs))).toEqual({});
  });

  it('may number from the log of the replay, name no node and give no original event', () => {
    const bare = withPayload((payload) => ({
      ...without(payload, 'originalEventId', 'nodeId'),
      atSequence: CALL_START,
    }));
    expect(judged(observed('mock', edited(conformantRuns('mock', 'valid'), REPLAYS, bare)))).toEqual({});
  });

  it('may report other nodes as missing', () => {
    const missing = replacing('node.failed', (event) => [
      { ...event, type: 'replay.diverged', nodeId: 'gate-after', payload: {} },
      event,
    ]);
    expect(judged(observed('mock', edited(conformantRuns('mock', 'valid'), REPLAYS, missing)))).toEqual({});
  });
});
