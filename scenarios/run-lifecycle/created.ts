import { readPart } from '../../src/contract/discovery.ts';
import type { Exchange } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { answeredWith, answerText, jsonIn, withinBounds } from '../../src/host/exchanged.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { runPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { isPassedOver, PUBLIC_FIXTURES } from '../shared/first-run.ts';
import { askForLog } from '../shared/log-answers.ts';
import { startRun, type RunObservation } from '../shared/run-observation.ts';
import { isForAll, standIns } from '../shared/stand-ins.ts';
import { judgeCreated } from './judge-created.ts';
import type { TriedObservation } from './observation.ts';

/** Workflows that are tried before the host is taken to make no run. */
const TRIED = 6;
/** Runs that are waited for in vain: each takes three time-outs. */
const ENOUGH = 2;

/** A run of the first workflow that the host runs to an end: those that need nothing, then what the caller and the host name. */
async function drive(probe: Probe): Promise<readonly (RunObservation | TriedObservation)[]> {
  const fixtures = readPart(probe.discovery, 'fixtures').filter(isForAll);
  const known = PUBLIC_FIXTURES.filter((id) => fixtures.includes(id));
  const named = probe.named ?? [];
  const ours = named.map(({ workflowId }) => workflowId);
  const candidates = [
    ...new Set([
      ...(fixtures.length === 0 ? PUBLIC_FIXTURES : known),
      ...ours,
      ...standIns(fixtures),
      ...fixtures,
      ...PUBLIC_FIXTURES,
    ]),
  ].slice(0, TRIED);
  const observations: (RunObservation | TriedObservation)[] = [];
  let waitedInVain = 0;
  for (const workflowId of candidates) {
    const role = `run of ${workflowId}`;
    const { inputs = {} } = named.find((each) => each.workflowId === workflowId) ?? {};
    const run = await startRun(probe, { workflowId, inputs }, { role });
    observations.push(run, await readings(probe, run, { workflowId, named: fixtures.includes(workflowId) }));
    const isMade = run.runId !== null;
    if (isMade && run.problem !== null && !isPassedOver(run)) waitedInVain += 1;
    if ((isMade && run.problem === null) || waitedInVain === ENOUGH || probe.signal.aborted) break;
  }
  return observations;
}

/** Asks for whatever of the run was not read, to learn how that is answered. */
async function readings(
  probe: Probe,
  { role, runId, problem, snapshot, exchanges }: RunObservation,
  of: Pick<TriedObservation, 'workflowId' | 'named'>,
): Promise<TriedObservation> {
  const tried = { type: 'tried', ...of, role, log: null, snapshot: null } as const;
  // Where runs stand still, their logs are read.
  const isRead = problem === null ? snapshot !== null : probe.standstill?.standing() !== undefined;
  if (runId === null || isRead) return { ...tried, exchanges };
  if (problem !== null) {
    const requested = await askForLog(probe, runId);
    return { ...tried, log: requested.answers, exchanges: requested.exchanges };
  }
  const question: string[] = [];
  const read = await repeatPaced(
    async () => {
      const exchange = withinBounds(await probe.host.exchange({ method: 'GET', path: runPath(runId) }));
      question.push(exchange.id);
      return { exchange, isObject: isRecord(jsonIn(exchange)) };
    },
    ({ exchange, isObject }) => isSettled(exchange, isObject),
    { patienceMs: Math.min(LATE, probe.timeoutMs), signal: probe.signal },
  );
  const { exchange, isObject } = read;
  const answer = { snapshot: answeredWith(exchange), snapshotIsObject: isObject };
  const unread = isSuccess(answer.snapshot) ? {} : { snapshotUnread: answerText(exchange) };
  return { ...tried, ...answer, ...unread, exchanges: question };
}

/** Whether asking again shows no more: an object came, or one that is not read, as it is too large or encoded. */
function isSettled(exchange: Exchange, isObject: boolean): boolean {
  if (exchange.kind === 'failure') return exchange.reason === 'body-too-large' || exchange.reason === 'encoded';
  return isSuccess(exchange.status) && isObject;
}

/** A snapshot may be built a little later than the run is made: how long it is asked for, in milliseconds. */
const LATE = 5_000;

/** What every other row about runs stands on. */
export const created = defineScenario<RunObservation | TriedObservation>({
  id: 'run.created',
  suite: 'run-lifecycle',
  title: 'A run of a workflow that the host names is made, followed to its end and read',
  drive,
  checks: [
    {
      id: 'run.created',
      title: 'A run can be made, its log followed to an end, its snapshot read',
      judge: judgeCreated,
    },
  ],
});
