import { fail, isOutcome, type Mistake, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { answeredWith } from '../../src/host/exchanged.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { isBusy, isEnded } from '../../src/protocol/run-status.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded, Scenario } from '../../src/runner/scenario.ts';
import { cancelRun } from '../shared/cancel.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { nodeOf } from '../shared/read-event.ts';
import { isAsking } from '../shared/open-question.ts';
import { readAgain, type RunObservation, startRun } from '../shared/run-observation.ts';
import { awaitStatus } from '../shared/snapshot.ts';
import { type Chain, readChain } from './chain.ts';
import { wrong } from './diagnoses.ts';
import { withHiddenEvents, COMMON } from './suite.ts';
import { CLARIFY, ESCALATE, seeded, TELLER } from './fixtures.ts';
import { type AllRecorded, type HandoffRun, readHandoff, recordedAs } from './handoff-run.ts';
import { judgeLinks } from './judge-links.ts';
import { offPlan } from './path.ts';
import { type QuestionObservation, ROLES } from './observation.ts';
import { isOfTheSchema, placeOf } from './transition.ts';

/** Starts a run whose supervisor asks somebody, looks at it while it waits, answers, and follows it to its end. */
async function driveSuspending(probe: Probe, workflowId: string): Promise<readonly Observation[]> {
  const asking = await startRun(probe, { workflowId, inputs: {} }, { role: ROLES.suspended, until: isAsking });
  const suspended = hasEnded(asking) ? await withHiddenEvents(probe, asking) : asking;
  const question = eventsOf(suspended).find(isAsking);
  if (suspended.problem !== null || hasEnded(suspended) || question === undefined) return [suspended];
  const statusOf = (patienceMs: number) => awaitStatus(probe, { runId: suspended.runId, isEnough, patienceMs });
  const requested = await answerIt(probe, suspended, { question, ...(await statusOf(probe.timeoutMs * PATIENCE)) });
  if (!isSuccess(requested.answered) && !isEnded((await statusOf(0)).status)) {
    await cancelRun(probe, suspended.runId);
    return [suspended, requested];
  }
  const resumed = await readAgain(probe, suspended, { role: ROLES.resumed });
  return [suspended, requested, await withHiddenEvents(probe, resumed)];
}

function hasEnded(run: RunObservation): boolean {
  return readChain(run).end !== undefined;
}

/** Whether a status is that of a run that no longer goes on by itself. Hosts may have statuses of their own. */
function isEnough(status: string | undefined): boolean {
  return status !== 'pending' && status !== 'running';
}

function isWaiting(status: string | null): boolean {
  return status !== null && isEnough(status) && !isEnded(status);
}

/** A part of a run's wait for its end in which its status has to show that it waits. */
const PATIENCE = 0.1;

type Waiting = Pick<Awaited<ReturnType<typeof awaitStatus>>, 'status' | 'exchanges'>;

async function answerIt(
  probe: Probe,
  { runId }: RunObservation,
  { question, status, exchanges }: Waiting & { readonly question: RunEvent },
): Promise<QuestionObservation> {
  const nodeId = nodeOf(question) ?? 'dispatch';
  const body = JSON.stringify({ resumeValue: { approved: true } });
  const exchange = await probe.host.exchange({ method: 'POST', path: interruptPath(runId ?? '', nodeId), body });
  const answered = answeredWith(exchange);
  return { type: 'asked', status: status ?? null, nodeId, answered, exchanges: [...exchanges, exchange.id] };
}

type RecordedQuestion = Recorded<QuestionObservation>;
type Kind = 'clarify' | 'escalate';

/** rfc-0037 §A: a decision that asks suspends the run; its answer lets the loop go on, with one decision for each turn. */
function judgeSuspends(recorded: AllRecorded, kind: Kind): Outcome {
  const suspended = readHandoff(recorded, ROLES.suspended);
  if (isOutcome(suspended)) return suspended;
  const { run, chain } = suspended;
  if (chain.end !== undefined) {
    const expected = `${named(run)} suspended by its decision to ${kind}: interrupt.requested, and no end before its answer`;
    return fail({ expected, actual: endText(chain), diagnosis: wrong('not-suspended') }, [run]);
  }
  const early = goesOn(chain, kind, 'before');
  if (early !== undefined) return fail(early, [run]);
  const requested = recordedAs(recorded, 'asked')[0];
  if (requested === undefined) return undecided(`${named(run)} shows no question to answer`, [run]);
  if (isEnded(requested.status)) {
    // Its log waits: where the snapshots of other runs that wait say an end as well, it is one defect.
    const [expected, actual] = [`${named(run)} waiting for an answer`, `status ${requested.status ?? ''}`];
    return fail({ expected, actual, diagnosis: wrong('not-suspended'), restsOn: FOUNDATIONS.snapshots }, [
      run,
      requested,
    ]);
  }
  const resumed = readResumed(recorded);
  return isOutcome(resumed) ? resumed : judgeAnswered(resumed, requested, kind);
}

/** The run after its answer, or what is left without it: of the run that asks, where that was not seen, or of an answer that was not taken. */
function readResumed(recorded: AllRecorded): HandoffRun | Outcome {
  if (recorded.some((each) => 'role' in each && each.role === ROLES.resumed))
    return readHandoff(recorded, ROLES.resumed);
  const suspended = readHandoff(recorded, ROLES.suspended);
  if (isOutcome(suspended)) return suspended;
  const requested = recordedAs(recorded, 'asked')[0];
  if (requested === undefined) return undecided(`${named(suspended.run)} shows no question to answer`, [suspended.run]);
  const answer = `POST /v1/runs/{runId}/interrupts/${requested.nodeId} answered ${requested.answered ?? 'nothing'}`;
  return undecided(`${answer}: it has to take {resumeValue: {approved: true}}`, [requested]);
}

function judgeAnswered(resumed: HandoffRun, requested: RecordedQuestion, kind: Kind): Outcome {
  const { run, chain } = resumed;
  const evidence = [run, requested];
  if (!isSuccess(requested.answered)) {
    const actual = `an end; the answer came too late: ${requested.answered ?? 'no answer'}`;
    return fail({ expected: `${named(run)} waiting`, actual, diagnosis: wrong('not-suspended') }, evidence);
  }
  const mismatch = goesOn(chain, kind, 'while asked') ?? offPlan(resumed, [kind, 'next-worker', 'terminate']);
  if (mismatch !== undefined) return fail({ diagnosis: wrong('wrong-turns'), ...mismatch }, evidence);
  if (isWaiting(requested.status)) return pass(evidence);
  // Its log shows that it waits, and nothing followed until it was answered (readings: waiting).
  const status = `its status was ${requested.status ?? 'not readable'} while its question was open`;
  if (isBusy(requested.status)) return pass(evidence, status);
  return undecided(`${status}: GET /v1/runs/{runId} has to show that it waits`, evidence);
}

/**
 * A turn that follows the question before it was answered. Without interrupt.resolved only the first reading shows it. The decision that
 * asks may be told behind the question that it leads to, and phases of the host's own are no turns.
 */
function goesOn(chain: Chain, kind: Kind, reading: 'before' | 'while asked'): Mistake | undefined {
  const { events } = chain;
  const question = events.find(isAsking);
  const resolved = events.find(({ type }) => type === 'interrupt.resolved');
  if (question === undefined || (reading === 'while asked' && resolved === undefined)) return undefined;
  const until = resolved?.sequence ?? Infinity;
  const asking = chain.decisions.find((decision) => decision.kind === kind);
  const decisions = chain.decisions.filter((each) => each !== asking);
  const transitions = chain.transitions.filter(({ phase }) => isOfTheSchema(phase));
  const turns = [...decisions, ...transitions].map(({ event }) => event);
  const early = turns.find(({ sequence }) => sequence > question.sequence && sequence < until);
  if (early === undefined) return undefined;
  const expected = `no turn after ${placeOf(question)} before its answer`;
  return { expected, actual: placeOf(early), diagnosis: wrong('not-suspended') };
}

function endText({ events, decisions, transitions }: Chain): string {
  const turns = [...decisions, ...transitions].map(({ event }) => event);
  return [...turns, ...events.slice(-1)].map(placeOf).join('; ');
}

/** rfc-0037 §B: an answer lets the loop go on, and causes no transition. */
function judgeChainBehind(recorded: AllRecorded): Outcome {
  const resumed = readResumed(recorded);
  return isOutcome(resumed) ? resumed : judgeLinks(resumed, 1);
}

function suspending(kind: Kind, workflowId: string): Scenario {
  return defineScenario({
    ...COMMON,
    id: `handoff.${kind}`,
    title: `A supervisor decides to ${kind}`,
    needs: seeded(workflowId, TELLER),
    drive: (probe) => driveSuspending(probe, workflowId),
    checks: [
      {
        id: `handoff.loop.${kind}`,
        title: `A decision to ${kind} suspends the run until it is answered; then the loop goes on`,
        judge: (recorded) => judgeSuspends(recorded, kind),
      },
      {
        id: `handoff.causation-chain.${kind}`,
        title: `The chain of a handoff behind an answered decision to ${kind} begins at the decision that named its worker`,
        judge: judgeChainBehind,
      },
    ],
  });
}

/** Decisions that ask somebody. */
export const clarify = suspending('clarify', CLARIFY);
export const escalate = suspending('escalate', ESCALATE);
