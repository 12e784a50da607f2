import { member, readPart } from '../../src/contract/discovery.ts';
import { fail, type Mistake, type Outcome, pass, rests, undecided } from '../../src/contract/outcome.ts';
import { noneRan } from '../../src/contract/remedy.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Exchange } from '../../src/host/client.ts';
import { answeredWith, answerText, jsonIn, withinBounds } from '../../src/host/exchanged.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { runPath } from '../../src/protocol/paths.ts';
import { isEnded } from '../../src/protocol/run-status.ts';
import { isSuccess, isUnknownWorkflow, saysNothing } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { isForAll, isPassedOver, PUBLIC_FIXTURES, standIns } from '../shared/first-run.ts';
import { answersText, askForLog, type LogAnswers } from '../shared/log-answers.ts';
import { runsOf, type RecordedRun } from '../shared/need.ts';
import { ofType } from '../shared/of-type.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { foundationBrokenBy, undrivenText } from '../shared/unobserved.ts';
import { wrong } from './diagnoses.ts';
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
    observations.push(run, await readUnread(probe, run, { workflowId, named: fixtures.includes(workflowId) }));
    const isMade = run.runId !== null;
    if (isMade && run.problem !== null && !isPassedOver(run)) waitedInVain += 1;
    if ((isMade && run.problem === null) || waitedInVain === ENOUGH || probe.signal.aborted) break;
  }
  return observations;
}

/** Asks for whatever of the run was not read, to learn how that is answered. */
async function readUnread(
  probe: Probe,
  { role, runId, problem, snapshot, exchanges }: RunObservation,
  of: Pick<TriedObservation, 'workflowId' | 'named'>,
): Promise<TriedObservation> {
  const tried = { type: 'tried', ...of, role, log: null, snapshot: null } as const;
  // Where runs stand still, their logs are read.
  const isRead = problem === null ? isRecord(snapshot) : probe.standstill?.standing() !== undefined;
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
    // It may be built a while later than the run is made.
    { patienceMs: probe.timeoutMs, signal: probe.signal },
  );
  const { exchange, isObject } = read;
  const answer = { snapshot: answeredWith(exchange), snapshotIsObject: isObject };
  const unread = isSuccess(answer.snapshot) ? {} : { snapshotUnread: answerText(exchange) };
  return { ...tried, ...answer, ...unread, exchanges: question };
}

/** Whether asking again shows no more: an object came with 200, or one that is not read, as it is too large or encoded. */
function isSettled(exchange: Exchange, isObject: boolean): boolean {
  if (exchange.kind === 'failure') return exchange.reason === 'body-too-large' || exchange.reason === 'encoded';
  return exchange.status === 200 && isObject;
}

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

type Tried = Recorded<TriedObservation>;

/** A run that was read to its end is enough; without one, what the host said of those that it names decides (wire-contract, Endpoints). */
export function judgeCreated(recorded: readonly Recorded<Observation>[]): Outcome {
  const runs = runsOf(recorded);
  const whole = runs.find(({ problem, snapshot }) => problem === null && isRecord(snapshot));
  if (whole !== undefined) return pass([whole]);
  const tried = ofType<TriedObservation>(recorded, 'tried');
  const pairs = tried.flatMap((each) => {
    const run = runs.find(({ role }) => role === each.role);
    return run === undefined ? [] : [{ tried: each, run }];
  });
  const readings = pairs.flatMap(({ tried: each, run }) => {
    const mismatch = unreadable(each, run);
    return mismatch === undefined ? [] : [fail(mismatch, [each, run])];
  });
  if (readings[0] !== undefined) return readings[0];
  const named = pairs.filter(({ tried: each }) => each.named);
  const refused = named.filter(({ tried: each, run }) => isRefused(each, run));
  const [first] = refused;
  if (first !== undefined && refused.length === named.length) {
    const workflows = refused.map(({ tried: each }) => each.workflowId);
    const mismatch: Mistake = {
      expected: `201 with a runId for a run of ${first.tried.workflowId}, which the discovery document names`,
      actual: `${first.run.answered ?? ''}; ${workflows.length} workflows were tried: ${workflows.join(', ')}`,
      diagnosis: wrong('named-and-refused'),
    };
    return fail(
      mismatch,
      refused.map(({ run }) => run),
    );
  }
  const open = undecided(reasonOf(runs, tried), runs);
  const [broken] = runs.flatMap((run) => foundationBrokenBy(run) ?? []);
  return broken === undefined ? open : rests(broken, open);
}

/** A run that was made and cannot be asked for, or not be read; nothing where an answer may be another one at another time. */
function unreadable({ log, snapshot, snapshotIsObject }: Tried, run: RecordedRun): Mistake | undefined {
  if (run.runId === null) {
    if (!isSuccess(run.answered)) return undefined;
    const expected = `a runId in the answer ${run.answered ?? ''} to POST /v1/runs`;
    return { expected, actual: run.problem ?? 'none', diagnosis: wrong('no-run-id') };
  }
  if (run.problem !== null && log !== null && Object.values(log).every(isFinal)) {
    const actual = answersText({ ...log });
    return { expected: `the log of ${run.runId} in one of its ways`, actual, diagnosis: wrong('log-unreadable') };
  }
  if (run.problem !== null && run.events.length === 0 && isEnded(member(run.snapshot, 'status'))) {
    const status = String(member(run.snapshot, 'status'));
    const expected = `the events of ${run.runId}: its snapshot says ${status}`;
    return { expected, actual: 'a log without any event', diagnosis: wrong('log-empty') };
  }
  const isNone = isSuccess(snapshot) && snapshotIsObject === false;
  const isOther = isSuccess(snapshot) && snapshot !== 200;
  if (run.problem === null && (isFinal(snapshot) || isNone || isOther)) {
    const expected = `200 with a JSON object for the snapshot of ${run.runId}`;
    const actual = `${snapshot ?? ''}${isNone ? ' with a body that is no JSON object' : ''}`;
    return { expected, actual, diagnosis: wrong('snapshot-unreadable') };
  }
  return undefined;
}

/** Whether a reading was refused for good. */
function isFinal(status: LogAnswers['sse']): boolean {
  return status !== null && !isSuccess(status) && !saysNothing(status, 'action');
}

/** A workflow that needs inputs may be refused for their absence; those that need none may not. */
function isRefused({ workflowId }: Tried, { runId, answered }: RecordedRun): boolean {
  if (runId !== null || answered === null || isSuccess(answered) || saysNothing(answered, 'action')) return false;
  return isPublic({ workflowId }) || answered === 404 || !isUnknownWorkflow(answered);
}

function reasonOf(runs: readonly RecordedRun[], tried: readonly Tried[]): string {
  const unread = ({ role }: RecordedRun): string => {
    const why = tried.find((each) => each.role === role)?.snapshotUnread;
    return `its snapshot could not be read${why === undefined ? '' : `: ${why}`}`;
  };
  const reasons = runs.map((run) => `${run.role}: ${run.problem ?? unread(run)}`);
  if (reasons.length === 0) return undrivenText('run');
  const reason = `no run was seen to its end; ${reasons.join('; ')}`;
  const isOneThere = runs.some((run) => isPublic(run) && !isPassedOver(run));
  return isOneThere ? reason : noneRan(reason);
}

/** Whether a run is of a workflow that needs nothing. */
function isPublic({ workflowId }: Pick<RunObservation, 'workflowId'>): boolean {
  return PUBLIC_FIXTURES.some((id) => id === workflowId);
}
