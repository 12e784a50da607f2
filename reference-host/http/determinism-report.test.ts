import { describe, expect, it } from 'vitest';
import { whenAsked } from '../../test/waiting-run.ts';
import { testClient } from '../../test/reference-client.ts';
import { defaultParts } from '../parts.ts';
import type { RunEvent } from '../store/event.ts';
import { determinismReport } from './determinism-report.ts';

const client = testClient();
const CONSTANT = 'conformance-determinism-constant';
const revise = (revision: string): unknown =>
  client.post('/v1/host/sample/test/workflow-revision', { workflowId: CONSTANT, revision });
const event = (sequence: number, type: RunEvent['type'], payload: unknown = {}): RunEvent => ({
  eventId: `e${sequence}`,
  runId: 'r',
  sequence,
  type,
  payload,
  timestamp: 't',
});
const reportOf = (runId: string, key = 'key-a') => client.get(`/v1/runs/${runId}/determinism`, { key });

describe('the determinism report of a replay', () => {
  it.each([0, 4])('says of an exact one from %i on that all is matched', async (fromSeq) => {
    const source = await client.run('conformance-determinism-llm-nodes');
    const replay = await client.fork(source.runId, { mode: 'replay', fromSeq });
    const report = await reportOf(replay.runId);
    const count = source.events.length - fromSeq;
    expect([report.status, report.body]).toEqual([
      200,
      {
        sourceRunId: source.runId,
        replayRunId: replay.runId,
        fromSeq,
        comparedEvents: count,
        matchedEvents: count,
        firstDivergenceSeq: null,
        score: 1,
      },
    ]);
  });

  it('counts what changed, and names the first place', async () => {
    await revise('1.0.0');
    const source = await client.run(CONSTANT);
    await revise('2.0.0');
    const replay = await client.fork(source.runId, { mode: 'replay' });
    const [comparedEvents, changed] = [source.events.length, 2];
    expect((await reportOf(replay.runId)).body).toMatchObject({
      comparedEvents,
      matchedEvents: comparedEvents - changed,
      firstDivergenceSeq: source.types.indexOf('variable.changed'),
      score: (comparedEvents - changed) / comparedEvents,
    });
  });

  it('is there for replays only, and for those who may read them', async () => {
    const source = await client.run('conformance-noop');
    const branch = await client.fork(source.runId, { mode: 'branch', fromSeq: 1 });
    const replay = await client.fork(source.runId, { mode: 'replay' });
    for (const runId of [source.runId, branch.runId, 'run_x']) expect((await reportOf(runId)).status).toBe(404);
    expect((await reportOf(replay.runId, 'key-b')).status).toBe(404);
    expect((await reportOf(replay.runId, 'key-creator')).status).toBe(403);
  });

  it('is not there before the replay has ended', async () => {
    const created = await client.post('/v1/runs', { workflowId: 'conformance-determinism-interrupt' });
    await whenAsked(client, String(created.body['runId']));
    const fork = await client.post(`/v1/runs/${String(created.body['runId'])}:fork`, { mode: 'replay' });
    const replayId = String(fork.body['runId']);
    expect((await reportOf(replayId)).status).toBe(409);
    await client.post(`/v1/runs/${replayId}/cancel`, {});
    expect((await reportOf(replayId)).status).toBe(200);
  });

  it('is as the part shows it', async () => {
    const sideResources = { ...defaultParts.sideResources, report: () => ({ score: 2 }) };
    const wrong = testClient({ parts: { sideResources } });
    const source = await wrong.run('conformance-noop');
    const replay = await wrong.fork(source.runId, { mode: 'replay' });
    expect((await wrong.get(`/v1/runs/${replay.runId}/determinism`)).body).toEqual({ score: 2 });
  });

  it('is announced', async () => {
    const { replay, feedback } = (await client.get('/.well-known/openwop')).body;
    expect(replay).toMatchObject({
      determinismReport: { supported: true, path: '/v1/runs/{runId}/determinism' },
    });
    expect(feedback).toEqual({ supported: true });
  });
});

describe('a report on two logs', () => {
  const fork = { parentRunId: 's', fromSeq: 1, position: 1 };

  it('has no score where nothing can be compared', () => {
    const report = determinismReport('r', fork, {
      source: { events: [event(0, 'run.started')], lost: 0 },
      replay: { events: [], lost: 0 },
    });
    expect(report).toMatchObject({ comparedEvents: 0, matchedEvents: 0, firstDivergenceSeq: null, score: null });
  });

  it('leaves out what speaks about the replay, and counts what only one log has', () => {
    const source = [event(0, 'run.started'), event(1, 'log.appended'), event(2, 'run.completed')];
    const replay = [
      event(0, 'run.started'),
      event(1, 'log.appended'),
      event(2, 'channel.written'),
      event(3, 'replay.diverged'),
      event(4, 'run.completed'),
    ];
    expect(
      determinismReport('r', fork, { source: { events: source, lost: 0 }, replay: { events: replay, lost: 0 } }),
    ).toMatchObject({
      comparedEvents: 3,
      matchedEvents: 2,
      firstDivergenceSeq: 2,
    });
  });

  it('does not take for a difference what has expired of one of them', () => {
    const events = [
      event(0, 'run.started'),
      event(1, 'log.appended'),
      event(2, 'channel.written'),
      event(3, 'run.completed'),
    ];
    const report = determinismReport('r', fork, {
      source: { events: events.slice(3), lost: 3 },
      replay: { events, lost: 0 },
    });
    expect(report).toMatchObject({
      fromSeq: 1,
      comparedEvents: 1,
      matchedEvents: 1,
      firstDivergenceSeq: null,
      score: 1,
    });
  });
});
