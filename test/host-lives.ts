import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Failpoint } from '../reference-host/store/failpoints.ts';
import type { FinishedRun, TestClient } from './reference-client.ts';
import { sseEvents, testClient } from './reference-client.ts';

/** A host in this process that a failpoint ends like a crash of its process. */
export interface Life {
  readonly client: TestClient;
  /** Resolves with true at the armed failpoint. */
  readonly died: Promise<boolean>;
}

/** Starts a host on a data file. */
export function life(data: string, failpoint?: Failpoint): Life {
  const dying = new AbortController();
  const died = once(dying.signal, 'abort').then(() => true);
  const armed = failpoint === undefined ? {} : { failpoint };
  return { client: testClient({ data, die: () => dying.abort(), ...armed }), died };
}

/** A new folder, in memory where the machine has such: a crash of a process loses nothing that was handed to the system. */
export function quickFolder(prefix: string): string {
  return mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), prefix));
}

/** The same for a file's tests, gone after them. */
export function useFolder(prefix: string): string {
  const folder = quickFolder(prefix);
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Starts a run of this body, or finds it again: a creation is done once for its key. */
export async function startOnce(client: TestClient, body: object): Promise<string> {
  const created = await client.post('/v1/runs', body, { headers: { 'idempotency-key': 'one' } });
  return String(created.body['runId']);
}

/** Follows a run to its end. */
export async function followed(client: TestClient, runId: string): Promise<FinishedRun> {
  const events = sseEvents((await client.get(`/v1/runs/${runId}/events`)).text);
  const { body } = await client.get(`/v1/runs/${runId}`);
  return { runId, events, types: events.map(({ type }) => type), snapshot: body };
}

/** A run of this body on a host that dies at the failpoint; false where the run ended before. The host is gone after it. */
export async function cutOff(data: string, body: object, failpoint: Failpoint): Promise<boolean> {
  const { client, died } = life(data, failpoint);
  const ended = startOnce(client, body).then(async (runId) => {
    await followed(client, runId);
    return false;
  });
  const isDead = await Promise.race([died, ended.catch(() => died)]);
  if (!isDead) await client.host.close();
  return isDead;
}
