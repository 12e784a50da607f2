import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import type { RunEvent } from '../store/event.ts';
import { testClient } from '../../test/reference-client.ts';
import { diffEvents } from './run-diff.ts';

const client = testClient();
const CONSTANT = 'conformance-determinism-constant';
const diff = async (a: string, b: string): Promise<JsonObject> =>
  (await client.get(`/v1/runs/${a}:diff?against=${b}`)).body;
const ops = async (a: string, b: string): Promise<unknown> =>
  ((await diff(a, b))['eventDiffs'] as JsonObject[]).map((each) => [each['op'], Object.keys(each).length]);
const log = (value: number): RunEvent[] =>
  Array.from({ length: 300 }, (_, sequence) => {
    const identity = { eventId: `e${sequence}`, runId: 'r', sequence, timestamp: 't' };
    return { ...identity, type: 'variable.changed', payload: { name: 'x', value } };
  });
const revise = (revision: string): unknown =>
  client.post('/v1/host/sample/test/workflow-revision', { workflowId: CONSTANT, revision });

describe('a diff of runs', () => {
  it('is empty between a run and its replay', async () => {
    const source = await client.run('conformance-determinism-llm-nodes');
    const replay = await client.fork(source.runId, { mode: 'replay' });
    expect(await diff(source.runId, replay.runId)).toEqual({
      a: source.runId,
      b: replay.runId,
      divergedAtSeq: null,
      eventDiffs: [],
      stateDiff: {},
    });
  });

  it('shows what changed, with both events and both values', async () => {
    await revise('1.0.0');
    const source = await client.run(CONSTANT);
    await revise('2.0.0');
    const replay = await client.fork(source.runId, { mode: 'replay' });
    const result = await diff(source.runId, replay.runId);
    const seq = source.types.indexOf('variable.changed');
    expect(result).toMatchObject({
      divergedAtSeq: seq,
      eventDiffs: [
        { seq, op: 'changed', aEvent: { runId: source.runId }, bEvent: { runId: replay.runId } },
        { seq: seq + 1, op: 'changed' },
      ],
      stateDiff: { variables: { constant: { a: 'first', b: 'second' } } },
    });
    expect(result).not.toHaveProperty('truncated');
  });

  it('shows what only one of them has', async () => {
    await revise('1.0.0');
    const short = await client.run(CONSTANT);
    await revise('3.0.0');
    const long = await client.run(CONSTANT);
    expect(await ops(short.runId, long.runId)).toEqual([
      ['added', 3],
      ['added', 3],
    ]);
    expect(await ops(long.runId, short.runId)).toEqual([
      ['removed', 3],
      ['removed', 3],
    ]);
  });

  it('is bounded, and says so', () => {
    const result = diffEvents(log(1), log(2));
    expect([result.diffs.length, result.truncated, result.divergedAtSeq]).toEqual([200, true, 0]);
  });

  it('answers 400 without a second run and 404 to one that the caller may not see', async () => {
    const { runId } = await client.run('conformance-noop');
    const foreign = await client.post('/v1/runs', { workflowId: 'conformance-noop' }, { key: 'key-b' });
    const status = async (query: string): Promise<number> =>
      (await client.get(`/v1/runs/${runId}:diff${query}`)).status;
    expect(await status('')).toBe(400);
    expect(await status('?against=')).toBe(400);
    expect(await status('?against=%00')).toBe(404);
    expect(await status('?against=run_00000000000000000000000000')).toBe(404);
    expect(await status(`?against=${String(foreign.body['runId'])}`)).toBe(404);
  });
});
