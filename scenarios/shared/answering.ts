import { randomUUID } from 'node:crypto';
import { readPart } from '../../src/contract/discovery.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { eventsOf } from './compare-runs.ts';
import { ASKING, type Asking, isQuestion } from './past-question.ts';
import { type RunObservation, startRun } from './run-observation.ts';

const [OWN, PUBLIC] = ASKING;

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

/** The source up to its question: of the fixture, or of the public workflow where that could not be run. */
export async function startAsking(
  probe: Probe,
  role: string,
): Promise<{ readonly fixture: Asking; readonly asking: RunObservation }> {
  const start = ({ workflowId }: Asking): Promise<RunObservation> =>
    startRun(probe, { workflowId, inputs: {} }, { role, until: isQuestion });
  const asking = await start(OWN);
  const isExecuted = asking.runId !== null && endOf(eventsOf(asking)) !== 'failed';
  if (isExecuted || !advertises(probe, PUBLIC.workflowId)) return { fixture: OWN, asking };
  return { fixture: PUBLIC, asking: await start(PUBLIC) };
}

function advertises({ discovery }: Probe, workflowId: string): boolean {
  return readPart(discovery, 'fixtures').includes(workflowId);
}

/** Answers the question of a run's node: with what lets it go on, and a mark that no other answer has. */
export async function answerRun(
  probe: Probe,
  { runId, role }: RunObservation,
  nodeId: string,
  answer: object,
): Promise<AnswerObservation> {
  const mark = randomUUID();
  const path = interruptPath(runId ?? '', nodeId);
  // Hosts hide the values of members with a name such as `token`.
  const body = JSON.stringify({ resumeValue: { ...answer, mark } });
  const exchange = await probe.host.exchange({ method: 'POST', path, body });
  const answered = exchange.kind === 'response' ? exchange.status : null;
  return { type: 'answer', role, mark, answered, exchanges: [exchange.id] };
}

/** Whether the host took an answer. */
export function isAccepted({ answered }: AnswerObservation): boolean {
  return answered !== null && isSuccess(answered);
}
