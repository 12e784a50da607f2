import type { Observation } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { hasEnded, isQuestion } from '../shared/past-question.ts';
import { readAgain, startFork, startRun, type ForkBody, type RunObservation } from '../shared/run-observation.ts';
import { createListener, type Listener } from './listen.ts';
import { readEverything } from './read-everything.ts';
import { makeErrorSecrets, makeSecrets, type PlantedObservation, type Secrets } from './secret-places.ts';

export const SECRETS = 'conformance-determinism-secrets';
export const SECRET_ERROR = 'conformance-determinism-secret-error';

const TOOL = 'secrets';
const QUESTION = 'ask';

/** A run whose secrets are planted, and what listens to the host. */
export interface SecretRun {
  readonly source: RunObservation;
  readonly planted: PlantedObservation;
  readonly listener: Listener;
  readonly secrets: Secrets;
}

/** Runs the fixture of secrets to its end, all secrets planted; undefined where there is no witness. */
export async function runSecrets(
  probe: Probe,
  headers: Readonly<Record<string, string>> = {},
): Promise<SecretRun | undefined> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return undefined;
  const secrets = makeSecrets();
  const listener = createListener(secrets);
  visit.stageEffect(TOOL, secrets.toolAnswer);
  visit.stageChat([{ kind: 'valid', content: secrets.modelText }]);
  const seeing = { role: 'source', handle: listener.as('source', probe.host) };
  const inputs = { witnessUrl: visit.url, credentials: secrets.credentials };
  const asking = await startRun(probe, { workflowId: SECRETS, inputs }, { ...seeing, headers, until: isQuestion });
  const waits = asking.problem === null && !hasEnded(asking);
  const isAnswered = waits && (await answer(seeing.handle, asking, secrets));
  const source = isAnswered ? await readAgain(probe, asking, seeing) : withoutQuestion(asking, waits);
  return { source, planted: secrets.planted(visit, isAnswered), listener, secrets };
}

function withoutQuestion(asking: RunObservation, waits: boolean): RunObservation {
  return waits ? { ...asking, problem: `its question at the node ${QUESTION} could not be answered` } : asking;
}

async function answer(handle: HostHandle, { runId }: RunObservation, { resumeValue }: Secrets): Promise<boolean> {
  const path = interruptPath(runId ?? '', QUESTION);
  const exchange = await handle.exchange({ method: 'POST', path, body: JSON.stringify({ resumeValue }) });
  return exchange.kind === 'response' && isSuccess(exchange.status);
}

/** A replay, and a replay of it; everything that can be read is read. */
export async function driveReplays(probe: Probe): Promise<readonly Observation[]> {
  const run = await runSecrets(probe);
  if (run === undefined) return [];
  const other = await startPublic(probe, 'other run');
  await readSource(probe, run, other);
  const replay = await forkAndRead(probe, run, { of: run.source, other, role: 'replay', body: { mode: 'replay' } });
  const again = { of: replay, other, role: 'replay of the replay', body: { mode: 'replay' } } as const;
  const chained = replay.problem === null ? [await forkAndRead(probe, run, again)] : [];
  return observed(run, [replay, ...chained]);
}

/** A branch from the run's last event: all of its history is the source's. */
export async function driveBranch(probe: Probe): Promise<readonly Observation[]> {
  const run = await runSecrets(probe);
  if (run === undefined) return [];
  const other = await startPublic(probe, 'other run');
  await readSource(probe, run, other);
  const fromSeq = eventsOf(run.source).at(-1)?.sequence ?? 0;
  const body = { mode: 'branch', fromSeq } as const;
  return observed(run, [await forkAndRead(probe, run, { of: run.source, other, role: 'branch', body })]);
}

/** A run that fails with secrets in its error, and its replay. */
export async function driveErrors(probe: Probe): Promise<readonly Observation[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return [];
  const secrets = makeErrorSecrets();
  const listener = createListener(secrets);
  visit.stageEffect(TOOL, secrets.toolAnswer);
  const request = { workflowId: SECRET_ERROR, inputs: { witnessUrl: visit.url } };
  const seeing = { role: 'source', handle: listener.as('source', probe.host) };
  const source = await startRun(probe, request, seeing);
  const run = { source, planted: secrets.planted(visit), listener };
  const other = await startPublic(probe, 'other run');
  await readSource(probe, run, other);
  return observed(run, [
    await forkAndRead(probe, run, { of: source, other, role: 'replay', body: { mode: 'replay' } }),
  ]);
}

type Heard = Pick<SecretRun, 'source' | 'planted' | 'listener'>;

async function readSource(probe: Probe, { source, listener }: Heard, other: RunObservation): Promise<void> {
  if (source.runId === null || source.problem !== null) return;
  await readEverything(listener.as('source', probe.host), source.runId, [other.runId]);
}

interface Forking {
  readonly of: RunObservation;
  readonly other: RunObservation;
  readonly role: string;
  readonly body: ForkBody;
}

async function forkAndRead(
  probe: Probe,
  { source, listener }: Heard,
  { of, other, role, body }: Forking,
): Promise<RunObservation> {
  const handle = listener.as(role, probe.host);
  const fork = await startFork(probe, of, body, { role, handle });
  if (fork.runId !== null) await readEverything(handle, fork.runId, [other.runId, source.runId]);
  return fork;
}

function observed({ source, planted, listener }: Heard, forks: readonly RunObservation[]): readonly Observation[] {
  return [source, planted, listener.heard('source'), ...forks, ...forks.map(({ role }) => listener.heard(role))];
}
