import { randomUUID } from 'node:crypto';
import type { Observation } from '../../src/evidence/types.ts';
import type { Exchange } from '../../src/host/client.ts';
import { answeredWith, post } from '../../src/host/exchanged.ts';
import type { Probe } from '../../src/host/probe.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { isMalformed, isSuccess } from '../../src/protocol/status.ts';
import { eventsOf } from './compare-runs.ts';
import { type Candidates, firstExecuted, type Tried } from './first-executed.ts';
import { isAsking } from './open-question.ts';
import { ASKING, type Asking } from './past-question.ts';
import { type RunObservation, startRun } from './run-observation.ts';

/** An answer that was given to a run's question, and the host's status for it. */
export interface AnswerObservation extends Observation {
  readonly type: 'answer';
  readonly role: string;
  /** What can be told apart in the answer; its name is one that no host takes for a secret's. */
  readonly mark: string;
  readonly answered: number | null;
  /** The status of the run before, where it had the time to go on without an answer. */
  readonly status?: string;
}

/** A run up to its question, of the first workflow that asks and that the host executes: the public one before ours. */
export async function startAsking(
  probe: Probe,
  role: string,
  candidates: Candidates<Asking> = ASKING,
): Promise<Tried<Asking>> {
  return firstExecuted(
    candidates,
    ({ workflowId }) => startRun(probe, { workflowId, inputs: {} }, { role, until: isAsking }),
    (run) => eventsOf(run).some(isAsking),
  );
}

/** What hosts lose of an answer that look at what its members are worth, not at whether they are there. */
const NOTHING = { no: false, zero: 0, empty: '', nothing: null, none: [] } as const;
const WORTH_NOTHING = { ...NOTHING, details: NOTHING } as const;

/**
 * Answers the question of a run's node: with what lets it go on, a mark that no other answer has, and members that count as
 * nothing; without these, then without the mark where that is refused as malformed, as a host may that takes no members but
 * its own.
 */
export async function answerRun(
  probe: Probe,
  { runId, role }: RunObservation,
  nodeId: string,
  answer: object,
): Promise<AnswerObservation> {
  const mark = randomUUID();
  const path = interruptPath(runId ?? '', nodeId);
  const send = (resumeValue: object): Promise<Exchange> => post(probe.host, path, { resumeValue });
  // Hosts hide the values of members with a name such as `token`.
  let last = await send({ ...answer, mark, ...WORTH_NOTHING });
  const exchanges = [last.id];
  for (const fewer of [{ ...answer, mark }, answer]) {
    if (!isMalformed(answeredWith(last))) break;
    last = await send(fewer);
    exchanges.push(last.id);
  }
  return { type: 'answer', role, mark, answered: answeredWith(last), exchanges };
}

/** Whether the host took an answer. */
export function isAccepted({ answered }: AnswerObservation): boolean {
  return answered !== null && isSuccess(answered);
}
