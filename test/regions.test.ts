import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../reference-host/json.ts';
import { runCli, startCli, withTemporaryDirectory, type Ended, type Started } from './cli.ts';

interface Served extends Started {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Lends a data file and a way to serve it; what is still served at the end is killed. */
async function withFile(work: (file: string, serve: Serve) => Promise<void>): Promise<void> {
  await withTemporaryDirectory(async (directory) => {
    const started: Started[] = [];
    try {
      await work(join(directory, 'host.db'), async (...flags) => {
        const process = startCli(['serve', '--port', '0', '--json', '--enable-test-seams', ...flags]);
        started.push(process);
        const { baseUrl, apiKey } = JSON.parse(await process.firstLine) as { baseUrl: string; apiKey: string };
        return { ...process, baseUrl, apiKey };
      });
    } finally {
      for (const process of started) process.signal('SIGKILL');
      await Promise.all(started.map(({ ended }) => ended));
    }
  });
}

type Serve = (...flags: readonly string[]) => Promise<Served>;

/** Asks a host with a key that the data file knows. */
async function ask({ baseUrl }: Served, key: string, path: string, body?: unknown): Promise<JsonObject> {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json', 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return (await (await fetch(baseUrl + path, { headers, ...sent })).json()) as JsonObject;
}

/** The events of a run, once one of a type is among them. */
async function eventsUntil(
  host: Served,
  key: string,
  { runId, type }: { readonly runId: string; readonly type: string },
) {
  for (let last = -1; ;) {
    const { events } = await ask(host, key, `/v1/runs/${runId}/events/poll?lastSequence=${last}&timeout=10`);
    const all = (await ask(host, key, `/v1/runs/${runId}/events/poll`))['events'] as JsonObject[];
    if (all.some((event) => event['type'] === type)) return all;
    last = Number((events as JsonObject[]).at(-1)?.['sequence'] ?? last);
  }
}

async function waiting(host: Served, key: string): Promise<string> {
  const { runId } = await ask(host, key, '/v1/runs', { workflowId: 'conformance-determinism-interrupt' });
  await eventsUntil(host, key, { runId: String(runId), type: 'node.suspended' });
  return String(runId);
}

async function killed(host: Served): Promise<Ended> {
  host.signal('SIGKILL');
  return host.ended;
}

async function stopped(host: Served): Promise<Ended> {
  host.signal('SIGTERM');
  return host.ended;
}

/** What events say, without identities and clocks. */
function said(events: readonly JsonObject[]): unknown {
  return events.map(({ sequence, type, nodeId }) => [sequence, type, nodeId]);
}

/** Why `serve` refuses to start. */
async function refused(...flags: readonly string[]): Promise<string> {
  const ended = await runCli(['serve', '--port', '0', '--json', ...flags]);
  expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
  return ended.stderr;
}

const ANSWER = { resumeValue: { approved: true } };

describe('two regions that serve one file', () => {
  it('fork, answer and cancel the runs of each other', async () => {
    await withFile(async (file, serve) => {
      const a = await serve('--data', file, '--region', 'a');
      const b = await serve('--data', file, '--region', 'b');
      const key = a.apiKey;
      const runId = await waiting(a, key);
      const resolved = await ask(b, key, `/v1/runs/${runId}/interrupts/ask`, ANSWER);
      expect(resolved).toMatchObject({ runId, nodeId: 'ask' });
      const events = await eventsUntil(b, key, { runId, type: 'run.completed' });
      const fork = await ask(b, key, `/v1/runs/${runId}:fork`, { mode: 'replay', fromSeq: 3 });
      const forkId = String(fork['runId']);
      const replayed = await eventsUntil(a, key, { runId: forkId, type: 'run.completed' });
      expect(said(replayed)).toEqual(said(events));

      const other = await waiting(b, key);
      expect(await ask(a, key, `/v1/runs/${other}/cancel`, {})).toMatchObject({ status: 'cancelled' });
      await eventsUntil(b, key, { runId: other, type: 'run.cancelled' });
      expect(await stopped(a)).toMatchObject({ exitCode: 0, stderr: '' });
      expect(await stopped(b)).toMatchObject({ exitCode: 0, stderr: '' });
      expect(existsSync(`${file}-wal`)).toBe(false);
      expect((await stopped(await serve('--data', file))).stderr).toBe('');
    });
  });

  it('go on without each other, and with what the other one has left', async () => {
    await withFile(async (file, serve) => {
      const a = await serve('--data', file, '--region', 'a');
      const b = await serve('--data', file, '--region', 'b');
      const key = a.apiKey;
      const runId = await waiting(a, key);
      await killed(a);
      const fork = await ask(b, key, `/v1/runs/${runId}:fork`, { mode: 'branch', fromSeq: 2 });
      const forkId = String(fork['runId']);
      await eventsUntil(b, key, { runId: forkId, type: 'node.suspended' });
      await ask(b, key, `/v1/runs/${forkId}/interrupts/ask`, ANSWER);
      await eventsUntil(b, key, { runId: forkId, type: 'run.completed' });
      expect(await ask(b, key, `/v1/runs/${runId}`)).toMatchObject({ status: 'waiting-approval' });

      const again = await serve('--data', file, '--region', 'a');
      await ask(b, key, `/v1/runs/${runId}/interrupts/ask`, ANSWER);
      await eventsUntil(again, key, { runId, type: 'run.completed' });
      await killed(again);
      await killed(b);
      const alone = await serve('--data', file);
      expect(await ask(alone, key, `/v1/runs/${runId}`)).toMatchObject({ status: 'completed' });
      expect((await stopped(alone)).exitCode).toBe(0);
    });
  });

  it('keep everybody else away', async () => {
    await withFile(async (file, serve) => {
      const a = await serve('--data', file, '--region', 'a');
      expect(await refused('--data', file, '--region', 'a')).toContain('another process of region a');
      expect(await refused('--data', file)).toContain(file);
      await stopped(a);
      await serve('--data', file);
      expect(await refused('--data', file, '--region', 'b')).toContain(file);
      expect(await refused('--region', 'a')).toContain('--data');
      expect(await refused('--data', file, '--region', 'c')).toContain('Allowed choices are a, b');
    });
  });

  it('may be started at the same time on a file that is not there yet', async () => {
    await withFile(async (file, serve) => {
      const [a, b] = await Promise.all(['a', 'b'].map((region) => serve('--data', file, '--region', region)));
      if (a === undefined || b === undefined) throw new Error('two were started');
      const { runId } = await ask(a, a.apiKey, '/v1/runs', { workflowId: 'conformance-noop' });
      await eventsUntil(a, a.apiKey, { runId: String(runId), type: 'run.completed' });
      await Promise.all([stopped(a), stopped(b)]);
      expect((await stopped(await serve('--data', file))).stderr).toBe('');
    });
  });
});
